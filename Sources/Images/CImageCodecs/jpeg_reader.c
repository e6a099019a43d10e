#include <stdlib.h>

#include "jpeg_error.h"

#include <jerror.h>

// A progressive image needs about ten scans; a hostile one may repeat millions of tiny ones over a huge image.
enum { maximum_scans = 200 };

struct swiftlet_jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  swiftlet_jpeg_errors errors;
  swiftlet_codec_error error;
  int is_created;
};

static void do_nothing(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean end_of_input(j_decompress_ptr jpeg) {
  ERREXIT(jpeg, JERR_INPUT_EOF);
  return FALSE;
}

static void skip(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  if ((size_t)count > jpeg->src->bytes_in_buffer) ERREXIT(jpeg, JERR_INPUT_EOF);
  jpeg->src->next_input_byte += count;
  jpeg->src->bytes_in_buffer -= (size_t)count;
}

static void watch(j_common_ptr info) {
  j_decompress_ptr jpeg = (j_decompress_ptr)info;
  if (jpeg->input_scan_number > maximum_scans) {
    swiftlet_jpeg_errors *errors = (swiftlet_jpeg_errors *)info->err;
    swiftlet_codec_report(errors->error, SWIFTLET_CODEC_LIMIT, "the image has more than 200 scans");
    longjmp(errors->escape, 1);
  }
}

static int read_header(swiftlet_jpeg_reader *reader, const uint8_t *bytes, size_t count,
                       const swiftlet_codec_limits *limits, swiftlet_codec_info *info) {
  if (setjmp(reader->errors.escape)) return 0;
  j_decompress_ptr jpeg = &reader->jpeg;
  jpeg_create_decompress(jpeg);
  reader->is_created = 1;
  uint64_t memory = limits->maximum_memory;
  jpeg->mem->max_memory_to_use = memory > 0x7fffffff ? 0x7fffffff : (long)memory;
  reader->source.next_input_byte = bytes;
  reader->source.bytes_in_buffer = count;
  reader->source.init_source = do_nothing;
  reader->source.fill_input_buffer = end_of_input;
  reader->source.skip_input_data = skip;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = do_nothing;
  jpeg->src = &reader->source;
  reader->progress.progress_monitor = watch;
  jpeg->progress = &reader->progress;
  jpeg_read_header(jpeg, TRUE);
  if (jpeg->image_width > limits->maximum_width || jpeg->image_height > limits->maximum_height ||
      (uint64_t)jpeg->image_width * jpeg->image_height > limits->maximum_pixels) {
    swiftlet_codec_report(&reader->error, SWIFTLET_CODEC_LIMIT, "the image is larger than allowed");
    return 0;
  }
  switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE:
      jpeg->out_color_space = JCS_GRAYSCALE;
      break;
    case JCS_RGB:
    case JCS_YCbCr:
      jpeg->out_color_space = JCS_RGB;
      break;
    case JCS_CMYK:
    case JCS_YCCK:
      jpeg->out_color_space = JCS_CMYK;
      break;
    default:
      swiftlet_codec_report(&reader->error, SWIFTLET_CODEC_UNSUPPORTED, "unknown number of color components");
      return 0;
  }
  jpeg_calc_output_dimensions(jpeg);
  info->width = jpeg->output_width;
  info->height = jpeg->output_height;
  info->channels = (uint32_t)jpeg->output_components;
  info->is_cmyk = jpeg->out_color_space == JCS_CMYK;
  return 1;
}

swiftlet_jpeg_reader *swiftlet_jpeg_reader_create(
    const uint8_t *bytes, size_t count, const swiftlet_codec_limits *limits, swiftlet_codec_info *info,
    swiftlet_codec_error *error) {
  swiftlet_jpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) {
    swiftlet_codec_report(error, SWIFTLET_CODEC_RESOURCES, "out of memory");
    return NULL;
  }
  swiftlet_jpeg_errors_install(&reader->errors, &reader->error);
  reader->jpeg.err = &reader->errors.manager;
  if (!read_header(reader, bytes, count, limits, info)) {
    *error = reader->error;
    swiftlet_jpeg_reader_destroy(reader);
    return NULL;
  }
  return reader;
}

swiftlet_codec_status swiftlet_jpeg_reader_read(
    swiftlet_jpeg_reader *reader, uint8_t *pixels, swiftlet_codec_error *error) {
  if (setjmp(reader->errors.escape)) {
    *error = reader->error;
    return error->status;
  }
  j_decompress_ptr jpeg = &reader->jpeg;
  jpeg_start_decompress(jpeg);
  size_t row_bytes = (size_t)jpeg->output_width * (size_t)jpeg->output_components;
  while (jpeg->output_scanline < jpeg->output_height) {
    JSAMPROW row = pixels + jpeg->output_scanline * row_bytes;
    jpeg_read_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_decompress(jpeg);
  return SWIFTLET_CODEC_OK;
}

void swiftlet_jpeg_reader_destroy(swiftlet_jpeg_reader *reader) {
  if (reader == NULL) return;
  if (reader->is_created) jpeg_destroy_decompress(&reader->jpeg);
  free(reader);
}
