#ifndef SWIFTLET_MEDIAPIPE_PICTURES_H
#define SWIFTLET_MEDIAPIPE_PICTURES_H

#include <stddef.h>

/// Decodes a JPEG file to the pixels that MediaPipe's own loader gives, which are not quite those of libjpeg.
///
/// - Parameters:
///   - rgb: room for `3 * width * height` bytes.
///   - width, height: those of the file.
/// - Returns: 1, or 0 for other sizes, for files that are broken, and for colors that are not YCbCr.
int swiftlet_test_mediapipe_jpeg(const unsigned char *bytes, size_t count, unsigned char *rgb, int width, int height);

#endif
