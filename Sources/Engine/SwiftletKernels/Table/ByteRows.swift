/// The byte input of a quantized matrix multiplication: one run of memory per output row, or one per row and tap.
package struct ByteRows {
  let base: UnsafeRawPointer
  let stride: Int
  let offsets: UnsafePointer<Int32>?
  let zeroRow: UnsafeRawPointer
  let taps: Int
  let tapDepth: Int
  /// Int8 tensors are read with the sign bit flipped, as unsigned bytes 128 higher; packing takes that into account.
  let isSigned: Bool

  var flip: Int32 { isSigned ? Int32(bitPattern: 0x8080_8080) : 0 }

  /// Rows at a constant distance: 1×1 convolution, fully connected, batch matmul.
  ///
  /// - Parameters:
  ///   - base: Int8 or uint8 values as they are in the tensor.
  ///   - stride: Bytes from one row to the next.
  package static func rows(base: UnsafeRawPointer, isSigned: Bool, stride: Int, depth: Int) -> ByteRows {
    ByteRows(
      base: base, stride: stride, offsets: nil, zeroRow: base, taps: 1, tapDepth: depth, isSigned: isSigned)
  }

  /// Windows: tap `t` of row `r` is the run of `tapDepth` bytes at `base + offsets[r * taps + t]`, or at `zeroRow`
  /// where that offset is negative. See `GemmKernels.multiplyTaps`.
  ///
  /// Reading is fastest when `tapDepth` is a multiple of 4: channels are taken in groups of four, and a remainder is
  /// gathered byte by byte. With three channels make a tap a whole window row, or pad the pixels to four channels.
  ///
  /// - Parameter zeroRow: `tapDepth` bytes that hold the input's zero point.
  package static func windows(
    base: UnsafeRawPointer, isSigned: Bool, taps: Int, tapDepth: Int, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafeRawPointer
  ) -> ByteRows {
    ByteRows(
      base: base, stride: 0, offsets: offsets, zeroRow: zeroRow, taps: taps, tapDepth: tapDepth, isSigned: isSigned)
  }
}
