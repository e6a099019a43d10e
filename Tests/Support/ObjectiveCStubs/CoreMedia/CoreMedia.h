// Stands in for Apple's module where there is none: see ObjectiveC.h.
@import CoreVideo;

typedef struct __attribute__((objc_bridge(id))) opaqueCMSampleBuffer *CMSampleBufferRef;
_Bool CMSampleBufferIsValid(CMSampleBufferRef _Nonnull buffer);
