// Stands in for Apple's module where there is none: what the headers of MediaPipe's facades name of it, declared as the
// compiler expects it. Nothing is implemented: Tools/apple-branches/objective-c checks types only.
typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct _NSZone NSZone;
#define nil ((id)0)
@class NSString;

#pragma clang assume_nonnull begin
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@end

__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
- (instancetype)init;
- (BOOL)isEqual:(nullable id)object;
- (id)copy;
@property(readonly) NSUInteger hash;
@property(readonly, copy) NSString *description;
@end
#pragma clang assume_nonnull end
