/// Copies `count` bytes between memory that does not overlap; elements of usual sizes without a call.
@inline(__always)
func moveBytes(_ count: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
  switch count {
  case 1: destination.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
  case 2: destination.storeBytes(of: source.loadUnaligned(as: UInt16.self), as: UInt16.self)
  case 4: destination.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
  case 8: destination.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
  default: destination.copyMemory(from: source, byteCount: count)
  }
}
