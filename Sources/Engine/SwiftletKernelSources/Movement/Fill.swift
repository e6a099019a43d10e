/// Stores `count` copies of `value`.
@inline(__always)
func fill32<V: VectorISA>(_: V.Type, count: Int, value: Int32, output: UnsafeMutablePointer<Int32>) {
  let vector = V.splat(value)
  var index = 0
  while index &+ V.lanes <= count {
    V.store(vector, output + index)
    index &+= V.lanes
  }
  if index < count { V.storeFirst(count &- index, vector, output + index) }
}

/// Copies 3-byte pixels to 32-bit words with `filler` as the highest byte, the layout that a quantized convolution
/// reads fastest.
@inline(__always)
func padPixels(count: Int, input: UnsafeRawPointer, filler: UInt8, output: UnsafeMutablePointer<UInt32>) {
  let top = UInt32(filler) &<< 24
  var index = 0
  // Each word is loaded with one byte of the next pixel, so the last pixel is assembled from single bytes.
  while index &+ 1 < count {
    output[index] = input.loadUnaligned(fromByteOffset: index &* 3, as: UInt32.self) & 0x00FF_FFFF | top
    index &+= 1
  }
  if index < count {
    let last = input + index &* 3
    let low = UInt32(last.loadUnaligned(as: UInt16.self))
    output[index] = low | UInt32(last.load(fromByteOffset: 2, as: UInt8.self)) &<< 16 | top
  }
}
