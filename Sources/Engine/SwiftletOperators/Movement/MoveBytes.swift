import SwiftletEngine

/// Copies `count` bytes between memory that does not overlap; up to some hundred bytes without a call.
@inline(__always)
func moveBytes(_ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
  switch count {
  case 1: moveElement(UInt8.self, from: source, to: destination)
  case 2: moveElement(UInt16.self, from: source, to: destination)
  case 4: moveElement(UInt32.self, from: source, to: destination)
  case 8: moveElement(UInt64.self, from: source, to: destination)
  // Two parts that overlap where the size is not twice that of one.
  case 3: moveEnds(UInt16.self, count, from: source, to: destination)
  case 5...7: moveEnds(UInt32.self, count, from: source, to: destination)
  case 9...15: moveEnds(UInt64.self, count, from: source, to: destination)
  case 16...256:
    // The last vector ends with the last byte and may repeat some of the one before.
    let last = count &- 16
    var offset = 0
    while offset < last {
      moveElement(SIMD2<UInt64>.self, from: source.advanced(by: offset), to: destination.advanced(by: offset))
      offset &+= 16
    }
    moveElement(SIMD2<UInt64>.self, from: source.advanced(by: last), to: destination.advanced(by: last))
  default: destination.copyMemory(from: source, byteCount: count)
  }
}

/// The first and the last element of `count` bytes.
@inline(__always)
private func moveEnds<Element: BitwiseCopyable>(
  _ type: Element.Type, _ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
) {
  let last = count &- MemoryLayout<Element>.size
  let end = source.loadUnaligned(fromByteOffset: last, as: type)
  moveElement(type, from: source, to: destination)
  destination.storeBytes(of: end, toByteOffset: last, as: type)
}

@inline(__always)
private func moveElement<Element: BitwiseCopyable>(
  _ type: Element.Type, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
) {
  destination.storeBytes(of: source.loadUnaligned(as: type), as: type)
}
