/// The int8 or uint8 input of a quantized matrix multiplication: one contiguous run per output row, or one per row and
/// tap.
package struct ByteRows {
  let base: UnsafeRawPointer
  let stride: Int
  let offsets: UnsafePointer<Int32>?
  let zeroRow: UnsafeRawPointer
  let taps: Int
  let tapDepth: Int
  /// Whether the tensor is int8. Its sign bits are flipped on reading, which makes it unsigned and 128 higher; packing
  /// compensates for that.
  let isSigned: Bool
  /// Memory for copies of a part of the rows, if products copy them before they read them.
  package var copyMemory: UnsafeMutableRawPointer?

  var flip: Int32 { isSigned ? Int32(bitPattern: 0x8080_8080) : 0 }

  /// Creates rows at a constant stride, for 1×1 convolution, fully connected layers, and batch matmul.
  ///
  /// - Parameters:
  ///   - base: The int8 or uint8 values of the tensor.
  ///   - stride: The byte offset between two adjacent rows.
  package static func rows(base: UnsafeRawPointer, isSigned: Bool, stride: Int, depth: Int) -> ByteRows {
    ByteRows(
      base: base, stride: stride, offsets: nil, zeroRow: base, taps: 1, tapDepth: depth, isSigned: isSigned)
  }

  /// Creates windows: tap `t` of row `r` is the run of `tapDepth` bytes at `base + offsets[r * taps + t]`, or at
  /// `zeroRow` if that offset is negative. See `GemmKernels.multiplyTaps`.
  ///
  /// Reading is fastest if `tapDepth` is a multiple of 4. Channels are read in groups of four, and a remainder is
  /// gathered byte by byte. For three channels, use a whole window row as a tap, or pad the pixels to four channels.
  ///
  /// - Parameters:
  ///   - zeroRow: `tapDepth` bytes with the input's zero point.
  ///   - areFixed: Whether no offset is negative, and `offsets[r * taps + t] - offsets[r * taps]` is the same for every
  ///     row. Taps then take no time to locate.
  package static func windows(
    base: UnsafeRawPointer, isSigned: Bool, taps: Int, tapDepth: Int, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafeRawPointer, areFixed: Bool = false
  ) -> ByteRows {
    ByteRows(
      base: base, stride: areFixed ? 1 : 0, offsets: offsets, zeroRow: zeroRow, taps: taps, tapDepth: tapDepth,
      isSigned: isSigned)
  }
}
