import SwiftletEngine
import SwiftletSchema

/// A function of the bits of two integers.
protocol BitwiseOperation: Sendable {
  static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element
}

/// BITWISE_XOR and RIGHT_SHIFT: operators on plain integers of up to 32 bits, with broadcasting.
protocol BitwiseOperator: PlainBinaryOperator {
  associatedtype Operation: BitwiseOperation
}

extension BitwiseOperator {
  static var elementTypes: [ElementType] { [.int8, .uint8, .int16, .uint16, .int32, .uint32] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .int8: return try .binary(context, Bitwise<Operation, Int8>(), cost: 0.3)
    case .uint8: return try .binary(context, Bitwise<Operation, UInt8>(), cost: 0.3)
    case .int16: return try .binary(context, Bitwise<Operation, Int16>(), cost: 0.3)
    case .uint16: return try .binary(context, Bitwise<Operation, UInt16>(), cost: 0.3)
    case .int32: return try .binary(context, Bitwise<Operation, Int32>(), cost: 0.4)
    case .uint32: return try .binary(context, Bitwise<Operation, UInt32>(), cost: 0.4)
    default: throw context.node.invalid("does not take \(input)")
    }
  }
}

private struct Bitwise<Operation: BitwiseOperation, Element: IntegerElement>: BinaryFunction {
  @inline(__always)
  func callAsFunction(_ left: Element, _ right: Element) -> Element { Operation.apply(left, right) }
}

/// BITWISE_XOR: the bits in which two integers differ, with broadcasting.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: int8, uint8, int16, uint16, int32, uint32.
/// - Source: operator 160 of the model format.
struct BitwiseXorOperator: BitwiseOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.bitwiseXor, versions: 1...1, types: .uniform(elementTypes))
  }

  enum Operation: BitwiseOperation {
    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element { left ^ right }
  }
}

/// RIGHT_SHIFT: `left` shifted right by `right` bits, with sign extension and broadcasting. Shifts are clamped to 0 …
/// width − 1.
///
/// - Shapes: two tensors that broadcast to the output shape.
/// - Types: int8, uint8, int16, uint16, int32, uint32.
/// - Source: operator 161 of the model format.
struct RightShiftOperator: BitwiseOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.rightShift, versions: 1...1, types: .uniform(elementTypes))
  }

  enum Operation: BitwiseOperation {
    @inline(__always)
    static func apply<Element: FixedWidthInteger>(_ left: Element, _ right: Element) -> Element {
      left &>> min(max(right, 0), Element(truncatingIfNeeded: Element.bitWidth &- 1))
    }
  }
}
