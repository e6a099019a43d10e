import Dispatch
import SwiftletBase

/// The constants that one compilation packs: memory is set aside while nodes are prepared, and filled by all threads at
/// once when they are all known.
final class PackingBatch {
  /// One block to be filled, in pieces that do not depend on each other.
  private struct Work: Sendable {
    var items: Int
    var byteCount: Int
    var sources: [ByteRegion]
    var fill: @Sendable (_ sources: [UnsafeRawBufferPointer], _ items: Range<Int>) throws -> Void

    /// The most bytes that one of the sources is expanded to.
    var expandedBytes: Int { sources.reduce(0) { $1.deferred == nil ? $0 : max($0, $1.count) } }
  }

  private let shared: PackedConstants
  /// What packed constants count against: the session's that they are made for, or the model's.
  private let memory: MemoryBudget
  private var table = PackedConstants.Table()
  private var pending: [Work] = []
  private var byteCount = 0
  /// Memory that small blocks are cut from, and how much of it is used.
  private var chunk: AlignedBytes?
  private var used = 0
  private var nextChunkBytes: Int

  /// Larger blocks have memory of their own.
  private static let maximumPart = 1 << 20
  /// A thread should get at least as much to do.
  private static let bytesPerTurn = 1 << 16

  /// - Parameters:
  ///   - memory: What packed constants count against, the model's unless it is given.
  ///   - expectedBytes: About how much will be packed; memory comes cheaper in one piece.
  init(_ shared: PackedConstants, memory: MemoryBudget? = nil, expectedBytes: Int = 0) {
    self.shared = shared
    self.memory = memory ?? shared.memory
    // Most is there already when a model is compiled again.
    nextChunkBytes = max(1 << 12, min(expectedBytes, shared.byteCount == 0 ? 1 << 26 : 1 << 16))
  }

  /// Returns the constants of `regions` in a layout, made now unless they are there already.
  func value(
    _ regions: [ByteRegion], _ layout: PackedLayout, make: () throws -> AlignedBytes
  ) throws -> AlignedBytes {
    let key = PackedConstants.Key(regions, layout)
    if let known = known(key) { return known }
    let packed = try make()
    try insert(packed, key, regions)
    return packed
  }

  /// Returns the constants of `regions` in a layout of `byteCount` bytes, which `fill` writes, some items at a time,
  /// before
  /// `finish` returns.
  func value(
    _ regions: [ByteRegion], _ layout: PackedLayout, byteCount: Int, items: Int,
    fill:
      @escaping @Sendable (_ sources: [UnsafeRawBufferPointer], _ packed: AlignedBytes, _ items: Range<Int>) throws ->
      Void
  ) throws -> AlignedBytes {
    let key = PackedConstants.Key(regions, layout)
    if let known = known(key) { return known }
    let packed = try block(byteCount)
    try insert(packed, key, regions)
    pending.append(
      Work(items: items, byteCount: byteCount, sources: regions) { try fill($0, packed, $1) })
    return packed
  }

  private func known(_ key: PackedConstants.Key) -> AlignedBytes? { table[key] ?? shared[key] }

  private func insert(_ packed: AlignedBytes, _ key: PackedConstants.Key, _ regions: [ByteRegion]) throws {
    try shared.check(room: byteCount + packed.bytes.count)
    try memory.check(room: byteCount + packed.bytes.count, for: "packed constants")
    byteCount += packed.bytes.count
    table.insert(PackedConstants.Entry(key: key, packed: packed, sources: regions))
  }

  private func block(_ count: Int) throws -> AlignedBytes {
    guard count < Self.maximumPart, AlignedBytes.mayShare else {
      return try AlignedBytes.available(count, for: "packed weights")
    }
    let size =
      (count + AlignedBytes.alignment - 1) / AlignedBytes.alignment * AlignedBytes.alignment + AlignedBytes.alignment
    if used + size > chunk?.bytes.count ?? 0 {
      chunk?.takePages(used)
      chunk = try AlignedBytes.available(max(size, nextChunkBytes), for: "packed weights", isWritten: false)
      nextChunkBytes = 1 << 18
      used = 0
    }
    guard let part = chunk.flatMap({ AlignedBytes(count, of: $0, at: used) }) else {
      return try AlignedBytes.available(count, for: "packed weights")
    }
    used += size
    return part
  }

  /// Fills what has been set aside.
  ///
  /// - Throws: the first error of a `fill`.
  func fill(threads: Int) throws {
    let work = pending
    pending = []
    chunk?.takePages(used)
    let workers = min(threads, work.reduce(0) { $0 + $1.byteCount } / (2 * Self.bytesPerTurn))
    let expanded = ExpansionMemory(blockBytes: work.reduce(0) { max($0, $1.expandedBytes) })
    guard workers > 1 else {
      for block in work {
        let sources = PackingSources(block.sources, turns: 1, expanded)
        try sources.read { try block.fill($0, 0..<block.items) }
        sources.dropPages()
      }
      return
    }
    var sources: [PackingSources] = []
    let turns = work.enumerated().flatMap { index, block in
      let count = max(1, min(block.items, block.byteCount / Self.bytesPerTurn))
      sources.append(PackingSources(block.sources, turns: count, expanded))
      return (0..<count).map { (work: index, items: (block.items * $0 / count)..<(block.items * ($0 + 1) / count)) }
    }
    let blocks = sources
    let next = Atomic<Int>(0)
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        let turn = next.add(1, ordering: .relaxed).oldValue
        guard turn < turns.count else { return }
        do {
          try blocks[turns[turn].work].read { try work[turns[turn].work].fill($0, turns[turn].items) }
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    for block in blocks { block.dropPages() }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Fills what has been set aside and shares it with later compilations of the model.
  ///
  /// - Throws: as `fill`, and `limitExceeded` when the model's packed constants are too large.
  func finish(threads: Int) throws {
    try fill(threads: threads)
    try shared.add(table)
  }
}

/// Names one form in which constants are packed: a kind, and every number that the packed bytes depend on besides the
/// constants.
package struct PackedLayout: Hashable, Sendable {
  private let kind: String
  private var numbers: [Int]

  package init(_ kind: String, _ numbers: [Int] = []) {
    self.kind = kind
    self.numbers = numbers
  }

  /// Returns a number that is the same for equal layouts, made of `start`.
  ///
  /// Not by `Hasher`, whose code is a tenth of what a small model's load brings into memory. Models choose some of the
  /// numbers but not the addresses that `start` comes from, and tables stay right whatever they choose.
  func mixed(into start: UInt64) -> UInt64 {
    var result = start
    for unit in kind.utf8 { result = Self.mix(result, UInt64(unit)) }
    for number in numbers { result = Self.mix(result, UInt64(bitPattern: Int64(number))) }
    return result
  }

  /// One step of a multiplicative hash: the multiplication moves every bit up, the shift brings the upper half back.
  static func mix(_ state: UInt64, _ value: UInt64) -> UInt64 {
    let product = (state ^ value) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// Returns the same with further numbers; the last ones, since only their number may vary.
  package func adding(_ further: [Int]) -> PackedLayout {
    PackedLayout(kind, numbers + [numbers.count] + further)
  }
}
