import SwiftletBase
import SwiftletFlatBuffers
import SwiftletTestSupport
import Testing

private func field(_ id: Int) -> FlatField { FlatField(id, "field\(id)") }

/// Checks buffers that are written byte by byte.
@Suite("Edge cases of tables")
struct FlatTableEdgeTests {
  /// Returns a buffer with the root at 16 and its vtable at 8, in two-byte words after the header.
  private func buffer(root: UInt8 = 16, vtable: [UInt16], table: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [root, 0, 0, 0] + Array("TEST".utf8)
    for word in vtable { bytes += [UInt8(word & 255), UInt8(word >> 8)] }
    while bytes.count < 16 { bytes.append(0) }
    return bytes + [8, 0, 0, 0] + table
  }

  private func root(_ bytes: [UInt8], limits: FlatBufferLimits = .default) throws(FlatBufferError) -> FlatTable {
    var budget = FlatBufferBudget(limits: limits, byteCount: bytes.count)
    return try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &budget)
  }

  private func refusal(_ bytes: [UInt8]) -> FlatBufferError? { thrownError { try root(bytes) } }

  @Test("a table of one field is read")
  func plain() throws {
    let table = try root(buffer(vtable: [6, 8, 4], table: [7, 0, 0, 0]))
    #expect(try table.integer(field(0), default: Int32(0)) == 7 && table.has(field(0)) && !table.has(field(1)))
    #expect(try table.integer(field(1), default: Int32(5)) == 5 && table.position == 16)
    #expect(try table.bool(field(0), default: false) && table.float(field(1), default: 1.5) == 1.5)
  }

  @Test("a buffer has a header, an identifier, and a root inside the buffer")
  func headers() {
    let short = refusal([8, 0, 0, 0, 84, 69, 83])
    #expect(short?.kind == .outOfBounds && short?.what == "a FlatBuffer has at least 8 bytes, this has 7")
    let other = refusal([8, 0, 0, 0] + Array("TESX".utf8) + [0, 0])
    #expect(other?.kind == .malformed && other?.position == 4)
    #expect(other?.what == "expected the file identifier \"TEST\", got \"TESX\"")
    let zero = refusal(buffer(root: 0, vtable: [6, 8, 4], table: [7, 0, 0, 0]))
    #expect(zero?.kind == .malformed && zero?.what == "an offset must be in 1 ..< 2^31, got 0")
    let negative = refusal([0, 0, 0, 0x80] + Array("TEST".utf8))
    #expect(negative?.what == "an offset must be in 1 ..< 2^31, got 2147483648")
    let far = refusal([8, 0, 0, 0] + Array("TEST".utf8))
    #expect(far?.kind == .outOfBounds && far?.what == "the offset 8 points past the end of the buffer of 8 bytes")
    let odd = refusal(buffer(root: 18, vtable: [6, 8, 4], table: [7, 0, 0, 0]))
    #expect(odd?.kind == .malformed && odd?.what == "a table must start at a multiple of 4" && odd?.position == 18)
  }

  @Test("vtables have an even size of 4 or more, describe 4 bytes or more, and are inside the buffer")
  func vtables() throws {
    for (size, table) in [(5, 8), (2, 8), (6, 3), (0, 8)] as [(UInt16, UInt16)] {
      let error = refusal(buffer(vtable: [size, table, 4], table: [7, 0, 0, 0]))
      #expect(error?.kind == .malformed && error?.position == 8)
      #expect(
        error?.what
          == "a vtable has an even size of 4 or more and describes a table of 4 bytes or more, got \(size) and \(table)"
      )
    }
    #expect(throws: Never.self) { try root(buffer(vtable: [4, 4], table: [])) }
    #expect(refusal(buffer(vtable: [16, 8, 4], table: [7, 0, 0, 0])) == nil)
    let long = refusal(buffer(vtable: [18, 8, 4], table: [7, 0, 0, 0]))
    #expect(long?.kind == .outOfBounds && long?.position == 16)
    #expect(long?.what == "the table's vtable, at byte 8, lies outside the buffer or is misaligned")
    var odd = buffer(vtable: [6, 8, 4], table: [7, 0, 0, 0])
    odd[16] = 7
    #expect(refusal(odd)?.what == "the table's vtable, at byte 9, lies outside the buffer or is misaligned")
    odd[16] = 20
    #expect(refusal(odd)?.what == "the table's vtable, at byte -4, lies outside the buffer or is misaligned")
  }

  @Test("a table may extend to the last byte of the buffer, but not past it")
  func tables() {
    #expect(refusal(buffer(vtable: [6, 8, 4], table: [7, 0, 0, 0])) == nil)
    let long = refusal(buffer(vtable: [6, 9, 4], table: [7, 0, 0, 0]))
    #expect(long?.kind == .outOfBounds && long?.what == "the table's 9 bytes reach past the end of the buffer")
  }

  @Test("fields are inside their table, after its first four bytes, at a multiple of their size")
  func fields() throws {
    func error(_ slot: UInt16, count: Int) -> FlatBufferError? {
      thrownError {
        try root(buffer(vtable: [6, 12, slot], table: [1, 2, 3, 4, 5, 6, 7, 8])).bits(of: field(0), byteCount: count)
      }
    }
    #expect(
      error(4, count: 4) == nil && error(8, count: 4) == nil && error(11, count: 1) == nil && error(10, count: 2) == nil
    )
    for (slot, count) in [(3, 1), (2, 2), (12, 1), (11, 2), (9, 4), (8, 8)] as [(UInt16, Int)] {
      let found = error(slot, count: count)
      #expect(found?.kind == .malformed && found?.path == "field0")
      #expect(found?.what == "the field's \(count) bytes at \(slot) lie outside its table of 12 bytes")
    }
    for (slot, count) in [(5, 2), (6, 4), (4, 8)] as [(UInt16, Int)] {
      #expect(error(slot, count: count)?.what == "a field of \(count) bytes must start at a multiple of its size")
    }
    let table = try root(buffer(vtable: [6, 12, 4], table: [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(try [1, 2, 4].map { try table.bits(of: field(0), byteCount: $0) } == [1, 0x0201, 0x0403_0201])
    #expect(try table.bits(of: field(1), byteCount: 4) == nil)
  }

  /// Returns a buffer whose field 0 refers to these bytes at 24.
  private func referring(_ bytes: [UInt8]) -> [UInt8] {
    buffer(vtable: [6, 8, 4], table: [4, 0, 0, 0]) + bytes
  }

  @Test("vectors contain their declared number of elements, to the last byte of the buffer")
  func vectors() throws {
    var budget = FlatBufferBudget(byteCount: 100)
    let table = try root(referring([2, 0, 0, 0, 1, 0, 2, 0]))
    #expect(try table.integers(field(0), storedAs: UInt16.self, budget: &budget) == [1, 2])
    #expect(try table.integers(field(0), storedAs: Int8.self, budget: &budget) == [1, 0])
    #expect(try table.bools(field(0), budget: &budget) == [true, false] && table.bytes(field(0))?.array == [1, 0])
    let error: FlatBufferError? = thrownError { try table.integers(field(0), storedAs: Int32.self, budget: &budget) }
    #expect(error?.kind == .outOfBounds && error?.path == "field0" && error?.position == 24)
    #expect(error?.what == "the vector's 2 elements of 4 bytes reach past the end of the buffer of 32 bytes")
    let cut: FlatBufferError? = thrownError { try root(referring([2, 0])).bytes(field(0)) }
    #expect(cut?.what == "the vector is outside the buffer")
    var odd = referring([0, 0, 2, 0, 0, 0, 1, 2])
    odd[20] = 6
    let misaligned: FlatBufferError? = thrownError { try root(odd).bytes(field(0)) }
    #expect(misaligned?.what == "a vector must start at a multiple of 4" && misaligned?.position == 26)
  }

  @Test("integers of every width keep their sign")
  func widths() throws {
    var budget = FlatBufferBudget(byteCount: 100)
    func table(_ count: UInt8) throws -> FlatTable {
      try root(referring([count, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)))
    }
    #expect(try table(1).integers(field(0), storedAs: Int8.self, budget: &budget) == [-1])
    #expect(try table(1).integers(field(0), storedAs: UInt8.self, budget: &budget) == [255])
    #expect(try table(1).integers(field(0), storedAs: Int16.self, budget: &budget) == [-1])
    #expect(try table(1).integers(field(0), storedAs: UInt16.self, budget: &budget) == [65_535])
    #expect(try table(2).integers(field(0), storedAs: Int32.self, budget: &budget) == [-1, -1])
    #expect(try table(2).integers(field(0), storedAs: UInt32.self, budget: &budget) == [4_294_967_295, 4_294_967_295])
    #expect(try table(1).integers(field(0), storedAs: Int64.self, budget: &budget) == [-1])
    #expect(try table(1).integers(field(0), storedAs: UInt64.self, budget: &budget) == [-1])
  }

  @Test("strings end with a zero byte inside the buffer, and count against the budget")
  func texts() throws {
    var budget = FlatBufferBudget(limits: FlatBufferLimits(elements: 5), byteCount: 100)
    let table = try root(referring([3, 0, 0, 0, 97, 98, 99, 0]))
    #expect(try table.string(field(0), budget: &budget) == "abc" && budget.remainingElements == 2)
    let more: FlatBufferError? = thrownError { try table.string(field(0), budget: &budget) }
    #expect(more?.kind == .limitExceeded && more?.path == "field0")
    for bytes in [[3, 0, 0, 0, 97, 98, 99, 1], [3, 0, 0, 0, 97, 98, 99]] as [[UInt8]] {
      let error: FlatBufferError? = thrownError { try root(referring(bytes)).string(field(0), budget: &budget) }
      #expect(error?.kind == .malformed && error?.what == "a string must end with a zero byte inside the buffer")
    }
  }

  @Test("tables nest up to the depth limit and no deeper")
  func depth() throws {
    let bytes = FlatValue.file(
      root: [0: .table([0: .table([0: .table([:])])]), 1: .tables([[:], [:]])], identifier: "TEST")
    var budget = FlatBufferBudget(limits: FlatBufferLimits(depth: 3), byteCount: bytes.count)
    let root = try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &budget)
    let second = try #require(try root.table(field(0), budget: &budget))
    let third = try #require(try second.table(field(0), budget: &budget))
    let error: FlatBufferError? = thrownError { try third.table(field(0), budget: &budget) }
    #expect(error?.kind == .limitExceeded && error?.what == "tables are nested deeper than 3 levels, the limit")
    #expect(error?.path == "field0")
    var shallow = FlatBufferBudget(limits: FlatBufferLimits(depth: 1), byteCount: bytes.count)
    let only = try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &shallow)
    let rows: FlatBufferError? = thrownError { try only.tables(field(1), budget: &shallow) }
    #expect(rows?.path == "field1[0]")
  }

  @Test("exactly the maximum number of tables and elements is accepted")
  func budgets() throws {
    let bytes = FlatValue.file(
      root: [0: .tables([[:], [:], [:]]), 1: .ints([1, 2, 3]), 2: .strings(["a", "b"])], identifier: "TEST")
    var tables = FlatBufferBudget(limits: FlatBufferLimits(tables: 4), byteCount: bytes.count)
    let root = try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &tables)
    #expect(try root.tables(field(0), budget: &tables)?.count == 3 && tables.remainingTables == 0)
    var fewer = FlatBufferBudget(limits: FlatBufferLimits(tables: 3), byteCount: bytes.count)
    let same = try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &fewer)
    let error: FlatBufferError? = thrownError { try same.tables(field(0), budget: &fewer) }
    #expect(error?.kind == .limitExceeded && error?.path == "field0")
    #expect(error?.what.hasPrefix("the vector makes the number of tables exceed the limit of 3,") == true)
    var elements = FlatBufferBudget(limits: FlatBufferLimits(elements: 3), byteCount: bytes.count)
    #expect(try root.integers(field(1), storedAs: Int32.self, budget: &elements)?.count == 3)
    #expect(elements.remainingElements == 0)
    let long: FlatBufferError? = thrownError { try root.integers(field(1), storedAs: Int32.self, budget: &elements) }
    #expect(long?.kind == .limitExceeded && long?.path == "field1")
    // Each text counts one element besides its bytes.
    var texts = FlatBufferBudget(limits: FlatBufferLimits(elements: 4), byteCount: bytes.count)
    #expect(try root.strings(field(2), budget: &texts) == ["a", "b"] && texts.remainingElements == 0)
    var short = FlatBufferBudget(limits: FlatBufferLimits(elements: 3), byteCount: bytes.count)
    let last: FlatBufferError? = thrownError { try root.strings(field(2), budget: &short) }
    #expect(last?.path == "field2[1]")
  }

  @Test("unions of the first and last known kinds have a table, and others have none", arguments: [0, 1, 2, 4, 5, 255])
  func unions(tag: Int) throws {
    let bytes = FlatValue.file(
      root: [0: .byte(Int8(truncatingIfNeeded: tag)), 1: .table([0: .byte(9)])], identifier: "TEST")
    var budget = FlatBufferBudget(byteCount: bytes.count)
    let root = try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &budget)
    let union = try root.union(tag: field(0), value: field(1), knownTags: 2...4, budget: &budget)
    #expect(union.map { Int($0.tag) } == (tag == 0 ? nil : tag) && (union?.table != nil) == (2...4).contains(tag))
  }

  @Test("a single table counts against the limit of tables")
  func singleTables() throws {
    let bytes = FlatValue.file(root: [0: .table([:])], identifier: "TEST")
    var budget = FlatBufferBudget(limits: FlatBufferLimits(tables: 1), byteCount: bytes.count)
    let root = try FlatTable(rootOf: ByteRegion(bytes), identifier: "TEST", budget: &budget)
    let error: FlatBufferError? = thrownError { try root.table(field(0), budget: &budget) }
    #expect(error?.kind == .limitExceeded && error?.path == "field0")
    #expect(
      error?.what == "the buffer has more tables than the limit of 1, or than a buffer of its size can hold")
  }
}
