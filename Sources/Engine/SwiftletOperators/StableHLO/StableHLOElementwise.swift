import SwiftletEngine
import SwiftletSchema

/// A function of two integers or Booleans. Booleans are 0 and 1, and a nonzero result is true.
protocol SameShapeOperation: Sendable {
  /// Whether the result bits are the same for signed and unsigned integers.
  static var ignoresSign: Bool { get }
  /// Applies the operation to integers, wrapping on overflow.
  static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element
}

/// A function that also supports two real numbers.
protocol FloatSameShapeOperation: SameShapeOperation {
  static func apply<Element: BinaryFloatingPoint>(_ left: Element, _ right: Element) -> Element
}

/// An operator on two tensors of the same shape, without broadcasting.
protocol SameShapeOperator: PlainBinaryOperator {
  associatedtype Operation: SameShapeOperation
}

extension SameShapeOperator {
  static var integerTypes: [ElementType] {
    [.int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .bool]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (left, right) = (try node.input(0), try node.input(1))
    guard left.shape == right.shape else {
      throw node.invalid("takes two tensors of one shape, got \(left) and \(right)")
    }
    return [left.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try prepareIntegers(context) }

  func prepareIntegers(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    let type = input.elementType
    if !Operation.ignoresSign {
      switch type {
      case .int8: return try .binary(context, SameShapeFunction<Operation, Int8>(), cost: 0.3)
      case .int16: return try .binary(context, SameShapeFunction<Operation, Int16>(), cost: 0.3)
      case .int32: return try .binary(context, SameShapeFunction<Operation, Int32>(), cost: 0.4)
      case .int64: return try .binary(context, SameShapeFunction<Operation, Int64>(), cost: 0.8)
      default: break
      }
    }
    switch type {
    case .int8, .uint8: return try .binary(context, SameShapeFunction<Operation, UInt8>(), cost: 0.3)
    case .int16, .uint16: return try .binary(context, SameShapeFunction<Operation, UInt16>(), cost: 0.3)
    case .int32, .uint32: return try .binary(context, SameShapeFunction<Operation, UInt32>(), cost: 0.4)
    case .int64, .uint64: return try .binary(context, SameShapeFunction<Operation, UInt64>(), cost: 0.8)
    case .bool: return try .binary(context, SameShapeTruth<Operation>(), cost: 0.4)
    default: throw context.node.invalid("does not take \(input)")
    }
  }
}

extension SameShapeOperator where Operation: FloatSameShapeOperation {
  static var realAndIntegerTypes: [ElementType] { [.float32, .float16, .float64] + integerTypes }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(0).elementType {
    case .float32: try .binary(context, SameShapeFloat<Operation, Float>(), cost: 0.4)
    case .float64: try .binary(context, SameShapeFloat<Operation, Double>(), cost: 0.8)
    case .float16: try .binary(context, .sixteenBitFloats(Half.self, SameShapeFloat<Operation, Float>()), cost: 3)
    default: try prepareIntegers(context)
    }
  }
}

private struct SameShapeFunction<Operation: SameShapeOperation, Element: IntegerElement>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element { Operation.apply(left, right) }
}

private struct SameShapeTruth<Operation: SameShapeOperation>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: TruthValue, _ right: TruthValue) -> TruthValue {
    min(Operation.apply(min(left, 1), min(right, 1)), 1)
  }
}

private struct SameShapeFloat<
  Operation: FloatSameShapeOperation, Element: BinaryFloatingPoint & BitwiseCopyable & Sendable
>:
  BinaryFunction
{
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element { Operation.apply(left, right) }
}

/// STABLEHLO_ADD: `left + right`; for Booleans, whether at least one is true.
///
/// - Shapes: two tensors of one shape, which is the output shape.
/// - Types: float32, float16, float64, integers of 8 to 64 bits, bool.
/// - Source: operator 163 of the model format.
struct StableHLOAddOperator: SameShapeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloAdd, versions: 1...1, types: .uniform(realAndIntegerTypes))
  }

  enum Operation: FloatSameShapeOperation {
    @inline(__always)
    static var ignoresSign: Bool { true }

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &+ right }
    @inline(__always)
    static func apply<Element: BinaryFloatingPoint>(_ left: Element, _ right: Element) -> Element { left + right }
  }
}

/// STABLEHLO_AND: the bits that are set in both integers; for Booleans, whether both are true.
///
/// - Shapes: two tensors of one shape, which is the output shape.
/// - Types: integers of 8 to 64 bits, bool.
/// - Source: operator 176 of the model format.
struct StableHLOAndOperator: SameShapeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloAnd, versions: 1...1, types: .uniform(integerTypes))
  }

  enum Operation: SameShapeOperation {
    @inline(__always)
    static var ignoresSign: Bool { true }

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left & right }
  }
}

/// STABLEHLO_MAXIMUM: the larger of two numbers; `left` if they can't be compared.
///
/// - Shapes: two tensors of one shape, which is the output shape.
/// - Types: float32, float16, float64, integers of 8 to 64 bits, bool.
/// - Source: operator 166 of the model format.
struct StableHLOMaximumOperator: SameShapeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloMaximum, versions: 1...1, types: .uniform(realAndIntegerTypes))
  }

  enum Operation: FloatSameShapeOperation {
    @inline(__always)
    static var ignoresSign: Bool { false }

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { max(left, right) }
    @inline(__always)
    static func apply<Element: BinaryFloatingPoint>(_ left: Element, _ right: Element) -> Element {
      left < right ? right : left
    }
  }
}

/// STABLEHLO_MINIMUM: the smaller of two numbers; `left` if they can't be compared.
///
/// - Shapes: two tensors of one shape, which is the output shape.
/// - Types: float32, float16, float64, integers of 8 to 64 bits, bool.
/// - Source: operator 181 of the model format.
struct StableHLOMinimumOperator: SameShapeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloMinimum, versions: 1...1, types: .uniform(realAndIntegerTypes))
  }

  enum Operation: FloatSameShapeOperation {
    @inline(__always)
    static var ignoresSign: Bool { false }

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { min(left, right) }
    @inline(__always)
    static func apply<Element: BinaryFloatingPoint>(_ left: Element, _ right: Element) -> Element {
      right < left ? right : left
    }
  }
}

/// STABLEHLO_MULTIPLY: `left × right`; for Booleans, whether both are true.
///
/// - Shapes: two tensors of one shape, which is the output shape.
/// - Types: float32, float16, float64, integers of 8 to 64 bits, bool.
/// - Source: operator 165 of the model format.
struct StableHLOMultiplyOperator: SameShapeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloMultiply, versions: 1...1, types: .uniform(realAndIntegerTypes))
  }

  enum Operation: FloatSameShapeOperation {
    @inline(__always)
    static var ignoresSign: Bool { true }

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left &* right }
    @inline(__always)
    static func apply<Element: BinaryFloatingPoint>(_ left: Element, _ right: Element) -> Element { left * right }
  }
}

/// STABLEHLO_SHIFT_LEFT: `left` shifted left by `right` bits; 0 if `right` is negative or shifts all bits out.
///
/// - Shapes: two tensors of one shape, which is the output shape.
/// - Types: int8, int16, int32.
/// - Source: operator 207 of the model format.
struct StableHLOShiftLeftOperator: SameShapeOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stablehloShiftLeft, versions: 1...1, types: .uniform([.int8, .int16, .int32]))
  }

  enum Operation: SameShapeOperation {
    @inline(__always)
    static var ignoresSign: Bool { false }

    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element {
      right < 0 ? 0 : left << right
    }
  }
}
