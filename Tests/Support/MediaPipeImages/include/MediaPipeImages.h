#ifndef SWIFTLET_MEDIAPIPE_IMAGES_H
#define SWIFTLET_MEDIAPIPE_IMAGES_H

#include <stddef.h>

/// Decodes a JPEG file to the pixels of MediaPipe's own loader, which differ slightly from libjpeg's.
///
/// - Parameters:
///   - rgb: A buffer of `3 * width * height` bytes.
///   - width, height: The size of the image.
/// - Returns: 1, or 0 for other sizes, for corrupt files, and for colors other than YCbCr.
int swiftlet_test_mediapipe_jpeg(const unsigned char *bytes, size_t count, unsigned char *rgb, int width, int height);

#endif
