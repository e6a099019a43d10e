/// Several channels of a pixel at once.
extension SIMD8<Float> {
  /// Those at a place, which need not be aligned.
  @inline(__always)
  init(at place: UnsafePointer<Float>) { self = UnsafeRawPointer(place).loadUnaligned(as: Self.self) }

  @inline(__always)
  func store(at place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: self, as: Self.self)
  }
}
