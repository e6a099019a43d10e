extension KernelReference {
  /// Depthwise convolution of `rows` pixels: `output[r, c] = clamp(bias[c] + Σ tap t of row r [c / multiplier] · weights[t, c])`.
  ///
  /// Taps are found as in `GemmKernels.multiplyTaps`; sums are taken in single precision, in tap order.
  ///
  /// - Parameters:
  ///   - channels: of the input; the output has `channels × multiplier`.
  ///   - weights: `taps × channels × multiplier` values.
  ///   - outputStride: floats from one row to the next.
  @inlinable
  package static func depthwise(
    rows: Int, channels: Int, multiplier: Int, taps: Int, input: UnsafePointer<Float>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<Float>, weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float
  ) {
    let outputs = channels &* multiplier
    for row in 0..<rows {
      let to = output + row &* outputStride
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
          for channel in 0..<outputs { to[channel] += from[channel] * weight[channel] }
        } else {
          for channel in 0..<channels {
            for index in channel &* multiplier..<(channel &+ 1) &* multiplier {
              to[index] += from[channel] * weight[index]
            }
          }
        }
      }
      for channel in 0..<outputs { to[channel] = min(max(to[channel], lower), upper) }
    }
  }

  /// The sums of a quantised depthwise convolution:
  /// `sums[r, c] = bias[c] + Σ (tap t of row r [c / multiplier] − inputZero) · (weights[t, c] − weightZero)`, modulo the width of `Sum`.
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
