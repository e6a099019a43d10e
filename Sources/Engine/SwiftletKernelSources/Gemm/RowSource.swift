/// Where a matrix-multiplication kernel finds the input of an output row.
///
/// Without `offsets` row `r` is the run of memory at `base + r * stride` and there is one tap. With `offsets`, tap `t`
/// of row `r` is the run at `base + offsets[r * taps + t]`, or `zeroRow` where that offset is negative: this is how a
/// convolution reads its window in place, without copying it. Distances are in bytes.
struct RowSource {
  let base: UnsafeRawPointer
  let stride: Int
  let offsets: UnsafePointer<Int32>?
  let zeroRow: UnsafeRawPointer
  let taps: Int
  /// Size of one element; offsets count elements so that one table serves float and byte tensors alike.
  let elementBytes: Int

  @inline(__always)
  func pointer(row: Int, tap: Int) -> UnsafeRawPointer {
    guard let offsets else { return base + row &* stride }
    let offset = Int(offsets[row &* taps &+ tap])
    return offset < 0 ? zeroRow : base + offset &* elementBytes
  }
}
