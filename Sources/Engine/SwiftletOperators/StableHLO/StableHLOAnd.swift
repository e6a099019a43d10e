import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_AND: the bits that two integers share, for truths whether both are true.
///
/// - Shapes: two tensors of one shape, which is the output's.
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
