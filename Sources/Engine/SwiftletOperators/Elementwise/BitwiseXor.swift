import SwiftletEngine
import SwiftletSchema

/// BITWISE_XOR: the bits in which two integers differ, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
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
