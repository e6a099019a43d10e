#ifndef SWIFTLET_CODEC_ERROR_H
#define SWIFTLET_CODEC_ERROR_H

#include "CImageCodecs.h"

// Keeps the first report, because later errors are usually a consequence of it.
static inline void swiftlet_codec_report(
    swiftlet_codec_error *error, swiftlet_codec_status status, const char *message) {
  if (error->status != SWIFTLET_CODEC_OK) return;
  error->status = status;
  size_t length = 0;
  while (length + 1 < sizeof error->message && message[length] != 0) {
    error->message[length] = message[length];
    length += 1;
  }
  error->message[length] = 0;
}

#endif
