#ifndef SWIFTLET_MODELS_H
#define SWIFTLET_MODELS_H

#include <stddef.h>

/// A model file that is part of the program. Its bytes begin at a multiple of 64.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} swiftlet_model;

swiftlet_model swiftlet_face_detector(void);
swiftlet_model swiftlet_object_detector(void);
swiftlet_model swiftlet_image_segmenter(void);
swiftlet_model swiftlet_image_classifier(void);
swiftlet_model swiftlet_image_embedder(void);

#endif
