#ifndef SWIFTLET_TOOL_MODELS_H
#define SWIFTLET_TOOL_MODELS_H

#include <stddef.h>

/// A model file that is part of the program. Its bytes begin at a multiple of 64.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} swiftlet_tool_model;

swiftlet_tool_model swiftlet_audio_classifier(void);
swiftlet_tool_model swiftlet_text_classifier(void);

#endif
