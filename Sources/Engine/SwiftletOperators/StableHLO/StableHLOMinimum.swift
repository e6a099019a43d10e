import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_MINIMUM: the smaller of two numbers; `left` when they cannot be compared.
///
/// - Shapes: two tensors of one shape, which is the output's.
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
