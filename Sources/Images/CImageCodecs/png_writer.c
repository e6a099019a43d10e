#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "byte_sink.h"
#include "codec_error.h"

typedef struct {
  png_structp png;
  png_infop info;
  swiftlet_byte_sink sink;
  swiftlet_codec_error *error;
  jmp_buf escape;
} writer;

static void fail(png_structp png, png_const_charp message) {
  writer *state = png_get_error_ptr(png);
  swiftlet_codec_report(state->error, SWIFTLET_CODEC_RESOURCES, message);
  longjmp(state->escape, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void append(png_structp png, png_bytep source, size_t count) {
  writer *state = png_get_io_ptr(png);
  if (!swiftlet_byte_sink_reserve(&state->sink, count)) png_error(png, "out of memory");
  memcpy(state->sink.bytes + state->sink.count, source, count);
  state->sink.count += count;
}

static void flush(png_structp png) { (void)png; }

static int write_all(
    writer *state, const uint8_t *pixels, uint32_t width, uint32_t height, size_t bytes_per_row, int color_type) {
  if (setjmp(state->escape)) return 0;
  state->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, state, fail, ignore);
  if (state->png == NULL) return 0;
  state->info = png_create_info_struct(state->png);
  if (state->info == NULL) return 0;
  png_set_user_limits(state->png, 0x7fffffff, 0x7fffffff);
  png_set_write_fn(state->png, state, append, flush);
  png_set_IHDR(
      state->png, state->info, width, height, 8, color_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  png_write_info(state->png, state->info);
  for (uint32_t row = 0; row < height; row += 1) png_write_row(state->png, pixels + row * bytes_per_row);
  png_write_end(state->png, state->info);
  return 1;
}

swiftlet_codec_status swiftlet_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t bytes_per_row, uint32_t channels,
    uint8_t **encoded, size_t *count, swiftlet_codec_error *error) {
  writer *state = calloc(1, sizeof *state);
  if (state == NULL) {
    swiftlet_codec_report(error, SWIFTLET_CODEC_RESOURCES, "out of memory");
    return error->status;
  }
  state->error = error;
  int color_type = channels == 1   ? PNG_COLOR_TYPE_GRAY
                   : channels == 3 ? PNG_COLOR_TYPE_RGB
                                   : PNG_COLOR_TYPE_RGB_ALPHA;
  if (write_all(state, pixels, width, height, bytes_per_row, color_type)) {
    *encoded = state->sink.bytes;
    *count = state->sink.count;
  } else {
    swiftlet_codec_report(error, SWIFTLET_CODEC_RESOURCES, "libpng could not be set up");
    free(state->sink.bytes);
  }
  if (state->png != NULL) png_destroy_write_struct(&state->png, &state->info);
  free(state);
  return error->status;
}

void swiftlet_codec_free(uint8_t *encoded) { free(encoded); }
