import SwiftletBase

/// Constants in the layouts that kernels read, shared by everything compiled from one model.
final class PackedConstants: Sendable {
  private struct Source: Equatable {
    var address: UInt
    var count: Int
  }

  /// What is packed, and how.
  struct Key: Equatable {
    private var sources: [Source]
    private var layout: PackedLayout
    /// Its place in a table. Not the address: any number of layouts may be made of one source.
    fileprivate let order: Int

    init(_ regions: [ByteRegion], _ layout: PackedLayout) {
      sources = regions.map { Source(address: UInt(bitPattern: $0.bytes.baseAddress), count: $0.count) }
      self.layout = layout
      var order: UInt64 = 0
      for source in sources {
        order = PackedLayout.mix(PackedLayout.mix(order, UInt64(source.address)), UInt64(source.count))
      }
      self.order = Int(truncatingIfNeeded: layout.mixed(into: order))
    }
  }

  struct Entry {
    var key: Key
    var packed: AlignedBytes
    /// Keeps the sources alive, so that their addresses stay their own.
    var sources: [ByteRegion]
    /// Whether it is a tensor that was computed, not a layout of one.
    var isFolded = false
    /// The entry before it in its chain, -1 for the first.
    var next = -1
  }

  /// Packed constants by what they are.
  ///
  /// A hash table of its own, not a dictionary: at its first use that would look for its key's conformance through the
  /// whole program, as long as a small model takes to load otherwise.
  struct Table {
    /// In the order in which they came: what one is made of stands before it.
    private(set) var entries: [Entry] = []
    /// For each value of the low bits of `Key.order` the last entry that has it, -1 where there is none. As many as a
    /// power of two.
    private var chains: [Int] = []

    subscript(key: Key) -> AlignedBytes? {
      guard !chains.isEmpty else { return nil }
      var position = chains[key.order & (chains.count - 1)]
      while position >= 0 {
        if entries[position].key.order == key.order, entries[position].key == key { return entries[position].packed }
        position = entries[position].next
      }
      return nil
    }

    mutating func insert(_ entry: Entry) {
      entries.append(entry)
      if entries.count > chains.count { chain(max(16, 2 * chains.count)) } else { link(entries.count - 1) }
    }

    private mutating func link(_ position: Int) {
      let chain = entries[position].key.order & (chains.count - 1)
      entries[position].next = chains[chain]
      chains[chain] = position
    }

    private mutating func chain(_ count: Int) {
      chains = Array(repeating: -1, count: count)
      for position in entries.indices { link(position) }
    }

    /// The entries that nothing but this table refers to, as far as others here are not made of them.
    mutating func unused() -> (count: Int, byteCount: Int) {
      var result = (count: 0, byteCount: 0)
      for index in entries.indices where isKnownUniquelyReferenced(&entries[index].packed) {
        result.count += 1
        result.byteCount += entries[index].packed.bytes.count
      }
      return result
    }

    /// Removes the entries that nothing but this table refers to, and those that nothing else was made of. Returns
    /// them.
    mutating func removeUnused() -> [Entry] {
      var removed: [Entry] = []
      var isRemoved = [Bool](repeating: false, count: entries.count)
      // The latest first: removing an entry may leave what it was made of to the table alone.
      for index in entries.indices.reversed() where isKnownUniquelyReferenced(&entries[index].packed) {
        isRemoved[index] = true
        entries[index].sources = []
        removed.append(entries[index])
      }
      if !removed.isEmpty {
        entries = entries.indices.filter { !isRemoved[$0] }.map { entries[$0] }
        chain(chains.count)
      }
      return removed
    }
  }

  private struct Contents {
    var table = Table()
    /// Of the entries, those that were computed not included.
    var byteCount = 0
    /// Of those that were computed.
    var foldedByteCount = 0
  }

  private let contents = Mutex(Contents())
  private let byteLimit: Int
  /// How many bytes of constants a program may have computed at load.
  let foldedByteLimit: Int
  /// Of the compiled model.
  let memory: MemoryBudget

  /// - Parameters:
  ///   - byteLimit: How much may be packed. One source may be packed in several layouts, and sources may overlap.
  ///   - foldedByteLimit: How many bytes of constants one program may have computed at load.
  ///   - memory: What the model's memory counts against.
  init(byteLimit: Int, foldedByteLimit: Int = .max, memory: MemoryBudget = MemoryBudget(limit: .max)) {
    self.byteLimit = max(0, byteLimit)
    self.foldedByteLimit = foldedByteLimit
    self.memory = memory
  }

  /// For a model whose file has `fileBytes` bytes.
  convenience init(_ limits: RuntimeOptions.Limits, fileBytes: Int, memory: MemoryBudget) {
    self.init(
      byteLimit: limits.arenaBytes,
      foldedByteLimit: RuntimeOptions.Limits.inProportion(
        limits.foldedBytes, RuntimeOptions.Limits.foldedBytesPerByte, fileBytes: fileBytes),
      memory: memory)
  }

  /// The bytes of everything packed that is there.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  /// How many constants are there, computed or packed.
  var entryCount: Int { contents.withLock { $0.table.entries.count } }

  /// The bytes of the constants that were computed and are there.
  var foldedByteCount: Int { contents.withLock { $0.foldedByteCount } }

  subscript(key: Key) -> AlignedBytes? { contents.withLock { $0.table[key] } }

  /// Shares what a compilation has made. Where another one was faster, its constants are those that are found from now
  /// on.
  ///
  /// - Throws: `limitExceeded` if it exceeds the limit.
  func add(_ table: Table) throws(RuntimeError) {
    let error: RuntimeError? = contents.withLock { contents in
      var (packed, folded) = (0, 0)
      for entry in table.entries where contents.table[entry.key] == nil {
        if entry.isFolded { folded += entry.packed.bytes.count } else { packed += entry.packed.bytes.count }
      }
      if let error = makeRoom(&contents, packed: packed, folded: folded) { return error }
      for entry in table.entries where contents.table[entry.key] == nil { contents.table.insert(entry) }
      return nil
    }
    if let error { throw error }
  }

  /// Gives back what no program uses any more, unless it is no more than what is used: inputs often change between a
  /// few shapes.
  func removeUnused() {
    contents.withLock { contents in
      let unused = contents.table.unused()
      if unused.byteCount > contents.byteCount + contents.foldedByteCount - unused.byteCount + Self.sparedByteCount
        || unused.count > contents.table.entries.count - unused.count + Self.sparedCount
      {
        removeUnused(&contents)
      }
    }
  }

  /// So much that is not used does no harm.
  private static let sparedByteCount = 1 << 20
  private static let sparedCount = 64

  /// Counts so many more bytes, if need be in the place of those that are not used. Returns why that cannot be.
  private func makeRoom(_ contents: inout Contents, packed: Int, folded: Int) -> RuntimeError? {
    for isLast in [false, true] {
      do throws(RuntimeError) {
        guard packed <= byteLimit - contents.byteCount else { throw tooMuch }
        try memory.charge(packed + folded, for: "constants that are computed or packed")
        contents.byteCount += packed
        contents.foldedByteCount += folded
        return nil
      } catch {
        if isLast { return error }
        removeUnused(&contents)
      }
    }
    return nil
  }

  private func removeUnused(_ contents: inout Contents) {
    for entry in contents.table.removeUnused() {
      let count = entry.packed.bytes.count
      if entry.isFolded { contents.foldedByteCount -= count } else { contents.byteCount -= count }
      memory.refund(count)
    }
  }

  /// - Throws: `limitExceeded` if `byteCount` more packed bytes are too much.
  func check(room byteCount: Int) throws(RuntimeError) {
    let fits = contents.withLock { contents in
      if byteCount > byteLimit - contents.byteCount { removeUnused(&contents) }
      return byteCount <= byteLimit - contents.byteCount
    }
    if !fits { throw tooMuch }
  }

  private var tooMuch: RuntimeError {
    RuntimeError(
      .limitExceeded,
      "packed constants take more than the limit of \(byteLimit) bytes; raise RuntimeOptions.limits.arenaBytes if this is intended"
    )
  }
}
