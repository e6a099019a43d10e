import SwiftletBase

/// Memory that constants are expanded to while they are packed: one block for each that is packed at the same time,
/// taken again for the next one.
final class ExpansionMemory: Sendable {
  private let blockBytes: Int
  private let free = Mutex<[AlignedBytes]>([])

  /// - Parameter blockBytes: The most bytes that anything is expanded to.
  init(blockBytes: Int) { self.blockBytes = blockBytes }

  func take() throws -> AlignedBytes {
    if let block = free.withLock({ $0.popLast() }) { return block }
    return try AlignedBytes.available(blockBytes, for: "constants while they are packed", isWritten: false)
  }

  func giveBack(_ blocks: [AlignedBytes]) { free.withLock { $0 += blocks } }
}

/// The constants that one block is packed from, expanded while some thread packs them.
final class PackingSources: Sendable {
  private struct State {
    /// How many turns have not ended.
    var turns: Int
    var isReady = false
    /// What the regions that are expanded were expanded to, in their order.
    var blocks: [AlignedBytes] = []
  }

  private let regions: [ByteRegion]
  private let contents: [LazyBuffer?]
  private let memory: ExpansionMemory
  private let state: Mutex<State>

  /// - Parameter turns: How often ``read(_:)`` will be called.
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

  /// The model's own copy is not read again, unless another layout is made of it.
  func dropPages() {
    for region in regions {
      region.dropPages()
      (region.owner as? AlignedBytes)?.deferred?.source.dropPages()
    }
  }
}
