#include "swiftlet_models.h"

// Clang has #embed in every version of C, and says of those before C23 that it is none of theirs.
#pragma clang diagnostic ignored "-Wc23-extensions"

SWIFTLET_MODEL_BYTES face_detector_bytes[] = {
#embed "../../../Models/face_detector_int8.tflite"
};
SWIFTLET_MODEL_BYTES object_detector_bytes[] = {
#embed "../../../Models/object_detector_int8.tflite"
};
SWIFTLET_MODEL_BYTES image_segmenter_bytes[] = {
#embed "../../../Models/image_segmenter_int8.tflite"
};
SWIFTLET_MODEL_BYTES image_classifier_bytes[] = {
#embed "../../../Models/image_classifier_int8.tflite"
};
SWIFTLET_MODEL_BYTES image_embedder_bytes[] = {
#embed "../../../Models/image_embedder_int8.tflite"
};

SWIFTLET_MODEL(face_detector)
SWIFTLET_MODEL(object_detector)
SWIFTLET_MODEL(image_segmenter)
SWIFTLET_MODEL(image_classifier)
SWIFTLET_MODEL(image_embedder)
