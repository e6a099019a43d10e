import Dispatch
import SwiftletBase

/// The constants that one compilation packs. Memory is reserved while nodes are prepared. Once all constants are known,
/// all threads fill it in parallel.
final class PackingBatch {
  /// One block to fill, in independent pieces.
  private struct Work: Sendable {
    var items: Int
    var byteCount: Int
    var sources: [ByteRegion]
    var fill: @Sendable (_ sources: [UnsafeRawBufferPointer], _ items: Range<Int>) throws -> Void

    /// The maximum expanded size of a source in bytes.
    var expandedBytes: Int { sources.reduce(0) { $1.deferred == nil ? $0 : max($0, $1.count) } }
  }

  private let shared: PackedConstants
  /// The budget for packed constants: of the session that needs them, or of the model.
  private let memory: MemoryBudget
  private var table = PackedConstants.Table()
  private var pending: [Work] = []
  private var byteCount = 0
  /// The current chunk, which small blocks are allocated from, and the used part of it.
  private var chunk: AlignedBytes?
  private var used = 0
  private var nextChunkBytes: Int

  /// The maximum size of a block in a chunk. Larger blocks have their own memory.
  private static let maximumPart = 1 << 20
  /// The minimum work per thread.
  private static let bytesPerTurn = 1 << 16

  /// Creates a batch.
  ///
  /// - Parameters:
  ///   - shared: The shared constants of the model.
  ///   - memory: The budget for packed constants, or `nil` for the model's budget.
  ///   - expectedBytes: The approximate total size. One large allocation is cheaper than many small ones.
  init(_ shared: PackedConstants, memory: MemoryBudget? = nil, expectedBytes: Int = 0) {
    self.shared = shared
    self.memory = memory ?? shared.memory
    // If a model is compiled again, most constants already exist.
    nextChunkBytes = max(1 << 12, min(expectedBytes, shared.byteCount == 0 ? 1 << 26 : 1 << 16))
  }

  /// Returns the constants of `regions` in a layout, packed now unless they already exist.
  func value(
    _ regions: [ByteRegion], _ layout: PackedLayout, make: () throws -> AlignedBytes
  ) throws -> AlignedBytes {
    let key = PackedConstants.Key(regions, layout)
    if let known = known(key) { return known }
    let packed = try make()
    try insert(packed, key, regions)
    return packed
  }

  /// Returns the constants of `regions` in a layout of `byteCount` bytes. `fill` writes them, a range of items per
  /// call, before `finish` returns.
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

  /// Fills the reserved memory.
  ///
  /// - Throws: The first error of a `fill` function.
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

  /// Fills the reserved memory and shares it with later compilations of the model.
  ///
  /// - Throws: The errors of `fill`, and `limitExceeded` if the model's packed constants are too large.
  func finish(threads: Int) throws {
    try fill(threads: threads)
    try shared.add(table)
  }
}

/// The layout of packed constants: a kind, and every number other than the constants that the packed bytes depend on.
package struct PackedLayout: Hashable, Sendable {
  private let kind: String
  private var numbers: [Int]

  package init(_ kind: String, _ numbers: [Int] = []) {
    self.kind = kind
    self.numbers = numbers
  }

  /// Returns a hash that is the same for equal layouts, seeded with `start`.
  ///
  /// `Hasher` isn't used, because its code is a tenth of the code pages that loading a small model touches. Models
  /// control some of the numbers but not the addresses in `start`, and tables stay correct for any hash.
  func mixed(into start: UInt64) -> UInt64 {
    var result = start
    for unit in kind.utf8 { result = Self.mix(result, UInt64(unit)) }
    for number in numbers { result = Self.mix(result, UInt64(bitPattern: Int64(number))) }
    return result
  }

  /// Applies one step of a multiplicative hash. The multiplication moves every bit up, and the shift brings the upper
  /// half back. back.
  static func mix(_ state: UInt64, _ value: UInt64) -> UInt64 {
    let product = (state ^ value) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// Returns the layout with more numbers appended. They must come last, because only their count may vary.
  package func adding(_ further: [Int]) -> PackedLayout {
    PackedLayout(kind, numbers + [numbers.count] + further)
  }
}
