#include "jpeg_error.h"

#include <jerror.h>

static swiftlet_codec_status status_of(int code) {
  switch (code) {
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY:
    case JWRN_JPEG_EOF:
      return SWIFTLET_CODEC_TRUNCATED;
    case JERR_OUT_OF_MEMORY:
    case JERR_BAD_LIB_VERSION:
    case JERR_BAD_STRUCT_SIZE:
      return SWIFTLET_CODEC_RESOURCES;
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
      return SWIFTLET_CODEC_LIMIT;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
      return SWIFTLET_CODEC_UNSUPPORTED;
    default:
      return SWIFTLET_CODEC_CORRUPT;
  }
}

static void escape(j_common_ptr info) {
  swiftlet_jpeg_errors *errors = (swiftlet_jpeg_errors *)info->err;
  char message[JMSG_LENGTH_MAX];
  info->err->format_message(info, message);
  swiftlet_codec_report(errors->error, status_of(info->err->msg_code), message);
  longjmp(errors->escape, 1);
}

// Warnings that mean that pixels are missing or wrong are errors here; the rest are of no interest.
static void judge(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_ARITH_BAD_CODE:
      escape(info);
      break;
    default:
      break;
  }
}

static void stay_silent(j_common_ptr info) { (void)info; }

void swiftlet_jpeg_errors_install(swiftlet_jpeg_errors *errors, swiftlet_codec_error *error) {
  jpeg_std_error(&errors->manager);
  errors->manager.error_exit = escape;
  errors->manager.emit_message = judge;
  errors->manager.output_message = stay_silent;
  errors->error = error;
}
