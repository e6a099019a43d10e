/// The location of the input for each output row of a matrix multiplication.
///
/// Without `offsets`, row `r` is the memory at `base + r * stride`, and there is one tap. With `offsets`, tap `t` of
/// row `r` is the memory at `base + offsets[r * taps + t]`, or `zeroRow` if that offset is negative. This way, a
/// convolution reads its window in place, without copying it. Strides are in bytes.
///
/// With `offsets`, a stride other than 0 means that no offset is negative and that the taps have the same distances in
/// every row.
struct RowSource {
  let base: UnsafeRawPointer
  let stride: Int
  let offsets: UnsafePointer<Int32>?
  let zeroRow: UnsafeRawPointer
  let taps: Int
  /// The size of one element. Offsets count elements, so that one table serves float and byte tensors alike.
  let elementBytes: Int

  /// Whether the distance of a tap from the first tap is the same for all rows.
  @inline(__always) var hasFixedTaps: Bool { offsets == nil || stride != 0 }

  @inline(__always)
  func pointer(row: Int, tap: Int) -> UnsafeRawPointer {
    guard let offsets else { return base + row &* stride }
    let offset = Int(offsets[row &* taps &+ tap])
    return offset < 0 ? zeroRow : base + offset &* elementBytes
  }
}
