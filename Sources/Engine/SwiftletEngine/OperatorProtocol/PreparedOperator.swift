/// A reference to the memory of a tensor or of scratch memory in a run.
package struct TensorSlot: Sendable, Hashable {
  package let index: Int
}

/// The context of a running tile: the addresses of this session's tensors.
///
/// Unchecked `Sendable` because the dependencies between steps prevent tiles from accessing the same bytes at the same
/// time.
package struct RunContext: @unchecked Sendable {
  /// The addresses by slot index.
  package let pointers: UnsafePointer<UnsafeMutableRawPointer>
  /// The scratch memory of the worker that runs this tile, with the size requested by
  /// `PrepareContext.requireWorkerScratch`. It is 64-byte aligned and followed by `MemoryPlan.slackBytes` readable
  /// bytes. Its contents are undefined.
  package let workerScratch: UnsafeMutableRawPointer
}

/// The stages that a run executes for one node, in order. Each stage is split into independent tiles.
package struct PreparedOperator: Sendable {
  package typealias Tile = @Sendable (RunContext, Int) throws -> Void

  package struct Stage: Sendable {
    /// The number of tiles. Results must not depend on their order or on the threads that run them.
    package var tileCount: Int
    package var run: Tile
    /// The precision of the computation, `reduced` if it uses a shorter format than the tensors.
    package var precision = Precision.full
    /// The approximate single-thread time of all tiles, in nanoseconds, never far too low. If it is `nil`, it is
    /// estimated from the size of the node's tensors, each of which is read or written a few times.
    package var work: Double?
    /// The slots that the stage reads, if it accesses less than the node's `prepare` requested. By default, a stage
    /// reads all inputs, and reads and writes outputs, scratch memory, variables, and other state. In checked mode, a
    /// stage can't access anything else.
    package var reads: [TensorSlot]?
    /// The slots that the stage writes, and may also read; see `reads`.
    package var writes: [TensorSlot]?
    /// Returns the stage with tiles for the given number of threads; `nil` if its tiles are fixed.
    private var cutting: (@Sendable (Int) -> Stage)?

    package init(tileCount: Int, work: Double? = nil, run: @escaping Tile) {
      self.tileCount = tileCount
      self.work = work
      self.run = run
    }
  }

  /// The stages in order. A stage starts when all tiles of the previous stage are finished.
  package var stages: [Stage]
  /// If set, output 0 has the same bytes as this input and may share its memory. The stages are then used only if
  /// sharing isn't possible.
  package var sharesMemoryWithInput: Int?
  /// The number of multiply-adds in a run, for reports.
  package var multiplyAdds: Int

  package init(stages: [Stage], sharesMemoryWithInput: Int? = nil, multiplyAdds: Int = 0) {
    self.stages = stages
    self.sharesMemoryWithInput = sharesMemoryWithInput
    self.multiplyAdds = multiplyAdds
  }

  /// Creates one stage of `tiles` tiles.
  ///
  /// - Parameter work: See `Stage.work`.
  package init(tiles: Int = 1, work: Double? = nil, multiplyAdds: Int = 0, run: @escaping Tile) {
    self.init(stages: [Stage(tileCount: tiles, work: work, run: run)], multiplyAdds: multiplyAdds)
  }

  /// Creates one stage over `count` independent items, divided into ranges. `cost` is the approximate time per item in
  /// nanoseconds. Ranges are long enough that a tile is worth handing to a thread.
  package init(
    items count: Int, cost: Double, multiplyAdds: Int = 0,
    run: @escaping @Sendable (RunContext, Range<Int>) throws -> Void
  ) {
    self.init(stages: [Stage(items: count, cost: cost, run: run)], multiplyAdds: multiplyAdds)
  }

  /// An operator with no work, for example because an output is empty.
  package static let empty = PreparedOperator(stages: [])
}

extension PreparedOperator.Stage {
  /// The target time per tile: long enough to amortize the handover, short enough to balance the load.
  package static let tileNanoseconds = 20_000.0

  /// Returns the target time per tile for a stage of length `total` and the given number of threads. Each thread gets a
  /// few tiles, so that none waits long for the last tile, but tiles stay long enough to amortize the handover.
  package static func tileNanoseconds(total: Double, threads: Int) -> Double {
    threads == 1 ? tileNanoseconds : min(tileNanoseconds, max(2000, total / Double(4 * threads)))
  }

  /// Returns `pieces`, rounded up to the same number for each thread. All threads' parts then end at the same share of
  /// `count` pieces in every stage, so that threads find their own data in their caches.
  package static func evenly(_ pieces: Int, of count: Int, threads: Int) -> Int {
    guard pieces > threads else { return min(count, max(pieces, 0)) }
    return min(count, (pieces + threads - 1) / threads * threads)
  }

  /// Returns part `index` of `count` items that are divided evenly.
  @inline(__always)
  package static func part(_ index: Int, of count: Int, parts: Int) -> Range<Int> {
    // In small models, divisions are noticeable.
    if parts == 1 { return 0..<count }
    let size = count / parts, larger = count % parts
    let start = index &* size &+ index &* larger / parts
    return start..<(index &+ 1) &* size &+ (index &+ 1) &* larger / parts
  }

  /// Creates a stage with a variable number of tiles. `cutting` returns the stage with tiles for a number of threads.
  package init(cutting: @escaping @Sendable (Int) -> PreparedOperator.Stage) {
    self = cutting(2)
    self.cutting = cutting
  }

  /// Returns the stage with tiles for the given number of threads.
  func cut(forThreads threads: Int) -> PreparedOperator.Stage {
    guard let cutting else { return self }
    var stage = cutting(threads)
    stage.reads = reads
    stage.writes = writes
    return stage
  }

  /// Returns the stage with access limited to these slots in checked mode; see `reads`.
  package func touching(reads: [TensorSlot], writes: [TensorSlot]) -> PreparedOperator.Stage {
    var stage = self
    stage.reads = reads
    stage.writes = writes
    return stage
  }

  /// The maximum time between two checks of the deadline on a single thread.
  package static let maximumNanoseconds = 5_000_000.0

  /// Creates a stage over `count` independent items, divided into ranges; see
  /// `PreparedOperator.init(items:cost:multiplyAdds:run:)`. A single thread gets all items in one tile, unless they
  /// take long.
  package init(
    items count: Int, cost: Double, run: @escaping @Sendable (RunContext, Range<Int>) throws -> Void
  ) {
    let cost = max(cost, 0.001)
    self.init { threads in
      let tile =
        threads == 1 ? Self.maximumNanoseconds : Self.tileNanoseconds(total: cost * Double(count), threads: threads)
      let perTile = max(1, Int(min(tile / cost, 1e15)))
      let tiles = Self.evenly((count + perTile - 1) / perTile, of: count, threads: threads)
      return PreparedOperator.Stage(tileCount: tiles, work: cost * Double(count)) { context, tile in
        try run(context, Self.part(tile, of: count, parts: tiles))
      }
    }
  }
}
