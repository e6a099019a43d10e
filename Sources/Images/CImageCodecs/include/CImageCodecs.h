// Wrappers around libpng and libjpeg that always return to the caller.
//
// Both libraries report errors with longjmp, which must not cross Swift frames. So every setjmp is in this target, and
// Swift calls plain functions that succeed or fill in an error. Nothing is printed.
#ifndef SWIFTLET_CIMAGECODECS_H
#define SWIFTLET_CIMAGECODECS_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
  SWIFTLET_CODEC_OK = 0,
  // The input ended before the image did.
  SWIFTLET_CODEC_TRUNCATED = 1,
  // The input violates its format.
  SWIFTLET_CODEC_CORRUPT = 2,
  // The image is larger, or needs more memory or work, than the caller allows.
  SWIFTLET_CODEC_LIMIT = 3,
  // The input is a valid variant of the format, but the variant isn't supported.
  SWIFTLET_CODEC_UNSUPPORTED = 4,
  // The system has no memory left, or the library couldn't be initialized.
  SWIFTLET_CODEC_RESOURCES = 5
} swiftlet_codec_status;

typedef struct {
  swiftlet_codec_status status;
  // The library's error message, null-terminated.
  char message[200];
} swiftlet_codec_error;

typedef struct {
  uint32_t maximum_width;
  uint32_t maximum_height;
  uint64_t maximum_pixels;
  // The maximum memory of the library, in addition to the returned pixels.
  uint64_t maximum_memory;
} swiftlet_codec_limits;

typedef struct {
  uint32_t width;
  uint32_t height;
  // The bytes per pixel of the decoded image: 1 gray, 3 RGB, 4 RGBA or CMYK.
  uint32_t channels;
  // Whether the four channels are cyan, magenta, yellow, and black, as stored.
  int is_cmyk;
} swiftlet_codec_info;

typedef struct swiftlet_png_reader swiftlet_png_reader;
typedef struct swiftlet_jpeg_reader swiftlet_jpeg_reader;

// Reads everything before the pixels. Returns null and fills in the error on failure. The bytes must stay valid until
// the reader is destroyed.
swiftlet_png_reader *swiftlet_png_reader_create(
    const uint8_t *bytes, size_t count, const swiftlet_codec_limits *limits, swiftlet_codec_info *info,
    swiftlet_codec_error *error);
// Reads all pixels, 8 bits per channel, rows without padding: width * height * channels bytes. May be called once.
swiftlet_codec_status swiftlet_png_reader_read(
    swiftlet_png_reader *reader, uint8_t *pixels, swiftlet_codec_error *error);
void swiftlet_png_reader_destroy(swiftlet_png_reader *reader);

swiftlet_jpeg_reader *swiftlet_jpeg_reader_create(
    const uint8_t *bytes, size_t count, const swiftlet_codec_limits *limits, swiftlet_codec_info *info,
    swiftlet_codec_error *error);
swiftlet_codec_status swiftlet_jpeg_reader_read(
    swiftlet_jpeg_reader *reader, uint8_t *pixels, swiftlet_codec_error *error);
void swiftlet_jpeg_reader_destroy(swiftlet_jpeg_reader *reader);

// Encodes rows of 1 (gray), 3 (RGB), or 4 (RGBA, PNG only) bytes per pixel. On success, *encoded contains *count bytes,
// which the caller releases with swiftlet_codec_free.
swiftlet_codec_status swiftlet_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t bytes_per_row, uint32_t channels,
    uint8_t **encoded, size_t *count, swiftlet_codec_error *error);
swiftlet_codec_status swiftlet_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t bytes_per_row, uint32_t channels, int quality,
    uint8_t **encoded, size_t *count, swiftlet_codec_error *error);
void swiftlet_codec_free(uint8_t *encoded);

#endif
