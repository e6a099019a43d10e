#ifndef SWIFTLET_EMBEDDED_MODEL_H
#define SWIFTLET_EMBEDDED_MODEL_H

#include <stddef.h>

/// A model file that is part of the program. Its bytes begin at a multiple of 64.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} swiftlet_model;

/// What the bytes of a model are declared as. Constants of a model are read where they are, so they need the alignment
/// that they have in a mapped file.
#define SWIFTLET_MODEL_BYTES static const unsigned char __attribute__((aligned(64)))

/// Defines the function `swiftlet_NAME`, which gives the bytes `NAME_bytes`.
#define SWIFTLET_MODEL(name) \
  swiftlet_model swiftlet_##name(void) { return (swiftlet_model){name##_bytes, sizeof(name##_bytes)}; }

#endif
