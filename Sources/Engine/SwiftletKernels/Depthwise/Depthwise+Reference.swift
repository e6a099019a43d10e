extension KernelReference {
  /// Returns the sums of a quantized depthwise convolution: `sums[r, c] = bias[c] + Σ (tap t of row r [c / multiplier]
  /// − inputZero) · (weights[t, c] − weightZero)`, modulo the width of `Sum`.
  ///
  /// Taps are located as in `GemmKernels.multiplyTaps`. Taps with a negative offset contribute nothing.
  ///
  /// - Parameters:
  ///   - channels: The number of input channels. The result has `channels × multiplier` channels.
  ///   - weights: The weights, `taps × channels × multiplier` values.
  @inlinable
  package static func depthwise<Input, Weight, Sum>(
    rows: Int, channels: Int, multiplier: Int, taps: Int, input: UnsafePointer<Input>, inputZero: Sum,
    offsets: UnsafePointer<Int32>, weights: UnsafePointer<Weight>, weightZero: Sum, bias: UnsafePointer<Sum>?,
    sums: UnsafeMutablePointer<Sum>
  ) where Input: FixedWidthInteger, Weight: FixedWidthInteger, Sum: FixedWidthInteger {
    let outputs = channels &* multiplier
    for row in 0..<rows {
      let to = sums + row &* outputs
      if let bias {
        to.update(from: bias, count: outputs)
      } else {
        to.update(repeating: 0, count: outputs)
      }
      for tap in 0..<taps {
        let offset = Int(offsets[row &* taps &+ tap])
        guard offset >= 0 else { continue }
        let from = input + offset, weight = weights + tap &* outputs
        if multiplier == 1 {
          for channel in 0..<outputs {
            let x = Sum(truncatingIfNeeded: from[channel]) &- inputZero
            to[channel] &+= x &* (Sum(truncatingIfNeeded: weight[channel]) &- weightZero)
          }
        } else {
          for channel in 0..<channels {
            let x = Sum(truncatingIfNeeded: from[channel]) &- inputZero
            for index in channel &* multiplier..<(channel &+ 1) &* multiplier {
              to[index] &+= x &* (Sum(truncatingIfNeeded: weight[index]) &- weightZero)
            }
          }
        }
      }
    }
  }
}
