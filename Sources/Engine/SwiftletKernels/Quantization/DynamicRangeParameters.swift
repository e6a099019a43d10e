/// The asymmetric quantization of a range of floats to int8, all in single precision.
///
/// - Source: the parameters of XNNPACK's dynamically quantized tensors.
package struct DynamicRangeParameters {
  /// What a step of the quantized values stands for.
  package let scale: Float
  /// What numbers are multiplied by before they are rounded, halves to even, and `zeroPoint` is added.
  package let factor: Float
  package let zeroPoint: Int32

  /// - Parameters:
  ///   - low: the smallest number; the range is widened to hold zero.
  ///   - high: the largest.
  @inline(__always)
  package init(low: Float, high: Float) {
    let low = low < 0 ? low : 0, high = high > 0 ? high : 0
    guard low != high else {
      scale = 1
      factor = 0
      zeroPoint = 0
      return
    }
    factor = 255 / (high - low)
    scale = 1 / factor
    let scaledLow = low * factor, scaledHigh = high * factor
    // The zero point comes from the end of the range where the rounding error is smaller.
    let exact = (-128 + scaledLow) + (127 + scaledHigh) > 0 ? -128 - scaledLow : 127 - scaledHigh
    // Written so that NaN becomes the lowest quantized value.
    let bounded = exact > -128 ? (exact < 127 ? exact : 127) : -128
    // The last bit of this sum is worth one: the processor rounds to even, and its lowest bits are the number.
    let shift: Float = 0x1.8p23
    zeroPoint = Int32(bitPattern: (bounded + shift).bitPattern &- shift.bitPattern)
  }
}
