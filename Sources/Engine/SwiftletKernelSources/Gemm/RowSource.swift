/// The location of the input for each output row of a matrix multiplication.
///
/// Without `offsets`, row `r` is the memory at `base + r * stride`, and there is one tap. With `offsets`, tap `t` of
/// row `r` is the memory at `base + offsets[r * taps + t]`, or `zeroRow` if that offset is negative. This way, a
/// convolution reads its window in place, without copying it. Strides are in bytes.
struct RowSource {
  let base: UnsafeRawPointer
  let stride: Int
  let offsets: UnsafePointer<Int32>?
  let zeroRow: UnsafeRawPointer
  let taps: Int
  /// The size of one element. Offsets count elements, so that one table serves float and byte tensors alike.
  let elementBytes: Int

  @inline(__always)
  func pointer(row: Int, tap: Int) -> UnsafeRawPointer {
    guard let offsets else { return base + row &* stride }
    let offset = Int(offsets[row &* taps &+ tap])
    return offset < 0 ? zeroRow : base + offset &* elementBytes
  }
}
