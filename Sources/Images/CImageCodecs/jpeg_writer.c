#include <stdlib.h>

#include "byte_sink.h"
#include "jpeg_error.h"

#include <jerror.h>

enum { block_size = 65536 };

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_destination_mgr destination;
  swiftlet_jpeg_errors errors;
  swiftlet_byte_sink sink;
  int is_created;
} writer;

static void offer_block(j_compress_ptr jpeg) {
  writer *state = jpeg->client_data;
  if (!swiftlet_byte_sink_reserve(&state->sink, block_size)) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  state->destination.next_output_byte = state->sink.bytes + state->sink.count;
  state->destination.free_in_buffer = block_size;
}

// The library calls this when the whole block is full, whatever the manager's counters say.
static boolean next_block(j_compress_ptr jpeg) {
  writer *state = jpeg->client_data;
  state->sink.count += block_size;
  offer_block(jpeg);
  return TRUE;
}

static void finish_block(j_compress_ptr jpeg) {
  writer *state = jpeg->client_data;
  state->sink.count += block_size - state->destination.free_in_buffer;
}

static int write_all(
    writer *state, const uint8_t *pixels, uint32_t width, uint32_t height, size_t bytes_per_row, uint32_t channels,
    int quality) {
  if (setjmp(state->errors.escape)) return 0;
  j_compress_ptr jpeg = &state->jpeg;
  jpeg_create_compress(jpeg);
  state->is_created = 1;
  jpeg->client_data = state;
  state->destination.init_destination = offer_block;
  state->destination.empty_output_buffer = next_block;
  state->destination.term_destination = finish_block;
  jpeg->dest = &state->destination;
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = (int)channels;
  jpeg->in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, quality, TRUE);
  jpeg_start_compress(jpeg, TRUE);
  while (jpeg->next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(pixels + jpeg->next_scanline * bytes_per_row);
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
  return 1;
}

swiftlet_codec_status swiftlet_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, size_t bytes_per_row, uint32_t channels, int quality,
    uint8_t **encoded, size_t *count, swiftlet_codec_error *error) {
  writer *state = calloc(1, sizeof *state);
  if (state == NULL) {
    swiftlet_codec_report(error, SWIFTLET_CODEC_RESOURCES, "out of memory");
    return error->status;
  }
  swiftlet_jpeg_errors_install(&state->errors, error);
  state->jpeg.err = &state->errors.manager;
  if (write_all(state, pixels, width, height, bytes_per_row, channels, quality)) {
    *encoded = state->sink.bytes;
    *count = state->sink.count;
  } else {
    free(state->sink.bytes);
  }
  if (state->is_created) jpeg_destroy_compress(&state->jpeg);
  free(state);
  return error->status;
}
