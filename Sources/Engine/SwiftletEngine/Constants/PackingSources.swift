import SwiftletBase

/// Memory for constants that are expanded during packing: one block for each constant that is being packed, reused for
/// the next one.
final class ExpansionMemory: Sendable {
  private let blockBytes: Int
  private let free = Mutex<[AlignedBytes]>([])

  /// Creates expansion memory.
  ///
  /// - Parameter blockBytes: The maximum expanded size of a constant in bytes.
  init(blockBytes: Int) { self.blockBytes = blockBytes }

  func take() throws -> AlignedBytes {
    if let block = free.withLock({ $0.popLast() }) { return block }
    return try AlignedBytes.available(blockBytes, for: "constants while they are packed", isWritten: false)
  }

  func giveBack(_ blocks: [AlignedBytes]) { free.withLock { $0 += blocks } }
}

/// The source constants of one block, expanded while a thread packs them.
final class PackingSources: Sendable {
  private struct State {
    /// The number of unfinished calls of ``read(_:)``.
    var turns: Int
    var isReady = false
    /// The expanded contents of the lazy regions, in region order.
    var blocks: [AlignedBytes] = []
  }

  private let regions: [ByteRegion]
  private let contents: [LazyBuffer?]
  private let memory: ExpansionMemory
  private let state: Mutex<State>

  /// Creates packing sources.
  ///
  /// - Parameter turns: The number of calls of ``read(_:)``.
  init(_ regions: [ByteRegion], turns: Int, _ memory: ExpansionMemory) {
    self.regions = regions
    self.memory = memory
    contents = regions.map(\.deferred)
    state = Mutex(State(turns: turns))
  }

  /// Calls `body` with the bytes of the regions.
  func read(_ body: ([UnsafeRawBufferPointer]) throws -> Void) throws {
    defer { end() }
    let blocks = try ready()
    var next = 0
    let bytes = zip(regions, contents).map { region, contents in
      guard contents != nil else { return region.bytes }
      next += 1
      return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(blocks[next - 1].bytes).prefix(region.count))
    }
    try withExtendedLifetime((regions, blocks)) { try body(bytes) }
  }

  private func ready() throws -> [AlignedBytes] {
    try state.withLock { state in
      guard !state.isReady else { return state.blocks }
      for (region, contents) in zip(regions, contents) {
        guard let contents else { continue }
        let block = try memory.take()
        state.blocks.append(block)
        contents.expand(into: UnsafeMutableRawBufferPointer(rebasing: block.bytes.prefix(region.count)))
      }
      state.isReady = true
      return state.blocks
    }
  }

  private func end() {
    let blocks = state.withLock { state in
      state.turns -= 1
      guard state.turns == 0 else { return [AlignedBytes]() }
      defer { state.blocks = [] }
      return state.blocks
    }
    memory.giveBack(blocks)
  }

  /// Releases the pages of the model's own copy, which is read again only if another layout is packed.
  func dropPages() {
    for region in regions {
      region.dropPages()
      (region.owner as? AlignedBytes)?.deferred?.source.dropPages()
    }
  }
}
