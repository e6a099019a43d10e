// A stub of Apple's module for other platforms: see ObjectiveC.h.
@import CoreGraphics;
@import Foundation;

typedef enum __attribute__((enum_extensibility(open), swift_name("UIImage.Orientation"))) UIImageOrientation : NSInteger
    UIImageOrientation;
enum UIImageOrientation : NSInteger {
  UIImageOrientationUp,
  UIImageOrientationDown,
  UIImageOrientationLeft,
  UIImageOrientationRight,
  UIImageOrientationUpMirrored,
  UIImageOrientationDownMirrored,
  UIImageOrientationLeftMirrored,
  UIImageOrientationRightMirrored,
};

@interface UIImage : NSObject
@property(nonatomic, readonly) UIImageOrientation imageOrientation;
@end
