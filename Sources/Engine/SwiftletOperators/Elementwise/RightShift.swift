import SwiftletEngine
import SwiftletSchema

/// RIGHT_SHIFT: `left` shifted right by `right` bits, keeping the sign, broadcasting. Shifts are clamped to 0 … width −
/// 1.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
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
