/// Both steps of a bilinear interpolation of floats, bit-exact in the order of the reference runtime. An input is
/// multiplied by its row's weight, then by its column's weight, and the four products are added.
extension ResizeKernels {
  /// Computes `output[i] = row[i] * weight`.
  package func scaleRow(
    _ row: UnsafePointer<Float>, by weight: Float, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { output[index] = row[index] * weight }
  }

  /// Computes one output row from two rows that are scaled by their weights but not yet added. Every product is
  /// rounded: the two products of the left column first, then those of the right column.
  package func mixColumns(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>,
    channels: Int, into output: UnsafeMutablePointer<Float>
  ) {
    var target = output
    for tap in taps {
      let lower = Int(tap.lower), upper = Int(tap.upper)
      for channel in 0..<channels {
        let left = first[lower + channel] * tap.lowerWeight + second[lower + channel] * tap.lowerWeight
        target[channel] = left + first[upper + channel] * tap.upperWeight + second[upper + channel] * tap.upperWeight
      }
      target += channels
    }
  }
}
