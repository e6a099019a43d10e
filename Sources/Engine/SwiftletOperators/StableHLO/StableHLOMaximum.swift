import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_MAXIMUM: the larger of two numbers; `left` when they cannot be compared.
///
/// - Shapes: two tensors of one shape, which is the output's.
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
