/// Where a run finds a tensor or a piece of scratch memory.
package struct TensorSlot: Sendable, Hashable {
  package let index: Int
}

/// What a running tile gets: the addresses of this session's tensors.
///
/// Unchecked `Sendable` because the steps' dependencies keep tiles from touching the same bytes at the same time.
package struct RunContext: @unchecked Sendable {
  /// By the slots' indices.
  package let pointers: UnsafePointer<UnsafeMutableRawPointer>
  /// Memory of the worker that runs this tile, as much as `PrepareContext.requireWorkerScratch` asked for; 64-byte
  /// aligned, with `MemoryPlan.slackBytes` readable bytes behind it, contents undefined.
  package let workerScratch: UnsafeMutableRawPointer
}

/// What a run executes for one node: stages in order, each split into independent tiles.
package struct PreparedOperator: Sendable {
  package typealias Tile = @Sendable (RunContext, Int) throws -> Void

  package struct Stage: Sendable {
    /// How many tiles; tile indices run from 0. Results must not depend on the order or on who runs them.
    package var tileCount: Int
    package var run: Tile
    /// Whether shorter formats than the tensors' own are computed with.
    package var precision = Precision.full
    /// What all tiles together take of one thread, in nanoseconds, roughly and never far too little; `nil` if that
    /// follows from the bytes of the node's tensors, each of which is read or written a few times.
    package var work: Double?
    /// What the stage reads and writes, where that is less than all that the node's `prepare` has asked for: inputs are
    /// read, outputs, scratch memory, variables and other state read and written. In checked mode a stage can touch
    /// nothing else.
    package var reads: [TensorSlot]?
    /// See `reads`. What is written may also be read.
    package var writes: [TensorSlot]?
    /// The stage with tiles for so many threads; `nil` if its tiles are given.
    private var cutting: (@Sendable (Int) -> Stage)?

    package init(tileCount: Int, work: Double? = nil, run: @escaping Tile) {
      self.tileCount = tileCount
      self.work = work
      self.run = run
    }
  }

  /// Stages in order: a stage starts when all tiles of the one before are finished.
  package var stages: [Stage]
  /// When set, output 0 has the same bytes as this input and may share its memory. The stages are then used only
  /// where sharing is not possible.
  package var sharesMemoryWithInput: Int?
  /// Multiply-adds of a run, for reports.
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

  /// Creates one stage over `count` independent items in ranges. `cost` is the work of one item in nanoseconds,
  /// roughly; ranges are cut so that a tile is worth handing to a thread.
  package init(
    items count: Int, cost: Double, multiplyAdds: Int = 0,
    run: @escaping @Sendable (RunContext, Range<Int>) throws -> Void
  ) {
    self.init(stages: [Stage(items: count, cost: cost, run: run)], multiplyAdds: multiplyAdds)
  }

  /// Nothing to do, for example when an output is empty.
  package static let empty = PreparedOperator(stages: [])
}

extension PreparedOperator.Stage {
  /// A tile should take about this long: long enough to pay for handing it out, short enough to balance.
  package static let tileNanoseconds = 20_000.0

  /// Returns the same where a stage as long as `total` is cut for so many threads: a few tiles for each, so that none
  /// waits long for the last one, if tiles do not become so short that handing them out shows.
  package static func tileNanoseconds(total: Double, threads: Int) -> Double {
    threads == 1 ? tileNanoseconds : min(tileNanoseconds, max(2000, total / Double(4 * threads)))
  }

  /// So many pieces, or a few more: as many for each thread, so that all threads' parts end at the same share of
  /// `count` pieces in every stage, and threads find what they wrote.
  package static func evenly(_ pieces: Int, of count: Int, threads: Int) -> Int {
    guard pieces > threads else { return min(count, max(pieces, 0)) }
    return min(count, (pieces + threads - 1) / threads * threads)
  }

  /// Part `index` of `count` items in even parts.
  @inline(__always)
  package static func part(_ index: Int, of count: Int, parts: Int) -> Range<Int> {
    let size = count / parts, larger = count % parts
    let start = index &* size &+ index &* larger / parts
    return start..<(index &+ 1) &* size &+ (index &+ 1) &* larger / parts
  }

  /// Creates a stage that can be cut in other ways; `cutting` makes one with tiles for so many threads.
  package init(cutting: @escaping @Sendable (Int) -> PreparedOperator.Stage) {
    self = cutting(2)
    self.cutting = cutting
  }

  /// Returns the same stage with tiles for so many threads.
  func cut(forThreads threads: Int) -> PreparedOperator.Stage {
    guard let cutting else { return self }
    var stage = cutting(threads)
    stage.reads = reads
    stage.writes = writes
    return stage
  }

  /// Returns the same stage, confined to these in checked mode; see `reads`.
  package func touching(reads: [TensorSlot], writes: [TensorSlot]) -> PreparedOperator.Stage {
    var stage = self
    stage.reads = reads
    stage.writes = writes
    return stage
  }

  /// One thread alone looks this often whether it is to stop.
  package static let maximumNanoseconds = 5_000_000.0

  /// Creates a stage over `count` independent items in ranges; see
  /// `PreparedOperator.init(items:cost:multiplyAdds:run:)`. One thread alone gets all items at once, unless they take
  /// long.
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
