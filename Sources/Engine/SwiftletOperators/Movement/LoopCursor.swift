import SwiftletEngine

/// Where a nest of loops stands: the byte offsets into source and destination, stepped like an odometer.
struct LoopCursor {
  private(set) var source: Int
  private(set) var destination: Int
  private var positions: SIMD16<Int> = .zero

  /// The cursor at step `index` of the flattened nest.
  init(_ loops: UnsafeBufferPointer<CopyLoop>, at index: Int, source: Int, destination: Int) {
    self.source = source
    self.destination = destination
    var rest = index
    for depth in stride(from: loops.count &- 1, through: 0, by: -1) {
      let loop = loops[depth]
      let (quotient, position) = rest.quotientAndRemainder(dividingBy: loop.count)
      positions[depth] = position
      self.source &+= position &* loop.sourceStride
      self.destination &+= position &* loop.destinationStride
      rest = quotient
    }
  }

  /// One step of the innermost loop, with carry.
  @inline(__always)
  mutating func advance(_ loops: UnsafeBufferPointer<CopyLoop>) {
    var depth = loops.count &- 1
    while depth >= 0 {
      let loop = loops[depth]
      let next = positions[depth] &+ 1
      source &+= loop.sourceStride
      destination &+= loop.destinationStride
      guard next == loop.count else {
        positions[depth] = next
        return
      }
      positions[depth] = 0
      source &-= loop.count &* loop.sourceStride
      destination &-= loop.count &* loop.destinationStride
      depth &-= 1
    }
  }
}
