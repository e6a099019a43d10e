/// Both steps of a bilinear interpolation of int16 elements, whose sums need 64 bits.
extension ResizeKernels {
  /// Computes `output[i] = first[i] * firstWeight + second[i] * secondWeight`, with weights in units of 1/1024.
  package func mixRows(
    _ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>, _ firstWeight: Int32, _ secondWeight: Int32,
    count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) {
    for index in 0..<count {
      output[index] = Int32(first[index]) &* firstWeight &+ Int32(second[index]) &* secondWeight
    }
  }

  /// Computes one output row, rounded half away from zero.
  package func mixColumns(
    _ row: UnsafePointer<Int32>, taps: UnsafeBufferPointer<ColumnTap<Int32>>, channels: Int,
    into output: UnsafeMutablePointer<Int16>
  ) {
    var target = output
    for tap in taps {
      let (lower, upper) = (row + Int(tap.lower), row + Int(tap.upper))
      for channel in 0..<channels {
        let sum = Int64(lower[channel]) &* Int64(tap.lowerWeight) &+ Int64(upper[channel]) &* Int64(tap.upperWeight)
        target[channel] = Int16(truncatingIfNeeded: (sum &+ (1 << 19) &+ (sum >> 63)) >> 20)
      }
      target += channels
    }
  }
}
