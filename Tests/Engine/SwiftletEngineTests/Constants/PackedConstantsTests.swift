import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Packed constants")
struct PackedConstantsTests {
  private static let source = ByteRegion([1, 2, 3, 4])

  private func key(_ number: Int, _ sources: [ByteRegion] = [Self.source]) -> PackedConstants.Key {
    PackedConstants.Key(sources, PackedLayout("test", [number]))
  }

  private func entry(_ number: Int, bytes: Int = 1, isFolded: Bool = false, of sources: [ByteRegion] = [Self.source])
    -> PackedConstants.Entry
  {
    PackedConstants.Entry(
      key: key(number, sources), packed: AlignedBytes(zeroed: bytes), sources: sources, isFolded: isFolded)
  }

  @Test("layouts differ by kind, by every number, and by added numbers")
  func layouts() {
    let base = PackedLayout("a", [1, 2])
    #expect(base == PackedLayout("a", [1, 2]) && base.mixed(into: 5) == PackedLayout("a", [1, 2]).mixed(into: 5))
    let others = [
      PackedLayout("b", [1, 2]), PackedLayout("a", [1, 3]), PackedLayout("a", [2, 2]), PackedLayout("a", [1]),
      PackedLayout("a", [1, 2, 0]), PackedLayout("ab", [1, 2]), PackedLayout("a"), base.adding([]), base.adding([3]),
    ]
    for other in others { #expect(other != base && other.mixed(into: 5) != base.mixed(into: 5)) }
    #expect(base.mixed(into: 5) != base.mixed(into: 6))
    // Added numbers differ from the layout's own numbers.
    #expect(PackedLayout("a", [1]).adding([2, 3]) != PackedLayout("a", [1, 2]).adding([3]))
    #expect(base.adding([7]) == PackedLayout("a", [1, 2, 2, 7]))
  }

  @Test("keys differ by the location and size of each source, and by their order")
  func keys() throws {
    let part = try #require(Self.source.slice(offset: 0, count: 2)),
      rest = try #require(Self.source.slice(offset: 2, count: 2))
    let keys = [[Self.source], [part], [rest], [part, rest], [rest, part], []].map { key(0, $0) }
    for first in keys.indices {
      for second in keys.indices { #expect((keys[first] == keys[second]) == (first == second)) }
    }
    #expect(key(0) == key(0) && key(0) != key(1))
  }

  @Test(
    "a table finds each of many entries, the last of equal entries, and nothing else", arguments: [1, 16, 17, 33, 300])
  func table(count: Int) {
    var table = PackedConstants.Table()
    #expect(table[key(0)] == nil)
    let entries = (0..<count).map { entry($0) }
    for entry in entries { table.insert(entry) }
    for (number, entry) in entries.enumerated() { #expect(table[key(number)] === entry.packed) }
    #expect(table[key(count)] == nil && table[key(-1)] == nil && table.entries.count == count)
  }

  @Test("a table removes unreferenced entries, and their sources with them")
  func removesUnused() {
    var table = PackedConstants.Table()
    var kept: [AlignedBytes] = []
    for number in 0..<40 {
      let entry = entry(number, bytes: number + 1)
      table.insert(entry)
      if number % 3 == 0 { kept.append(entry.packed) }
    }
    let unused = table.unused()
    #expect(unused.count == 26 && unused.byteCount == (0..<40).filter { $0 % 3 != 0 }.reduce(0) { $0 + $1 + 1 })
    #expect(table.removeUnused().count == 26)
    #expect(table.entries.count == 14)
    for number in 0..<40 { #expect((table[key(number)] != nil) == (number % 3 == 0)) }
    withExtendedLifetime(kept) {}
    kept = []
    // A constant that is derived from another one is dropped first.
    var chain = PackedConstants.Table()
    do {
      let first = entry(1)
      chain.insert(first)
      let region = ByteRegion(owner: first.packed, bytes: UnsafeRawBufferPointer(first.packed.bytes))
      chain.insert(entry(2, of: [region]))
    }
    let free = chain.unused()
    #expect(free.count == 1)
    #expect(chain.removeUnused().count == 2 && chain.entries.isEmpty)
  }

  @Test("limits come from the options and the file")
  func limits() throws {
    var limits = RuntimeOptions.Limits()
    limits.arenaBytes = 100
    limits.foldedBytes = 7
    let memory = MemoryBudget(limit: 1000)
    let constants = PackedConstants(limits, fileBytes: 3, memory: memory)
    #expect(constants.foldedByteLimit == 7 + 48 && constants.memory === memory)
    try constants.check(room: 100)
    let error = #expect(throws: RuntimeError.self) { try constants.check(room: 101) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "packed constants take more than the limit of 100 bytes; raise RuntimeOptions.limits.arenaBytes if this is intended"
    )
    #expect(throws: RuntimeError.self) { try PackedConstants(byteLimit: -1).check(room: 1) }
    try PackedConstants(byteLimit: -1).check(room: 0)
  }

  @Test("packed and computed bytes are counted separately, and together count toward the model's memory")
  func counts() throws {
    let memory = MemoryBudget(limit: 500)
    let constants = PackedConstants(byteLimit: 200, memory: memory)
    var table = PackedConstants.Table()
    let entries = [entry(1, bytes: 150), entry(2, bytes: 300, isFolded: true), entry(3, bytes: 50)]
    for entry in entries { table.insert(entry) }
    try constants.add(table)
    try constants.add(table)
    #expect(constants.byteCount == 200 && constants.foldedByteCount == 300 && constants.entryCount == 3)
    #expect(memory.byteCount == 500 && constants[key(3)] === entries[2].packed && constants[key(4)] == nil)
    var more = PackedConstants.Table()
    more.insert(entry(4, bytes: 1, isFolded: true))
    let error = #expect(throws: RuntimeError.self) { try constants.add(more) }
    #expect(error?.message.hasPrefix("constants that are computed or packed take 1 more bytes") == true)
    var packed = PackedConstants.Table()
    packed.insert(entry(5, bytes: 1))
    #expect(throws: RuntimeError.self) { try constants.add(packed) }
    #expect(constants.entryCount == 3 && memory.byteCount == 500)
    withExtendedLifetime(entries) {}
  }

  @Test("unused constants are kept up to 64 constants and one megabyte, and then released")
  func spares() throws {
    func left(unused: [Int], used: [Int] = []) throws -> Int {
      let constants = PackedConstants(byteLimit: .max)
      var kept: [AlignedBytes] = []
      do {
        var table = PackedConstants.Table()
        for (number, bytes) in (unused + used).enumerated() {
          let entry = entry(number, bytes: bytes)
          if number >= unused.count { kept.append(entry.packed) }
          table.insert(entry)
        }
        try constants.add(table)
      }
      constants.removeUnused()
      return withExtendedLifetime(kept) { constants.entryCount }
    }
    func ones(_ count: Int) -> [Int] { [Int](repeating: 1, count: count) }
    #expect(try left(unused: ones(64)) == 64 && left(unused: ones(65)) == 0)
    // As many used constants allow as many more.
    #expect(try left(unused: ones(65), used: [1]) == 66 && left(unused: ones(66), used: [1]) == 1)
    let megabyte = 1 << 20
    #expect(try left(unused: [megabyte]) == 1 && left(unused: [megabyte + 1]) == 0)
    #expect(try left(unused: [megabyte + 100], used: [100]) == 2)
    #expect(try left(unused: [megabyte + 101], used: [100]) == 1)
  }

  // MARK: Constants as operators read them

  private let place = RuntimeError.Location(subgraph: 0, tensor: "w")

  private func loaded(_ bytes: [UInt8], _ type: ElementType, _ shape: Shape, budget: Int = 1000) throws -> (
    bytes: [UInt8], spec: TensorSpec, budget: Int
  ) {
    var spec = TensorSpec(name: "w", elementType: type, shape: shape), left = budget
    let region = try PackedConstants.loadable(
      ByteRegion(bytes), spec: &spec, limits: RuntimeOptions.Limits(), budget: &left, location: place)
    return (region.array, spec, left)
  }

  @Test("2-bit and 4-bit elements become bytes, lowest bits first")
  func narrow() throws {
    let int4 = try loaded([0x21, 0xF8, 0x97], .int4, [5])
    #expect(int4.bytes == [1, 2, 0xF8, 0xFF, 7] && int4.spec.elementType == .int8 && int4.budget == 995)
    let uint4 = try loaded([0x21, 0xF8, 0x97], .uint4, [2, 3])
    #expect(uint4.bytes == [1, 2, 8, 15, 7, 9] && uint4.spec.elementType == .uint8)
    let int2 = try loaded([0b11_10_01_00, 0b00_00_00_10], .int2, [5])
    #expect(int2.bytes == [0, 1, 0xFE, 0xFF, 0xFE] && int2.spec.modelType == .int2)
    #expect(try loaded([], .int4, [0]).bytes.isEmpty)
    #expect(try loaded([0x21, 0, 0], .int4, [1]).bytes == [1])
    let error: RuntimeError? = thrownError { try loaded([0x21, 0x43], .int4, [4], budget: 3) }
    #expect(error?.code == .limitExceeded && error?.location == place)
    #expect(error?.message.contains("of 67108864 bytes plus 64 per byte of the file") == true)
    #expect(try loaded([0x21, 0x43], .int4, [4], budget: 4).budget == 0)
  }

  @Test("other constants have the length of their shape, regardless of the bytes after them in the file")
  func plain() throws {
    let float = try loaded([UInt8](0..<20), .float32, [4])
    #expect(float.bytes == [UInt8](0..<16) && float.budget == 1000 && !float.spec.isSpread)
    #expect(try loaded([UInt8](0..<16), .float32, [4]).bytes.count == 16)
    let error: RuntimeError? = thrownError { try loaded([UInt8](0..<15), .float32, [4]) }
    #expect(error?.code == .invalidModel && error?.message == "'w' float32[4] takes 16 bytes, the model holds 15")
    #expect(try loaded([1, 2, 3], .variant, [9]).bytes == [1, 2, 3])
    #expect(throws: RuntimeError.self) { try loaded([1], .int8, [-1]) }
  }

  // MARK: Sparse constants

  private func dense(
    _ bytes: [UInt8], _ type: ElementType, _ shape: Shape, order: [Int], blocks: [Int] = [],
    _ levels: SparsityDescription.Dimension...
  ) throws -> [UInt8] {
    var spec = TensorSpec(name: "w", elementType: type, shape: shape), left = 1000
    let sparsity = SparsityDescription(traversalOrder: order, blockMap: blocks, dimensions: levels)
    let region = try PackedConstants.loadable(
      ByteRegion(bytes), sparsity: sparsity, spec: &spec, limits: RuntimeOptions.Limits(), budget: &left,
      location: place)
    #expect(spec.isSpread)
    return region.array
  }

  @Test("sparse rows, columns, and blocks are at their indices")
  func sparse() throws {
    // The rows are [0 7 0 8; 0 0 0 0; 9 0 0 0].
    let rows = try dense(
      [7, 8, 9], .int8, [3, 4], order: [0, 1], .dense(size: 3), .sparse(segments: [0, 2, 2, 3], indices: [1, 3, 0]))
    #expect(rows == [0, 7, 0, 8, 0, 0, 0, 0, 9, 0, 0, 0])
    // The same matrix by columns.
    let columns = try dense(
      [9, 7, 8], .int8, [3, 4], order: [1, 0], .dense(size: 4),
      .sparse(segments: [0, 1, 2, 2, 3], indices: [2, 0, 0]))
    #expect(columns == rows)
    // Blocks of two columns with two-byte elements.
    let blocks = try dense(
      [1, 0, 2, 0, 3, 0, 4, 0], .int16, [2, 4], order: [0, 1, 2], blocks: [1], .dense(size: 2),
      .sparse(segments: [0, 1, 2], indices: [1, 0]), .dense(size: 2))
    #expect(blocks == [0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0])
    // Blocks of two rows by two columns: the second in the first row of blocks.
    let square = try dense(
      [1, 2, 3, 4], .int8, [4, 4], order: [0, 1, 2, 3], blocks: [0, 1], .dense(size: 2),
      .sparse(segments: [0, 1, 1], indices: [1]), .dense(size: 2), .dense(size: 2))
    #expect(square == [0, 0, 1, 2, 0, 0, 3, 4] + [UInt8](repeating: 0, count: 8))
  }

  @Test("inconsistent sparse constants are rejected")
  func brokenSparse() throws {
    let level = SparsityDescription.Dimension.sparse(segments: [0, 2], indices: [0, 1])
    #expect(try dense([1, 2, 3, 4], .int16, [1, 2], order: [0, 1], .dense(size: 1), level) == [1, 2, 3, 4])
    let short: RuntimeError? = thrownError {
      try dense([1, 2, 3], .int16, [1, 2], order: [0, 1], .dense(size: 1), level)
    }
    #expect(short?.code == .invalidModel && short?.location == place)
    #expect(short?.message == "'w' int16[1×2] stores 2 elements of 2 bytes, but the model contains 3 bytes")
    let narrow: RuntimeError? = thrownError {
      try dense([1, 2], .int4, [1, 2], order: [0, 1], .dense(size: 1), level)
    }
    #expect(narrow?.code == .invalidModel)
    #expect(narrow?.message.hasSuffix("is sparse, which is not supported for sub-byte elements") == true)
  }

  // MARK: Constants expanded during packing

  @Test("sources are expanded once for all passes, and their memory is reused")
  func expansion() throws {
    let count = Counter()
    let block = AlignedBytes(zeroed: 4)
    block.deferred = LazyBuffer(ByteRegion([5, 6])) { source, target in
      count.value += 1
      for index in 0..<4 { target[index] = source[index / 2] }
    }
    let region = ByteRegion(owner: block, bytes: UnsafeRawBufferPointer(block.bytes))
    let memory = ExpansionMemory(blockBytes: 10)
    let sources = PackingSources([Self.source, region], turns: 2, memory)
    for _ in 0..<2 {
      try sources.read { found in
        #expect(found.map { Array($0) } == [[1, 2, 3, 4], [5, 5, 6, 6]])
      }
    }
    #expect(count.value == 1 && block.bytes.map { $0 } == [0, 0, 0, 0])
    // The block was returned after the last tile.
    let taken = try memory.take()
    #expect(taken.bytes.count == 10 && taken.bytes.prefix(4).map { $0 } == [5, 5, 6, 6])
    #expect(try memory.take() !== taken)
    memory.giveBack([taken])
    #expect(try memory.take() === taken)
  }
}

private final class Counter: @unchecked Sendable {
  var value = 0
}
