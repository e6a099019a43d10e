// A stub of Apple's module for other platforms: the declarations that the headers of the MediaPipe facades use, as the
// compiler expects them. Nothing is implemented, because Tools/apple-branches/objective-c only checks types.
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
