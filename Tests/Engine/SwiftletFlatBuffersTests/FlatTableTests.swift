import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

private func root(
  _ fields: [Int: FlatValue], limits: FlatBufferLimits = .default
) throws(FlatBufferError) -> (table: FlatTable, budget: FlatBufferBudget) {
  let region = ByteRegion(FlatValue.file(root: fields, identifier: "TEST"))
  var budget = FlatBufferBudget(limits: limits, byteCount: region.count)
  return (try FlatTable(rootOf: region, identifier: "TEST", budget: &budget), budget)
}

private func field(_ id: Int) -> FlatField { FlatField(id, "field\(id)") }

@Suite("FlatTable")
struct FlatTableTests {
  @Test("reads scalars of every width")
  func readsScalars() throws {
    let table = try root([
      0: .bool(true), 1: .byte(-5), 2: .int(-70_000), 3: .uint(4_000_000_000), 4: .long(-1 << 40),
      5: .long(.min), 6: .float(1.5),
    ]).table
    #expect(try table.bool(field(0), default: false))
    #expect(try table.integer(field(1), default: Int8(0)) == -5)
    #expect(try table.integer(field(2), default: Int32(0)) == -70_000)
    #expect(try table.integer(field(3), default: UInt32(0)) == 4_000_000_000)
    #expect(try table.integer(field(4), default: Int64(0)) == -1 << 40)
    #expect(try table.integer(field(5), default: UInt64(0)) == 1 << 63)
    #expect(try table.float(field(6), default: 0) == 1.5)
  }

  @Test("returns the default for absent fields, including fields past the end of the vtable")
  func givesDefaults() throws {
    var (table, budget) = try root([1: .byte(1)])
    #expect(!table.has(field(0)))
    #expect(table.has(field(1)))
    #expect(!table.has(field(90)))
    #expect(try table.integer(field(0), default: Int32(7)) == 7)
    #expect(try table.bool(field(90), default: true))
    #expect(try table.float(field(90), default: 2.5) == 2.5)
    #expect(try table.string(field(0), budget: &budget) == nil)
    #expect(try table.bytes(field(0)) == nil)
    #expect(try table.table(field(0), budget: &budget) == nil)
    #expect(try table.tables(field(90), budget: &budget) == nil)
    #expect(try table.integers(field(90), storedAs: Int32.self, budget: &budget) == nil)
  }

  @Test("reads vectors and text")
  func readsVectors() throws {
    var (table, budget) = try root([
      0: .ints([1, -2, 3]), 1: .longs([-1, 1 << 40]), 2: .floats([0.5, -0.25]), 3: .bools([true, false]),
      4: .bytes([9, 8, 7]), 5: .string("größe"), 6: .strings(["a", "", "bc"]), 7: .shorts([65_535]), 8: .ints([]),
    ])
    #expect(try table.integers(field(0), storedAs: Int32.self, budget: &budget) == [1, -2, 3])
    #expect(try table.integers(field(1), storedAs: Int64.self, budget: &budget) == [-1, 1 << 40])
    #expect(try table.floats(field(2), budget: &budget) == [0.5, -0.25])
    #expect(try table.bools(field(3), budget: &budget) == [true, false])
    #expect(try table.bytes(field(4)).map { $0.array } == [9, 8, 7])
    #expect(try table.string(field(5), budget: &budget) == "größe")
    #expect(try table.strings(field(6), budget: &budget) == ["a", "", "bc"])
    #expect(try table.integers(field(7), storedAs: UInt16.self, budget: &budget) == [65_535])
    #expect(try table.integers(field(8), storedAs: Int32.self, budget: &budget) == [])
  }

  @Test("reads nested tables and unions")
  func readsNestedTables() throws {
    var (table, budget) = try root([
      0: .table([0: .byte(3)]), 1: .tables([[0: .byte(4)], [:], [0: .byte(5)]]), 2: .byte(2),
      3: .table([0: .byte(6)]), 4: .byte(-56), 5: .uint(99),
    ])
    #expect(try table.table(field(0), budget: &budget)?.integer(field(0), default: Int8(0)) == 3)
    let values = try table.tables(field(1), budget: &budget)?.map { try $0.integer(field(0), default: Int8(0)) }
    #expect(values == [4, 0, 5])
    let union = try table.union(tag: field(2), value: field(3), knownTags: 1...5, budget: &budget)
    #expect(union?.tag == 2)
    #expect(try union?.table?.integer(field(0), default: Int8(0)) == 6)
  }

  @Test("keeps a union of an unknown tag opaque, and ignores one without a tag")
  func keepsUnknownUnionsOpaque() throws {
    var (table, budget) = try root([0: .byte(-56), 1: .uint(0xFFFF_FFFF), 3: .uint(0xFFFF_FFFF)])
    let union = try table.union(tag: field(0), value: field(1), knownTags: 1...5, budget: &budget)
    #expect(union?.tag == 200)
    #expect(union?.table == nil)
    #expect(try table.union(tag: field(2), value: field(3), knownTags: 1...5, budget: &budget) == nil)
  }

  @Test("names the field, the byte offset, and the problem in errors")
  func namesTheFault() throws {
    var (table, budget) = try root([0: .tables([[0: .lyingVector(count: 1 << 30, bytes: [1, 2, 3, 4])]])])
    let inner = try #require(try table.tables(field(0), budget: &budget)?.first)
    let error = try #require(throws: FlatBufferError.self) {
      try inner.integers(field(0), storedAs: Int32.self, budget: &budget)
    }
    #expect(error.kind == .outOfBounds)
    #expect(error.path == "field0")
    #expect(error.prefixed(by: "outer[0]").path == "outer[0].field0")
    #expect(error.what.contains("1073741824 elements of 4 bytes"))
    #expect(error.description.contains("byte \(error.position)"))
  }

  @Test("rejects another identifier, and accepts any if none is required")
  func checksIdentifier() throws {
    let region = ByteRegion(FlatValue.file(root: [:], identifier: "OTHR"))
    var budget = FlatBufferBudget(byteCount: region.count)
    let error = #expect(throws: FlatBufferError.self) {
      try FlatTable(rootOf: region, identifier: "TEST", budget: &budget)
    }
    #expect(error?.what == "expected the file identifier \"TEST\", got \"OTHR\"")
    #expect(throws: Never.self) { try FlatTable(rootOf: region, identifier: nil, budget: &budget) }
  }
}
