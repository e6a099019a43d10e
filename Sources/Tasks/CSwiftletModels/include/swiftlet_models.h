#ifndef SWIFTLET_MODELS_H
#define SWIFTLET_MODELS_H

#include "embedded_model.h"

swiftlet_model swiftlet_face_detector(void);
swiftlet_model swiftlet_object_detector(void);
swiftlet_model swiftlet_image_segmenter(void);
swiftlet_model swiftlet_image_classifier(void);
swiftlet_model swiftlet_image_embedder(void);

#endif
