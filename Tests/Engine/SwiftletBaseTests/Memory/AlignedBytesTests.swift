import SwiftletBase
import Testing

@Suite("Aligned memory")
struct AlignedBytesTests {
  @Test(
    "blocks of all sizes are aligned, zero, and readable for another 64 bytes",
    arguments: [
      0, 1, 4095, (1 << 16) - 1, 1 << 16, 1 << 20, (2 << 20) - 1, (2 << 20) - (1 << 18), (3 << 20) + 1, 5 << 20,
    ])
  func blocks(count: Int) throws {
    for block in [AlignedBytes(zeroed: count), try #require(AlignedBytes(zeroedIfAvailable: count))] {
      #expect(block.bytes.count == count)
      #expect(UInt(bitPattern: block.start) % 64 == 0)
      for taken in [-1, 0, count / 2, count, count + 1] { block.takePages(taken) }
      #expect(UnsafeRawBufferPointer(start: block.start, count: count + 64).allSatisfy { $0 == 0 })
      block.bytes.initializeMemory(as: UInt8.self, repeating: 1)
    }
  }

  @Test("a part keeps its block alive, and must be inside the block")
  func parts() throws {
    func part() throws -> AlignedBytes {
      let block = AlignedBytes(copying: (0..<200).map { UInt8($0) })
      return try #require(AlignedBytes(50, of: block, at: 128))
    }
    let kept = try part()
    withExtendedLifetime(kept) { #expect(Array(kept.bytes) == (128..<178).map { UInt8($0) }) }
    let block = AlignedBytes(zeroed: 128)
    for (count, offset) in [(65, 64), (1, 128), (1, 192), (-1, 0), (1, -64), (1, 32), (Int.max, 64)] {
      #expect(AlignedBytes(count, of: block, at: offset) == nil, "\(count) bytes at \(offset)")
    }
    #expect(AlignedBytes(64, of: block, at: 64)?.bytes.count == 64)
  }
}
