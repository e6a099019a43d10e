public import CLiteRT
import SwiftletEngine

/// The type of a tensor's elements.
public enum ElementType: UInt32, Sendable {
  /// Unknown.
  case none = 0
  /// One byte, 0 or 1.
  case bool = 6
  /// Integers of 2 bits.
  case int2 = 20
  /// Integers of 4 bits.
  case int4 = 18
  /// Integers of 8 bits.
  case int8 = 9
  /// Integers of 16 bits.
  case int16 = 7
  /// Integers of 32 bits.
  case int32 = 2
  /// Integers of 64 bits.
  case int64 = 4
  /// Unsigned integers of 8 bits.
  case uint8 = 3
  /// Unsigned integers of 16 bits.
  case uint16 = 17
  /// Unsigned integers of 32 bits.
  case uint32 = 16
  /// Unsigned integers of 64 bits.
  case uint64 = 13
  /// Floating-point numbers of 16 bits.
  case float16 = 10
  /// The upper halves of floating-point numbers of 32 bits.
  case bfloat16 = 19
  /// Floating-point numbers of 32 bits.
  case float32 = 1
  /// Floating-point numbers of 64 bits.
  case float64 = 11
  /// Pairs of floating-point numbers of 32 bits.
  case complex64 = 8
  /// Pairs of floating-point numbers of 64 bits.
  case complex128 = 12
  /// Handles of variables.
  case tfResource = 14
  /// Strings.
  case tfString = 5
  /// Anything.
  case tfVariant = 15

  /// Creates the type of C's; `nil` for one that Swift's interface does not have.
  public init?(cType: LiteRtElementType) { self.init(rawValue: cType.rawValue) }

  /// C's type.
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

  /// Creates the type of the engine's, `none` for those that LiteRT's interface does not have.
  init(_ type: SwiftletEngine.ElementType) { self = Self.types.first { $0.1 == type }?.0 ?? .none }

  /// The bytes of so many elements; `nil` for types without a size.
  func byteCount(elements: Int) -> Int? {
    Self.types.first { $0.0 == self }?.1.byteCount(elements: elements)
  }
}

/// The sizes of a tensor's dimensions.
public struct Layout: Equatable, Sendable {
  /// The sizes, outermost first; negative ones are unknown.
  public let dimensions: [Int]
  /// The elements from one index to the next along each dimension; empty where rows follow each other.
  public let strides: [Int]

  /// Creates a layout of these sizes.
  public init(dimensions: [Int], strides: [Int] = []) {
    self.dimensions = dimensions
    self.strides = strides
  }

  /// The number of dimensions.
  public var rank: Int { dimensions.count }

  /// A Boolean value that indicates whether there are strides.
  public var hasStrides: Bool { !strides.isEmpty }

  /// The number of elements, 1 without dimensions; `nil` while a size is unknown, or when there are more than can be
  /// counted.
  public var elementCount: Int? {
    guard dimensions.allSatisfy({ $0 >= 0 }) else { return nil }
    let count = Shape(dimensions).elementCount
    return count == .max ? nil : count
  }
}

/// The type of a tensor: its elements and its dimensions.
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

  /// The bytes of the elements, one after the other; `nil` where that is unknown.
  var byteCount: Int? { layout.elementCount.flatMap(elementType.byteCount) }
}
