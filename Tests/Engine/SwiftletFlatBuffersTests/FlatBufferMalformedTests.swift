import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

private func field(_ id: Int) -> FlatField { FlatField(id, "field\(id)") }

/// Reads everything that the sample buffer's schema allows, so that any malformed part is encountered.
private func readEverything(_ bytes: [UInt8]) throws(FlatBufferError) {
  let region = ByteRegion(bytes)
  var budget = FlatBufferBudget(byteCount: region.count)
  let root = try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
  try readTable(root, &budget)
}

private func readTable(_ table: FlatTable, _ budget: inout FlatBufferBudget) throws(FlatBufferError) {
  _ = try table.integer(field(0), default: Int64(0))
  _ = try table.string(field(1), budget: &budget)
  _ = try table.integers(field(2), storedAs: Int32.self, budget: &budget)
  _ = try table.strings(field(3), budget: &budget)
  _ = try table.bytes(field(4))?.array
  if let child = try table.table(field(5), budget: &budget) { try readTable(child, &budget) }
  for child in try table.tables(field(6), budget: &budget) ?? [] { try readTable(child, &budget) }
}

private let sample = FlatValue.file(
  root: [
    0: .long(5), 1: .string("text"), 2: .ints([1, 2, 3]), 3: .strings(["a", "b"]), 4: .bytes([1, 2, 3]),
    5: .table([0: .long(6), 1: .string("inner")]), 6: .tables([[0: .long(7)], [2: .ints([4])]]),
  ], identifier: "TEST")

/// Returns tables at 16, 24, …, with a shared vtable at 8, each referring to the next; the last one refers to the end
/// of the buffer.
private func tableChain(_ count: Int) -> [UInt8] {
  var words: [UInt32] = [16, 0x5453_4554, 0x0008_0006, 0x0000_0004]
  for index in 0..<count { words += [UInt32(8 + 8 * index), 4] }
  return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
}

@Suite("Malformed FlatBuffers")
struct FlatBufferMalformedTests {
  @Test("reads the sample that the other tests damage")
  func readsTheSample() throws {
    try readEverything(sample)
  }

  @Test("throws for every truncation that cuts into an object", arguments: 0..<sample.count)
  func throwsForTruncation(_ count: Int) {
    // The last bytes only pad the buffer to a multiple of 4.
    guard sample[count...].contains(where: { $0 != 0 }) else { return }
    #expect(throws: FlatBufferError.self) { try readEverything(Array(sample.prefix(count))) }
  }

  @Test(
    "survives every hostile value in every word",
    arguments: [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFC] as [UInt32])
  func survivesHostileWords(_ value: UInt32) {
    var rejections = 0
    for position in stride(from: 0, to: sample.count - 3, by: 4) {
      var bytes = sample
      for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
      do { try readEverything(bytes) } catch { rejections += 1 }
    }
    #expect(rejections > 10)
  }

  @Test("survives random damage")
  func survivesRandomDamage() {
    var generator = SplitMix64(state: 1)
    var rejections = 0
    for _ in 0..<20_000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      do { try readEverything(bytes) } catch { rejections += 1 }
    }
    #expect(rejections > 1000)
  }

  @Test("accepts 64 nested tables and rejects the next", arguments: [64, 65])
  func limitsDepth(_ count: Int) throws {
    let region = ByteRegion(tableChain(count))
    var budget = FlatBufferBudget(byteCount: region.count)
    var table = try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
    for _ in 1..<64 { table = try #require(try table.table(field(0), budget: &budget)) }
    let error = #expect(throws: FlatBufferError.self) { try table.table(field(0), budget: &budget) }
    // The reference of the 64th table is out of bounds in one case, and one table too many in the other.
    #expect(error?.kind == (count == 64 ? .outOfBounds : .limitExceeded))
  }

  @Test("stops at the limit of tables, even if they share one target")
  func limitsTables() {
    // A vector of 100 offsets to the same empty table after it.
    var bytes = FlatValue.file(
      root: [0: .lyingVector(count: 100, bytes: [UInt8](repeating: 0, count: 400))], identifier: "TEST")
    let vector = bytes.count - 400
    let table = (bytes.count + 7) / 8 * 8
    bytes += [UInt8](repeating: 0, count: table - bytes.count) + [4, 0, 4, 0, 4, 0, 0, 0]
    for index in 0..<100 {
      let slot = vector + 4 * index
      let offset = table + 4 - slot
      bytes[slot] = UInt8(offset & 0xFF)
      bytes[slot + 1] = UInt8(offset >> 8)
    }
    let region = ByteRegion(bytes)
    var budget = FlatBufferBudget(limits: FlatBufferLimits(tables: 101), byteCount: region.count)
    #expect(throws: Never.self) {
      let root = try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
      #expect(try root.tables(field(0), budget: &budget)?.count == 100)
    }
    budget = FlatBufferBudget(limits: FlatBufferLimits(tables: 100), byteCount: region.count)
    let error = #expect(throws: FlatBufferError.self) {
      try FlatTable(rootOf: region, identifier: "TEST", budget: &budget).tables(field(0), budget: &budget)
    }
    #expect(error?.kind == .limitExceeded)
  }

  @Test("stops at the limit of elements, even if vectors share them")
  func limitsElements() throws {
    let region = ByteRegion(
      FlatValue.file(root: [0: .ints([Int32](repeating: 1, count: 1000))], identifier: "TEST"))
    var budget = FlatBufferBudget(limits: FlatBufferLimits(elements: 2500), byteCount: region.count)
    let root = try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
    for _ in 0..<2 { _ = try root.integers(field(0), storedAs: Int32.self, budget: &budget) }
    let error = #expect(throws: FlatBufferError.self) {
      try root.integers(field(0), storedAs: Int32.self, budget: &budget)
    }
    #expect(error?.kind == .limitExceeded)
  }

  @Test("rejects vector counts near 2^32", arguments: [0xFFFF_FFFF, 0xFFFF_FFFC, 0x4000_0000, 0x2000_0001] as [UInt32])
  func rejectsHugeCounts(_ count: UInt32) throws {
    let region = ByteRegion(
      FlatValue.file(
        root: [0: .lyingVector(count: count, bytes: [1, 2, 3, 4, 5, 6, 7, 8])], identifier: "TEST"))
    var budget = FlatBufferBudget(byteCount: region.count)
    let root = try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
    #expect(throws: FlatBufferError.self) { try root.bytes(field(0)) }
    #expect(throws: FlatBufferError.self) { try root.string(field(0), budget: &budget) }
    #expect(throws: FlatBufferError.self) { try root.strings(field(0), budget: &budget) }
    #expect(throws: FlatBufferError.self) { try root.tables(field(0), budget: &budget) }
    #expect(throws: FlatBufferError.self) { try root.floats(field(0), budget: &budget) }
    #expect(throws: FlatBufferError.self) { try root.integers(field(0), storedAs: Int64.self, budget: &budget) }
  }

  @Test("reads tables whose vtables overlap, without leaving the buffer")
  func readsOverlappingVtables() throws {
    // The root's table and its vtable are the same bytes at 8: the vtable distance is 0.
    let bytes: [UInt8] = [8, 0, 0, 0, 0x54, 0x45, 0x53, 0x54, 0, 0, 0, 0, 8, 0, 8, 0]
    #expect(throws: FlatBufferError.self) { try readEverything(bytes) }
    // The vtable's second entry is inside the table that it describes.
    let overlapping: [UInt8] = [12, 0, 0, 0, 0x54, 0x45, 0x53, 0x54, 8, 0, 8, 0, 4, 0, 0, 0, 0, 0, 0, 0]
    let region = ByteRegion(overlapping)
    var budget = FlatBufferBudget(byteCount: region.count)
    let root = try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
    #expect(try root.integer(field(0), default: Int32(1)) == 0)
  }

  @Test("rejects fields outside their table, misaligned fields and unterminated strings")
  func rejectsBrokenFields() {
    let header: [UInt8] = [16, 0, 0, 0, 0x54, 0x45, 0x53, 0x54]
    let cases: [(slot: UInt8, body: [UInt8])] = [
      (slot: 2, body: [8, 0, 0, 0, 4, 0, 0, 0]),
      (slot: 6, body: [8, 0, 0, 0, 4, 0, 0, 0]),
      (slot: 200, body: [8, 0, 0, 0, 4, 0, 0, 0]),
      (slot: 4, body: [8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 65, 66, 0, 0]),
    ]
    for (slot, body) in cases {
      let region = ByteRegion(header + [6, 0, 8, 0, slot, 0, 0, 0] + body)
      var budget = FlatBufferBudget(byteCount: region.count)
      #expect(throws: FlatBufferError.self, "slot \(slot)") {
        try FlatTable(rootOf: region, identifier: "TEST", budget: &budget).string(field(0), budget: &budget)
      }
    }
  }
}
