#include "swiftlet_models.h"

// Clang has #embed in every version of C, and says of those before C23 that it is none of theirs.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Constants of a model are read where they are, so they need the alignment that they have in a mapped file.
#define MODEL_BYTES static const unsigned char __attribute__((aligned(64)))
#define MODEL(name) \
  swiftlet_model swiftlet_##name(void) { return (swiftlet_model){name##_bytes, sizeof(name##_bytes)}; }

MODEL_BYTES face_detector_bytes[] = {
#embed "../../../Models/face_detector_int8.tflite"
};
MODEL_BYTES object_detector_bytes[] = {
#embed "../../../Models/object_detector_int8.tflite"
};
MODEL_BYTES image_segmenter_bytes[] = {
#embed "../../../Models/image_segmenter_int8.tflite"
};
MODEL_BYTES image_classifier_bytes[] = {
#embed "../../../Models/image_classifier_int8.tflite"
};
MODEL_BYTES image_embedder_bytes[] = {
#embed "../../../Models/image_embedder_int8.tflite"
};

MODEL(face_detector)
MODEL(object_detector)
MODEL(image_segmenter)
MODEL(image_classifier)
MODEL(image_embedder)
