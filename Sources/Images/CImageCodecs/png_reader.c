#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "codec_error.h"

struct swiftlet_png_reader {
  png_structp png;
  png_infop info;
  const uint8_t *next;
  size_t remaining;
  uint32_t width;
  uint32_t height;
  uint32_t channels;
  swiftlet_codec_error error;
  jmp_buf escape;
};

static void fail(png_structp png, png_const_charp message) {
  swiftlet_png_reader *reader = png_get_error_ptr(png);
  swiftlet_codec_report(&reader->error, SWIFTLET_CODEC_CORRUPT, message);
  longjmp(reader->escape, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void supply(png_structp png, png_bytep target, size_t count) {
  swiftlet_png_reader *reader = png_get_io_ptr(png);
  if (count > reader->remaining) {
    swiftlet_codec_report(&reader->error, SWIFTLET_CODEC_TRUNCATED, "the file ends before the image does");
    png_error(png, "truncated");
  }
  memcpy(target, reader->next, count);
  reader->next += count;
  reader->remaining -= count;
}

// Asks for 8 bits per channel in gray, RGB or RGBA, whatever is stored.
static void normalize(png_structp png, png_infop info) {
  int has_transparency = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  int type = png_get_color_type(png, info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (type == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(png);
  if (has_transparency) png_set_tRNS_to_alpha(png);
  // The high byte of 16, as other programs take it; rounding would give other images than they see.
  png_set_strip_16(png);
  if (type == PNG_COLOR_TYPE_GRAY_ALPHA || (type == PNG_COLOR_TYPE_GRAY && has_transparency)) {
    png_set_gray_to_rgb(png);
  }
}

static int read_header(swiftlet_png_reader *reader, const swiftlet_codec_limits *limits) {
  if (setjmp(reader->escape)) return 0;
  png_structp png = reader->png;
  png_set_read_fn(png, reader, supply);
  // Sizes are checked below, with a better message than the library's.
  png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
  png_set_chunk_malloc_max(png, limits->maximum_memory > 8000000 ? 8000000 : (png_alloc_size_t)limits->maximum_memory);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
  // Text, color profiles and the like are neither needed nor worth the memory.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
#endif
  png_read_info(png, reader->info);
  reader->width = png_get_image_width(png, reader->info);
  reader->height = png_get_image_height(png, reader->info);
  if (reader->width > limits->maximum_width || reader->height > limits->maximum_height ||
      (uint64_t)reader->width * reader->height > limits->maximum_pixels) {
    swiftlet_codec_report(&reader->error, SWIFTLET_CODEC_LIMIT, "the image is larger than allowed");
    return 0;
  }
  normalize(png, reader->info);
  png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  reader->channels = png_get_channels(png, reader->info);
  if (png_get_bit_depth(png, reader->info) != 8 ||
      png_get_rowbytes(png, reader->info) != (size_t)reader->width * reader->channels ||
      (reader->channels != 1 && reader->channels != 3 && reader->channels != 4)) {
    swiftlet_codec_report(&reader->error, SWIFTLET_CODEC_UNSUPPORTED, "pixels cannot be brought to 8 bits per channel");
    return 0;
  }
  return 1;
}

swiftlet_png_reader *swiftlet_png_reader_create(
    const uint8_t *bytes, size_t count, const swiftlet_codec_limits *limits, swiftlet_codec_info *info,
    swiftlet_codec_error *error) {
  swiftlet_png_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) {
    swiftlet_codec_report(error, SWIFTLET_CODEC_RESOURCES, "out of memory");
    return NULL;
  }
  reader->next = bytes;
  reader->remaining = count;
  if (setjmp(reader->escape) == 0) {
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, ignore);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
  }
  if (reader->png == NULL || reader->info == NULL) {
    swiftlet_codec_report(error, SWIFTLET_CODEC_RESOURCES, "libpng could not be set up");
    swiftlet_png_reader_destroy(reader);
    return NULL;
  }
  if (!read_header(reader, limits)) {
    *error = reader->error;
    swiftlet_png_reader_destroy(reader);
    return NULL;
  }
  info->width = reader->width;
  info->height = reader->height;
  info->channels = reader->channels;
  info->is_cmyk = 0;
  return reader;
}

swiftlet_codec_status swiftlet_png_reader_read(
    swiftlet_png_reader *reader, uint8_t *pixels, swiftlet_codec_error *error) {
  if (setjmp(reader->escape)) {
    *error = reader->error;
    return error->status;
  }
  size_t row_bytes = (size_t)reader->width * reader->channels;
  int passes = png_set_interlace_handling(reader->png);
  for (int pass = 0; pass < passes; pass += 1) {
    for (uint32_t row = 0; row < reader->height; row += 1) {
      png_read_row(reader->png, pixels + row * row_bytes, NULL);
    }
  }
  png_read_end(reader->png, NULL);
  return SWIFTLET_CODEC_OK;
}

void swiftlet_png_reader_destroy(swiftlet_png_reader *reader) {
  if (reader == NULL) return;
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}
