import Testing

@testable @_spi(Facades) import SwiftletVision

@Suite("Memory of masks")
struct MaskPoolTests {
  @Test("is reused after a mask is released, and not before")
  func reuse() {
    let pool = MaskPool<Float>(count: 100, maximumBlocks: 2)
    let kept = MaskPixels(from: pool)
    var gone: MaskPixels<Float>? = MaskPixels(from: pool)
    let address = gone?.first
    #expect(address != kept.first)
    gone = nil
    let next = MaskPixels(from: pool)
    #expect(next.first == address)
    let another = MaskPixels(from: pool)
    #expect(Set([kept.first, next.first, another.first]).count == 3)
  }

  @Test("is kept for the masks of one image, and no more")
  func limit() {
    let pool = MaskPool<UInt8>(count: 10, maximumBlocks: 1)
    weak var first: MaskBlock<UInt8>?
    weak var second: MaskBlock<UInt8>?
    do {
      let blocks = (pool.take(), pool.take())
      (first, second) = blocks
      pool.giveBack(blocks.0)
      pool.giveBack(blocks.1)
    }
    #expect(first != nil && second == nil)
  }

  @Test("outlives the pool with its mask, and is released with it")
  func withoutPool() {
    var pool: MaskPool<Float>? = MaskPool(count: 3, maximumBlocks: 1)
    weak let observed = pool
    let pixels = pool.map(MaskPixels.init(from:))
    _ = pixels?.memory.initialize(from: [1, 2, 3])
    pool = nil
    #expect(observed == nil)
    #expect(pixels.map { Array($0.numbers) } == [1, 2, 3])
  }

  @Test("is unchanged while later images get masks")
  func values() throws {
    let pool = MaskPool<Float>(count: 4, maximumBlocks: 3)
    let first = MaskPixels(from: pool)
    first.memory.initialize(repeating: 1)
    for value in 2..<20 {
      let next = MaskPixels(from: pool)
      next.memory.initialize(repeating: Float(value))
    }
    #expect(Array(first.numbers) == [1, 1, 1, 1])
  }
}
