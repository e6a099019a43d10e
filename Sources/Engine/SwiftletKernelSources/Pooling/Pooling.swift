import SwiftletKernels

// Goals, in order: only elements inside the image count; integer means round half away from zero, exactly; full vectors
// for any number of channels.
//
// The elements of adjacent pixels are contiguous. A vector of them contains adjacent output pixels if the stride is 1.
// With larger strides, it also contains the pixels between output pixels, which are dropped.

/// Stores the first `bytes` bytes of a vector, and up to a full vector of any bytes if `room` allows it.
@inline(__always)
func storeFirstBytes<V: VectorISA>(
  _: V.Type, _ bytes: Int, of x: V.I, _ target: UnsafeMutableRawPointer, room: Int, temporary: UnsafeMutableRawPointer
) {
  if room >= V.vectorBytes { return V.store(x, target) }
  V.store(x, temporary)
  V.storeFirst(bytes &>> 2, x, target)
  copyEnd(bytes, temporary, target)
}

/// Copies the bytes that are left of `bytes` after all groups of four.
@inline(__always)
func copyEnd(_ bytes: Int, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer) {
  var position = bytes & ~3
  if bytes & 2 != 0 {
    target.storeBytes(
      of: source.loadUnaligned(fromByteOffset: position, as: UInt16.self), toByteOffset: position, as: UInt16.self)
    position &+= 2
  }
  if bytes & 1 != 0 {
    target.storeBytes(of: source.load(fromByteOffset: position, as: UInt8.self), toByteOffset: position, as: UInt8.self)
  }
}

/// Stores `pixels` pixels of `pixelBytes` bytes that are `stride` bytes apart in a vector. A pixel has at most a third
/// of a vector.
@inline(__always)
func storePixels<V: VectorISA>(
  _: V.Type, _ pixels: Int, of x: V.I, pixelBytes: Int, stride: Int, _ target: UnsafeMutableRawPointer, room: Int,
  temporary: UnsafeMutableRawPointer
) {
  typealias Part = SIMD2<Int64>
  V.store(x, temporary)
  var source = UnsafeRawPointer(temporary), target = target, room = room
  var pixel = 0
  while pixel < pixels {
    if room >= 32 {
      // Bytes past the pixel are replaced by the next pixel.
      target.storeBytes(of: source.loadUnaligned(as: Part.self), as: Part.self)
      if pixelBytes > 16 {
        target.storeBytes(of: source.loadUnaligned(fromByteOffset: 16, as: Part.self), toByteOffset: 16, as: Part.self)
      }
    } else {
      V.storeFirst(pixelBytes &>> 2, V.loadInts(source), target)
      copyEnd(pixelBytes, source, target)
    }
    source += stride
    target += pixelBytes
    room &-= pixelBytes
    pixel &+= 1
  }
}
