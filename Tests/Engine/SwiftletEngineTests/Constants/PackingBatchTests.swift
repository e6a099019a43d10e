import SwiftletBase
import Testing

@testable import SwiftletEngine

@Suite("Packing constants")
struct PackingBatchTests {
  private static let source = ByteRegion((0..<251).map { UInt8($0) })

  /// Returns a block whose byte `i` is `i * factor`, with one item per 1000 bytes.
  private func block(_ batch: PackingBatch, bytes: Int, factor: Int) throws -> AlignedBytes {
    try batch.value(
      [Self.source], PackedLayout("test", [bytes, factor]), byteCount: bytes, items: (bytes + 999) / 1000
    ) { _, packed, items in
      for index in items.lowerBound * 1000..<min(bytes, items.upperBound * 1000) {
        packed.bytes[index] = UInt8(truncatingIfNeeded: index * factor)
      }
    }
  }

  private func isRight(_ block: AlignedBytes, factor: Int) -> Bool {
    block.bytes.indices.allSatisfy { block.bytes[$0] == UInt8(truncatingIfNeeded: $0 * factor) }
  }

  @Test(
    "every block is filled, for any number of threads and any expected size", arguments: [1, 3], [0, 1 << 20])
  func fills(threads: Int, expected: Int) throws {
    let shared = PackedConstants(byteLimit: 1 << 26)
    let batch = PackingBatch(shared, expectedBytes: expected)
    let sizes = [1, 63, 64, 65, 5000, 200_000, 300_000, 1_100_000, 0, 70_000]
    let blocks = try sizes.enumerated().map { try block(batch, bytes: $1, factor: $0 + 1) }
    try batch.finish(threads: threads)
    for (index, block) in blocks.enumerated() {
      #expect(block.bytes.count == sizes[index])
      #expect(isRight(block, factor: index + 1), "block of \(sizes[index]) bytes")
      #expect(UInt(bitPattern: block.start) % 64 == 0)
    }
    #expect(shared.byteCount == sizes.reduce(0, +))
  }

  @Test("a compilation finds the constants that a previous one has finished packing")
  func shares() throws {
    let shared = PackedConstants(byteLimit: 1 << 20)
    let first = PackingBatch(shared)
    let made = try block(first, bytes: 100, factor: 3)
    #expect(try block(first, bytes: 100, factor: 3) === made)
    #expect(try block(PackingBatch(shared), bytes: 100, factor: 3) !== made)
    try first.finish(threads: 1)
    #expect(try block(PackingBatch(shared), bytes: 100, factor: 3) === made)
    #expect(try block(PackingBatch(shared), bytes: 100, factor: 4) !== made)
  }

  @Test("more than the limit is rejected, in one compilation and in several")
  func refusesTooMuch() throws {
    let shared = PackedConstants(byteLimit: 1000)
    let first = PackingBatch(shared)
    _ = try block(first, bytes: 600, factor: 1)
    #expect(throws: RuntimeError.self) { try block(first, bytes: 401, factor: 1) }
    try first.finish(threads: 1)
    let second = PackingBatch(shared)
    #expect(throws: RuntimeError.self) { try block(second, bytes: 401, factor: 1) }
    #expect(throws: Never.self) { try block(second, bytes: 400, factor: 1) }
    withExtendedLifetime(first) {}
  }

  @Test("unused constants are released, and so are their sources")
  func makesRoom() throws {
    let shared = PackedConstants(byteLimit: 1000)
    func pack(_ bytes: Int, of sources: [ByteRegion]) throws -> AlignedBytes {
      let batch = PackingBatch(shared)
      let packed = try batch.value(sources, PackedLayout("test", [bytes])) { AlignedBytes(zeroed: bytes) }
      try batch.finish(threads: 1)
      return packed
    }
    var kept: AlignedBytes? = try pack(400, of: [Self.source])
    do {
      let folded = AlignedBytes(zeroed: 5000)
      let region = ByteRegion(owner: folded, bytes: UnsafeRawBufferPointer(folded.bytes))
      var table = PackedConstants.Table()
      table.insert(
        PackedConstants.Entry(
          key: .init([Self.source], PackedLayout("folded")), packed: folded, sources: [Self.source], isFolded: true))
      try shared.add(table)
      _ = try pack(500, of: [region])
    }
    #expect(shared.byteCount == 900)
    #expect(shared.foldedByteCount == 5000)
    _ = try pack(600, of: [Self.source])
    #expect(shared.byteCount == 1000)
    #expect(shared.foldedByteCount == 0)
    withExtendedLifetime(kept) {}
    kept = nil
    _ = try pack(1000, of: [Self.source])
    #expect(shared.byteCount == 1000)
    #expect(shared.memory.byteCount == 1000)
  }

  @Test("the error of a block reaches the compilation", arguments: [1, 2])
  func throwsErrors(threads: Int) throws {
    struct Broken: Error {}
    let batch = PackingBatch(PackedConstants(byteLimit: 1 << 26))
    _ = try block(batch, bytes: 1_000_000, factor: 1)
    _ = try batch.value([Self.source], PackedLayout("broken"), byteCount: 10, items: 1) { _, _, _ in throw Broken() }
    #expect(throws: Broken.self) { try batch.finish(threads: threads) }
  }

  @Test("packed constants count toward the compilation's memory, to the byte")
  func countsMemory() throws {
    let batch = PackingBatch(PackedConstants(byteLimit: 1000), memory: MemoryBudget(limit: 100))
    _ = try block(batch, bytes: 60, factor: 1)
    _ = try block(batch, bytes: 40, factor: 2)
    let error = #expect(throws: RuntimeError.self) { try block(batch, bytes: 1, factor: 3) }
    #expect(error?.code == .limitExceeded && error?.message.hasPrefix("packed constants take 101 more bytes") == true)
  }
}
