extension KernelReference {
  /// Computes the window form of `GemmKernels` on unpacked weights: `weights[c * taps * tapDepth + t * tapDepth + d]`.
  /// The sum is computed in double precision.
  package static func multiplyTaps(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<Float>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<Float>, weights: UnsafePointer<Float>, bias: UnsafePointer<Float>?,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lower: Float, upper: Float
  ) {
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = 0.0
        if let bias { sum = Double(bias[column]) }
        for tap in 0..<taps {
          let offset = Int(offsets[row * taps + tap])
          let run = offset < 0 ? zeroRow : input + offset
          for channel in 0..<tapDepth {
            sum += Double(run[channel]) * Double(weights[(column * taps + tap) * tapDepth + channel])
          }
        }
        output[row * outputStride + column] = min(max(Float(sum), lower), upper)
      }
    }
  }
}
