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
  ///   - low: The smallest number. The range is extended to include zero.
  ///   - high: The largest.
  @inline(__always)
  package init(low: Float, high: Float) {
    let rows = Rows(low: SIMD4(repeating: low), high: SIMD4(repeating: high))
    scale = rows.scale.x
    factor = rows.factor.x
    zeroPoint = rows.zeroPoint.x
  }

  /// The parameters of four rows.
  package struct Rows {
    package let scale: SIMD4<Float>
    package let factor: SIMD4<Float>
    package let zeroPoint: SIMD4<Int32>

    @inline(__always)
    package init(low: SIMD4<Float>, high: SIMD4<Float>) {
      let zero = SIMD4<Float>()
      let low = zero.replacing(with: low, where: low .< zero), high = zero.replacing(with: high, where: high .> zero)
      let isEmpty = low .== high
      let quotient = 255 / (high - low)
      scale = (1 / quotient).replacing(with: 1, where: isEmpty)
      factor = quotient.replacing(with: 0, where: isEmpty)
      let scaledLow = low * quotient, scaledHigh = high * quotient
      // The zero point comes from the end of the range where the rounding error is smaller.
      let fromHigh = 127 - scaledHigh
      let exact = fromHigh.replacing(with: -128 - scaledLow, where: (-128 + scaledLow) + (127 + scaledHigh) .> zero)
      // Written so that NaN becomes the lowest quantized value.
      let least = SIMD4<Float>(repeating: -128), most = SIMD4<Float>(repeating: 127)
      let bounded = least.replacing(with: most.replacing(with: exact, where: exact .< most), where: exact .> least)
      // The last bit of this sum is worth one: the CPU rounds to even, and its lowest bits are the number.
      let shift = SIMD4<Float>(repeating: 0x1.8p23)
      let steps =
        unsafeBitCast(bounded + shift, to: SIMD4<Int32>.self) &- unsafeBitCast(shift, to: SIMD4<Int32>.self)
      zeroPoint = steps.replacing(with: 0, where: isEmpty)
    }
  }
}

/// The order of the products that turn a sum of integer products into a float. It determines the last bits. Raw values
/// are part of the entry points' interface.
package enum SumScaling: Int32, Sendable, CaseIterable {
  /// `sum * (column scale * row scale) + bias`, every step rounded, NaN mapped to the lower limit: the reference's
  /// depthwise convolution.
  case scalesFirst
  /// `sum * column scale * row scale + bias`, every step rounded, NaN mapped to the lower limit: the reference's products,
  /// and its optimized depthwise convolution.
  case columnFirst
  /// `sum * row scale * column scale + bias`, with the last product and the sum rounded once if the CPU supports it:
  /// XNNPACK's products.
  case rowFirst
}
