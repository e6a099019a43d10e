public import SwiftletSchema

/// A Swift type that corresponds to a tensor element type.
public protocol TensorScalar: BitwiseCopyable, Sendable {
  /// The element type of tensors with values of this type.
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

/// Elements of 2 or 4 bits, which take one byte each at run time.
package struct SubByteIntegers: Sendable {
  package let bits: Int
  package let isSigned: Bool

  /// Creates the value, or returns `nil` for types of whole bytes.
  package init?(_ type: ElementType) {
    switch type {
    case .int2: self.init(bits: 2, isSigned: true)
    case .int4: self.init(bits: 4, isSigned: true)
    case .uint4: self.init(bits: 4, isSigned: false)
    default: return nil
    }
  }

  private init(bits: Int, isSigned: Bool) {
    self.bits = bits
    self.isSigned = isSigned
  }

  package var range: ClosedRange<Int32> {
    isSigned ? -(1 << (Int32(bits) - 1))...(1 << (Int32(bits) - 1)) - 1 : 0...(1 << Int32(bits)) - 1
  }
}

extension ElementType {
  /// The size of an element in a run's memory, in bytes. Strings are represented by IDs in a `StringPool`.
  package var storedWidth: Int? { self == .string ? 8 : byteWidth }
}

extension TensorSpec {
  /// The size of the tensor in a run's memory, in bytes; `nil` on overflow and for types without a fixed size.
  package var storedByteCount: Int? {
    elementType == .string ? ElementType.uint64.byteCount(elements: shape.elementCount) : byteCount
  }
}
