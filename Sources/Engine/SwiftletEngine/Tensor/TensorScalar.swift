public import SwiftletSchema

/// A Swift type that stands for a tensor's element type.
public protocol TensorScalar: BitwiseCopyable, Sendable {
  /// The element type of tensors that hold values of this type.
  static var elementType: ElementType { get }
}

extension Float: TensorScalar {
  /// `.float32`.
  public static var elementType: ElementType { .float32 }
}
extension Double: TensorScalar {
  /// `.float64`.
  public static var elementType: ElementType { .float64 }
}
extension Int8: TensorScalar {
  /// `.int8`.
  public static var elementType: ElementType { .int8 }
}
extension UInt8: TensorScalar {
  /// `.uint8`.
  public static var elementType: ElementType { .uint8 }
}
extension Int16: TensorScalar {
  /// `.int16`.
  public static var elementType: ElementType { .int16 }
}
extension UInt16: TensorScalar {
  /// `.uint16`.
  public static var elementType: ElementType { .uint16 }
}
extension Int32: TensorScalar {
  /// `.int32`.
  public static var elementType: ElementType { .int32 }
}
extension UInt32: TensorScalar {
  /// `.uint32`.
  public static var elementType: ElementType { .uint32 }
}
extension Int64: TensorScalar {
  /// `.int64`.
  public static var elementType: ElementType { .int64 }
}
extension UInt64: TensorScalar {
  /// `.uint64`.
  public static var elementType: ElementType { .uint64 }
}
extension Bool: TensorScalar {
  /// `.bool`.
  public static var elementType: ElementType { .bool }
}
