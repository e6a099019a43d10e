// A stub of Apple's module for other platforms: see ObjectiveC.h.
typedef double CGFloat;
typedef struct CGPoint {
  CGFloat x;
  CGFloat y;
} CGPoint;
typedef struct CGSize {
  CGFloat width;
  CGFloat height;
} CGSize;
typedef struct CGRect {
  CGPoint origin;
  CGSize size;
} CGRect;
typedef const void *CFTypeRef __attribute__((objc_bridge(id)));
typedef struct __attribute__((objc_bridge(id))) CGImage *CGImageRef;
