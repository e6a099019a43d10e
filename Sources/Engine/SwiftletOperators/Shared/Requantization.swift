import SwiftletEngine
import SwiftletKernels

/// A change of scale and zero point between integer types, clamped: `multiplier × (quantised − zeroPoint)` in output
/// units.
struct Requantization: UnaryFunction {
  private let multiplier: QuantizedMultiplier
  private let inputZeroPoint: Int32
  private let range: OutputRange

  init(_ multiplier: QuantizedMultiplier, inputZeroPoint: Int32, range: OutputRange) {
    self.multiplier = multiplier
    self.inputZeroPoint = inputZeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    range.quantized(multiplier.apply(input &- inputZeroPoint))
  }
}

/// The same in floating point, for results of at most 16 bits.
struct FastRequantization<Input: QuantizedValue, Result: QuantizedValue>: UnaryFunction {
  private let factor: Float
  private let inputZeroPoint: Int32
  private let range: OutputRange

  init(_ factor: Float, inputZeroPoint: Int32, range: OutputRange) {
    self.factor = factor
    self.inputZeroPoint = inputZeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ input: Input) -> Result {
    let value = Float(Int32(truncatingIfNeeded: input) &- inputZeroPoint) * factor
    return range.quantized(rounding: value + Float(range.zeroPoint))
  }
}

/// The same between bytes with a multiplier of eight fractional bits, rounded half up: what XNNPACK takes for a change
/// of scale within a type. At most one step from the reference.
struct EightBitRequantization: UnaryFunction {
  private let multiplier: Int32
  private let inputZeroPoint: Int32
  private let range: OutputRange

  /// - Returns: `nil` for factors that XNNPACK refuses: below 2⁻⁸ or above 2⁷.
  init?(_ factor: Float, inputZeroPoint: Int32, range: OutputRange) {
    guard (0x1p-8...0x1p7).contains(factor) else { return nil }
    multiplier = Int32((factor * 256).rounded(.toNearestOrEven))
    self.inputZeroPoint = inputZeroPoint
    self.range = range
  }

  @inline(__always)
  func callAsFunction(_ input: Int32) -> Int32 {
    range.quantized(((input &- inputZeroPoint) &* multiplier &+ 128) &>> 8)
  }
}
