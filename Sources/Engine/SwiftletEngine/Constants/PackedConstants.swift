import SwiftletBase

/// Constants in packed layouts, shared by all programs that are compiled from one model.
final class PackedConstants: Sendable {
  private struct Source: Equatable {
    var address: UInt
    var count: Int
  }

  /// The sources and the layout of a packed constant.
  struct Key: Equatable {
    private var sources: [Source]
    private var layout: PackedLayout
    /// The hash in a table. The address alone isn't enough, because one source may be packed in any number of layouts.
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
    /// The sources, retained so that their addresses aren't reused.
    var sources: [ByteRegion]
    /// Whether the entry is a computed tensor instead of a packed layout.
    var isFolded = false
    /// The previous entry in the chain, or -1 for the first.
    var next = -1
  }

  /// Packed constants by key.
  ///
  /// A custom hash table instead of a dictionary. On first use, a dictionary would search the whole program for its
  /// key's protocol conformance, which takes as long as the rest of loading a small model.
  struct Table {
    /// The entries in insertion order. The sources of an entry precede it.
    private(set) var entries: [Entry] = []
    /// The last entry for each value of the low bits of `Key.order`, or -1 if there is none. The count is a power of
    /// two.
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

    /// Returns the number and size of the entries that only this table references and that no referenced entry depends
    /// on.
    mutating func unused() -> (count: Int, byteCount: Int) {
      var result = (count: 0, byteCount: 0)
      for index in entries.indices where isKnownUniquelyReferenced(&entries[index].packed) {
        result.count += 1
        result.byteCount += entries[index].packed.bytes.count
      }
      return result
    }

    /// Removes the entries that only this table references, and then the entries that only removed entries depended on.
    /// Returns the removed entries.
    mutating func removeUnused() -> [Entry] {
      var removed: [Entry] = []
      var isRemoved = [Bool](repeating: false, count: entries.count)
      // Latest first: after an entry is removed, its source may be referenced only by the table.
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
    /// The size of the packed entries in bytes.
    var byteCount = 0
    /// The size of the computed entries in bytes.
    var foldedByteCount = 0
  }

  private let contents = Mutex(Contents())
  private let byteLimit: Int
  /// The maximum size, in bytes, of the constants that a program may compute at load.
  let foldedByteLimit: Int
  /// The budget of the compiled model.
  let memory: MemoryBudget

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - byteLimit: The maximum size of packed constants. One source may be packed in several layouts, and sources may
  ///     overlap.
  ///   - foldedByteLimit: The maximum size, in bytes, of the constants that one program may compute at load.
  ///   - memory: The budget for the memory of the model.
  init(byteLimit: Int, foldedByteLimit: Int = .max, memory: MemoryBudget = MemoryBudget(limit: .max)) {
    self.byteLimit = max(0, byteLimit)
    self.foldedByteLimit = foldedByteLimit
    self.memory = memory
  }

  /// Creates a collection for a model whose file has `fileBytes` bytes.
  convenience init(_ limits: RuntimeOptions.Limits, fileBytes: Int, memory: MemoryBudget) {
    self.init(
      byteLimit: limits.arenaBytes,
      foldedByteLimit: RuntimeOptions.Limits.inProportion(
        limits.foldedBytes, RuntimeOptions.Limits.foldedBytesPerByte, fileBytes: fileBytes),
      memory: memory)
  }

  /// The size of all packed constants in bytes.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  /// The number of computed and packed constants.
  var entryCount: Int { contents.withLock { $0.table.entries.count } }

  /// The size of all computed constants in bytes.
  var foldedByteCount: Int { contents.withLock { $0.foldedByteCount } }

  subscript(key: Key) -> AlignedBytes? { contents.withLock { $0.table[key] } }

  /// Shares the constants that a compilation created. If another compilation has already added the same constants,
  /// those are kept.
  ///
  /// - Throws: `limitExceeded` if the size exceeds the limit.
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

  /// Releases the constants that no program uses anymore, but only if they exceed the used constants. Inputs often
  /// alternate between a few shapes.
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

  /// The size of unused constants that is always kept.
  private static let sparedByteCount = 1 << 20
  private static let sparedCount = 64

  /// Counts the given number of additional bytes, removing unused constants if necessary. Returns an error if there is
  /// no room.
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

  /// Checks whether there is room for `byteCount` more packed bytes.
  ///
  /// - Throws: `limitExceeded` if there is no room.
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
