// A stub of Apple's module for other platforms: see ObjectiveC.h.
@import ObjectiveC;
@import CoreGraphics;

typedef unsigned char UInt8;
#define YES __objc_yes
#define NO __objc_no

#pragma clang assume_nonnull begin
@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end

@interface NSString : NSObject <NSCopying>
@end

@interface NSConstantString : NSString
@end

@interface NSNumber : NSObject <NSCopying>
- (instancetype)initWithFloat:(float)value;
- (instancetype)initWithDouble:(double)value;
- (instancetype)initWithChar:(signed char)value;
@property(readonly) double doubleValue;
@property(readonly) float floatValue;
@property(readonly) signed char charValue;
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSCopying>
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects count:(NSUInteger)count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
@property(readonly) NSUInteger count;
@property(nullable, nonatomic, readonly) ObjectType firstObject;
@end

@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
@end

@interface NSError : NSObject <NSCopying>
@property(readonly) NSInteger code;
@end
#pragma clang assume_nonnull end
