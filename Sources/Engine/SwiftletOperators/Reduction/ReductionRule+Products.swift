import SwiftletBase
import SwiftletEngine
import SwiftletKernels

struct FloatProduct: ReductionRule {
  static let usesLanes = true
  let empty: Float = 1

  func begin(_ element: Float) -> Float { element }
  func combine(_ product: Float, _ element: Float) -> Float { product * element }
  func merge(_ first: Float, _ second: Float) -> Float { first * second }
  func finish(_ product: Float) -> Float { product }
}

/// Products of plain integers; overflow wraps, as in the reference.
struct IntegerProduct<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty: Element = 1

  func begin(_ element: Element) -> Element { element }
  func combine(_ product: Element, _ element: Element) -> Element { product &* element }
  func finish(_ product: Element) -> Element { product }
}

/// Products of quantised numbers, rescaled after every factor so that they stay in range.
///
/// - Source: `QuantizedReduceProd` of the reference runtime: each of the `count` rescalings takes its share, the
///   `count`-th root, of the output scale.
struct QuantizedProduct<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  private let multiplier: QuantizedMultiplier
  private let inputZeroPoint: Int32
  private let outputZeroPoint: Int32

  let empty: Element

  init(input: (scale: Float, zeroPoint: Int32), output: (scale: Float, zeroPoint: Int32), count: Int) {
    multiplier = QuantizedMultiplier(Double(input.scale) / pow(Double(output.scale), 1 / Double(max(count, 1))))
    inputZeroPoint = input.zeroPoint
    outputZeroPoint = output.zeroPoint
    let one = (1 / output.scale).rounded(.toNearestOrAwayFromZero)
    empty = Element(clamping: Int64(max(-1e9, min(1e9, one))) + Int64(output.zeroPoint))
  }

  func begin(_ element: Element) -> Int32 { Int32(truncatingIfNeeded: element) &- inputZeroPoint }
  func combine(_ product: Int32, _ element: Element) -> Int32 {
    multiplier.apply(Int64(product) &* Int64(Int32(truncatingIfNeeded: element) &- inputZeroPoint))
  }
  func finish(_ product: Int32) -> Element {
    Element(clamping: multiplier.apply(Int64(product)) &+ outputZeroPoint)
  }
}
