#ifndef SWIFTLET_BYTE_SINK_H
#define SWIFTLET_BYTE_SINK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// A byte buffer that grows while an encoder writes to it.
typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} swiftlet_byte_sink;

// Reserves room for `count` more bytes. Returns 0 if there is no memory; the bytes written so far stay valid.
static inline int swiftlet_byte_sink_reserve(swiftlet_byte_sink *sink, size_t count) {
  if (count <= sink->capacity - sink->count) return 1;
  if (count > SIZE_MAX / 2 - sink->count) return 0;
  size_t capacity = 2 * (sink->count + count);
  uint8_t *larger = realloc(sink->bytes, capacity);
  if (larger == NULL) return 0;
  sink->bytes = larger;
  sink->capacity = capacity;
  return 1;
}

#endif
