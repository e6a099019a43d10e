#include "swiftlet_tool_models.h"

// Clang has #embed in every version of C, and says of those before C23 that it is none of theirs.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Constants of a model are read where they are, so they need the alignment that they have in a mapped file.
#define MODEL_BYTES static const unsigned char __attribute__((aligned(64)))
#define MODEL(name) \
  swiftlet_tool_model swiftlet_##name(void) { return (swiftlet_tool_model){name##_bytes, sizeof(name##_bytes)}; }

MODEL_BYTES audio_classifier_bytes[] = {
#embed "../../../Models/audio_classifier_int8.tflite"
};
MODEL_BYTES text_classifier_bytes[] = {
#embed "../../../Models/text_classifier_int8.tflite"
};

MODEL(audio_classifier)
MODEL(text_classifier)
