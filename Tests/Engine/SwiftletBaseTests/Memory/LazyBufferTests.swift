import SwiftletBase
import Testing

@Suite("Lazily written contents")
struct LazyBufferTests {
  /// Returns a block that contains every byte of a source twice, and the number of times it was written.
  private func block(_ source: [UInt8]) -> (region: ByteRegion, writes: Count) {
    let writes = Count()
    let block = AlignedBytes(zeroed: source.count * 2)
    block.deferred = LazyBuffer(ByteRegion(source)) { source, target in
      writes.count += 1
      for index in source.indices {
        target[2 * index] = source[index]
        target[2 * index + 1] = source[index]
      }
    }
    return (ByteRegion(owner: block, bytes: UnsafeRawBufferPointer(block.bytes)), writes)
  }

  @Test("contents are written on the first read, and only once")
  func fillsOnce() {
    let (region, writes) = block([7, 8, 9])
    #expect(region.deferred != nil)
    #expect(writes.count == 0)
    for _ in 0..<3 { #expect(region.filled().array == [7, 7, 8, 8, 9, 9]) }
    #expect(writes.count == 1)
    #expect(region.deferred == nil)
  }

  @Test("expansion elsewhere leaves the block unchanged")
  func expandsElsewhere() throws {
    let (region, _) = block([1, 2])
    var copy = [UInt8](repeating: 0, count: 4)
    try copy.withUnsafeMutableBytes { try #require(region.deferred).expand(into: $0) }
    #expect(copy == [1, 1, 2, 2])
    #expect(region.deferred != nil)
    #expect(region.array == [0, 0, 0, 0])
  }

  @Test("a part of a block has no lazy contents of its own, but uses those of the block")
  func parts() throws {
    let (region, _) = block([1, 2, 3])
    let part = try #require(region.slice(offset: 2, count: 2))
    #expect(part.deferred == nil)
    #expect(part.filled().array == [2, 2])
    #expect(ByteRegion([5]).filled().array == [5])
    #expect(ByteRegion([5]).deferred == nil)
  }
}

/// A counter that closures of one thread share.
private final class Count: @unchecked Sendable {
  var count = 0
}
