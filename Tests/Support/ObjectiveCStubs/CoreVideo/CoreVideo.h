// A stub of Apple's module for other platforms: see ObjectiveC.h.
@import ObjectiveC;

typedef unsigned OSType;
typedef struct __attribute__((objc_bridge(id))) __CVBuffer *CVBufferRef;
typedef CVBufferRef CVImageBufferRef;
typedef CVImageBufferRef CVPixelBufferRef;
enum : OSType {
  kCVPixelFormatType_32BGRA = 'BGRA',
  kCVPixelFormatType_OneComponent32Float = 'L00f',
};
OSType CVPixelBufferGetPixelFormatType(CVPixelBufferRef _Nonnull buffer);
