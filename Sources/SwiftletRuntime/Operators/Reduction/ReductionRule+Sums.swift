import SwiftletKernels

/// Sums of floats, and means as sums times one over the count.
struct FloatSum: ReductionRule {
  static let usesLanes = true

  /// What the sum is divided by; 1 for a plain sum.
  let divisor: Float
  let empty: Float

  func begin(_ element: Float) -> Float { element }
  func combine(_ sum: Float, _ element: Float) -> Float { sum + element }
  func merge(_ first: Float, _ second: Float) -> Float { first + second }
  func finish(_ sum: Float) -> Float { sum / divisor }
}

/// Sums of plain integers; overflow wraps, as in the reference.
struct IntegerSum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  let empty: Element = 0

  func begin(_ element: Element) -> Element { element }
  func combine(_ sum: Element, _ element: Element) -> Element { sum &+ element }
  func finish(_ sum: Element) -> Element { sum }
}

/// Means of plain integers, towards zero.
struct IntegerMean<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  /// At least 1.
  let count: Int64
  let empty: Element = 0

  func begin(_ element: Element) -> Int64 { Int64(truncatingIfNeeded: element) }
  func combine(_ sum: Int64, _ element: Element) -> Int64 { sum &+ Int64(truncatingIfNeeded: element) }
  // The quotient is defined: the count is positive.
  func finish(_ sum: Int64) -> Element { Element(truncatingIfNeeded: sum / count) }
}

/// Sums and means of quantised numbers: summed exactly, rescaled once.
///
/// - Source: `QuantizedMeanOrSum` of the reference runtime. A mean puts one over the count into the multiplier.
struct QuantizedSum<Element: FixedWidthInteger & BitwiseCopyable & Sendable>: ReductionRule {
  private let multiplier: QuantizedMultiplier
  private let inputOffset: Int32
  private let outputZeroPoint: Int32

  let empty: Element = 0

  /// - Parameters:
  ///   - isMean: whether the sum is divided by `count`.
  ///   - count: how many elements are summed.
  init(
    input: (scale: Float, zeroPoint: Int32), output: (scale: Float, zeroPoint: Int32), count: Int, isMean: Bool
  ) {
    var multiplier = QuantizedMultiplier(Double(input.scale) / Double(output.scale))
    if isMean, count > 0 {
      let log = 63 - count.leadingZeroBitCount
      // A shift below -31 is not representable; then the quotient loses precision instead.
      let shift = Int32(clamping: min(log, 32, 31 + Int(multiplier.shift)))
      multiplier = QuantizedMultiplier(
        multiplier: Int32(truncatingIfNeeded: (Int64(multiplier.multiplier) << Int64(shift)) / Int64(count)),
        shift: multiplier.shift - shift)
    }
    self.multiplier = multiplier
    inputOffset = Int32(truncatingIfNeeded: Int64(input.zeroPoint) &* Int64(count))
    outputZeroPoint = output.zeroPoint
  }

  func begin(_ element: Element) -> Int32 { Int32(truncatingIfNeeded: element) }
  func combine(_ sum: Int32, _ element: Element) -> Int32 { sum &+ Int32(truncatingIfNeeded: element) }
  func finish(_ sum: Int32) -> Element {
    Element(clamping: multiplier.apply(sum &- inputOffset) &+ outputZeroPoint)
  }
}
