public import CLiteRT
import SwiftletEngine

/// The type of a tensor's elements.
public enum ElementType: UInt32, Sendable {
  /// No type.
  case none = 0
  /// Booleans, one byte each, 0 or 1.
  case bool = 6
  /// 2-bit integers.
  case int2 = 20
  /// 4-bit integers.
  case int4 = 18
  /// 8-bit integers.
  case int8 = 9
  /// 16-bit integers.
  case int16 = 7
  /// 32-bit integers.
  case int32 = 2
  /// 64-bit integers.
  case int64 = 4
  /// Unsigned 8-bit integers.
  case uint8 = 3
  /// Unsigned 16-bit integers.
  case uint16 = 17
  /// Unsigned 32-bit integers.
  case uint32 = 16
  /// Unsigned 64-bit integers.
  case uint64 = 13
  /// 16-bit floating-point numbers.
  case float16 = 10
  /// 16-bit brain floating-point numbers: the upper halves of 32-bit floating-point numbers.
  case bfloat16 = 19
  /// 32-bit floating-point numbers.
  case float32 = 1
  /// 64-bit floating-point numbers.
  case float64 = 11
  /// Complex numbers: pairs of 32-bit floating-point numbers.
  case complex64 = 8
  /// Complex numbers: pairs of 64-bit floating-point numbers.
  case complex128 = 12
  /// Resource handles of variables.
  case tfResource = 14
  /// Strings.
  case tfString = 5
  /// Variants: values of any type.
  case tfVariant = 15

  /// Creates the type that corresponds to the C type; `nil` if the Swift API has no such type.
  public init?(cType: LiteRtElementType) { self.init(rawValue: cType.rawValue) }

  /// The corresponding C type.
  public var cType: LiteRtElementType { LiteRtElementType(rawValue: rawValue) }
}

extension ElementType {
  private static let types: [(Self, SwiftletEngine.ElementType)] = [
    (.bool, .bool), (.int2, .int2), (.int4, .int4), (.int8, .int8), (.int16, .int16), (.int32, .int32),
    (.int64, .int64), (.uint8, .uint8), (.uint16, .uint16), (.uint32, .uint32), (.uint64, .uint64),
    (.float16, .float16), (.bfloat16, .bfloat16), (.float32, .float32), (.float64, .float64),
    (.complex64, .complex64), (.complex128, .complex128), (.tfResource, .resource), (.tfString, .string),
    (.tfVariant, .variant),
  ]

  /// Creates the type that corresponds to the engine's type; `none` if LiteRT has no such type.
  init(_ type: SwiftletEngine.ElementType) { self = Self.types.first { $0.1 == type }?.0 ?? .none }

  /// Returns the size of a number of elements in bytes; `nil` for types without a fixed size.
  func byteCount(elements: Int) -> Int? {
    Self.types.first { $0.0 == self }?.1.byteCount(elements: elements)
  }
}

/// The dimensions and strides of a tensor.
public struct Layout: Equatable, Sendable {
  /// The sizes of the dimensions, outermost first; negative if unknown.
  public let dimensions: [Int]
  /// The number of elements from one index to the next in each dimension; empty if rows are contiguous.
  public let strides: [Int]

  /// Creates a layout with the given dimensions.
  public init(dimensions: [Int], strides: [Int] = []) {
    self.dimensions = dimensions
    self.strides = strides
  }

  /// The number of dimensions.
  public var rank: Int { dimensions.count }

  /// A Boolean value that indicates whether there are strides.
  public var hasStrides: Bool { !strides.isEmpty }

  /// The number of elements, 1 without dimensions; `nil` if a size is unknown, or the number overflows.
  public var elementCount: Int? {
    guard dimensions.allSatisfy({ $0 >= 0 }) else { return nil }
    let count = Shape(dimensions).elementCount
    return count == .max ? nil : count
  }
}

/// The type of a tensor: its element type and its dimensions.
public struct TensorType: Equatable, Sendable {
  /// The type of the elements.
  public let elementType: ElementType
  /// The sizes of the dimensions.
  public let layout: Layout

  /// Creates the type of a tensor.
  public init(elementType: ElementType, layout: Layout) {
    self.elementType = elementType
    self.layout = layout
  }

  /// The size of the packed elements in bytes; `nil` if it is unknown.
  var byteCount: Int? { layout.elementCount.flatMap(elementType.byteCount) }
}
