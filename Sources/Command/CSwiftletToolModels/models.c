#include "swiftlet_tool_models.h"

// Clang supports #embed in every C standard, but warns before C23 that it is an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

SWIFTLET_MODEL_BYTES audio_classifier_bytes[] = {
#embed "../../../Models/audio_classifier_int8.tflite"
};
SWIFTLET_MODEL_BYTES text_classifier_bytes[] = {
#embed "../../../Models/text_classifier_int8.tflite"
};

SWIFTLET_MODEL(audio_classifier)
SWIFTLET_MODEL(text_classifier)
