#ifndef SWIFTLET_JPEG_ERROR_H
#define SWIFTLET_JPEG_ERROR_H

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "codec_error.h"

// The library's error manager, followed by the state of our handlers. The library passes a pointer to the first member.
typedef struct {
  struct jpeg_error_mgr manager;
  swiftlet_codec_error *error;
  jmp_buf escape;
} swiftlet_jpeg_errors;

// Routes errors to `error` and `escape`, and keeps the library from printing.
void swiftlet_jpeg_errors_install(swiftlet_jpeg_errors *errors, swiftlet_codec_error *error);

#endif
