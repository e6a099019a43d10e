// A stub of Apple's module for other platforms: see ObjectiveC.h.
@import CoreVideo;

typedef struct __attribute__((objc_bridge(id))) opaqueCMSampleBuffer *CMSampleBufferRef;
_Bool CMSampleBufferIsValid(CMSampleBufferRef _Nonnull buffer);
