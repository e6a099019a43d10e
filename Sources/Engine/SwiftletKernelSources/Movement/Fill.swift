/// Stores `value` `count` times.
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

/// Copies pixels of three bytes to words, whose highest byte becomes `filler`: what a quantized convolution reads
/// fastest.
@inline(__always)
func padPixels(count: Int, input: UnsafeRawPointer, filler: UInt8, output: UnsafeMutablePointer<UInt32>) {
  let top = UInt32(filler) &<< 24
  var index = 0
  // A word holds one byte of the next pixel, so the last is put together from its bytes.
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
