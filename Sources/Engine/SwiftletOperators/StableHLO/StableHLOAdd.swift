import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_ADD: `left + right`, for truths whether one is true.
///
/// - Shapes: two tensors of one shape, which is the output's.
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
