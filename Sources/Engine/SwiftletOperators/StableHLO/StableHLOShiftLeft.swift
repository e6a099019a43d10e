import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_SHIFT_LEFT: `left` shifted left by `right` bits; 0 when that is less than 0 or moves every bit out.
///
/// - Shapes: two tensors of one shape, which is the output's.
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
