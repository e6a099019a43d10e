#ifndef SWIFTLET_TOOL_MODELS_H
#define SWIFTLET_TOOL_MODELS_H

#include "embedded_model.h"

swiftlet_model swiftlet_audio_classifier(void);
swiftlet_model swiftlet_text_classifier(void);

#endif
