import SwiftletBase

/// The available tiles of a run's phases, and the phases that are finished.
///
/// Every worker has a part of each phase's tiles (`TileParts`), so that its own earlier writes are in its cache. A
/// worker that has finished its own part takes tiles from the end of other parts, except the last tile from an active
/// worker. It takes tiles of a worker that hasn't started only after a short wait. Fetching data from another core
/// takes longer than such waits.
struct TileCounters: ~Copyable {
  private let workerCount: Int
  private let phaseCount: Int
  private let tileCounts: [Int]
  /// For each worker and phase, the available tiles of the worker's part and their end. The entries of one worker are
  /// contiguous, because it iterates over them.
  private let parts: UnsafeMutablePointer<Atomic<Int>>
  /// The number of unfinished tiles per phase.
  private let unfinished: UnsafeMutablePointer<Atomic<Int>>

  init(tileCounts: [Int], workers: Int) {
    workerCount = workers
    phaseCount = tileCounts.count
    self.tileCounts = tileCounts
    parts = .allocate(capacity: max(1, 2 * workers * phaseCount))
    unfinished = .allocate(capacity: max(1, phaseCount))
    for index in 0..<(2 * workers * phaseCount) { (parts + index).initialize(to: Atomic(0)) }
    for index in 0..<phaseCount { (unfinished + index).initialize(to: Atomic(0)) }
  }

  deinit {
    parts.deinitialize(count: 2 * workerCount * phaseCount)
    unfinished.deinitialize(count: phaseCount)
    parts.deallocate()
    unfinished.deallocate()
  }

  /// The number of times to poll whether a worker starts its part, about two microseconds.
  private static let patience = 50

  @inline(__always)
  private func start(_ worker: Int, tileCount: Int) -> Int {
    TileParts.start(worker, of: workerCount, tileCount: tileCount)
  }

  /// Makes all tiles of all phases available. No worker may be taking tiles.
  func reset() {
    for phase in 0..<phaseCount {
      let count = tileCounts[phase]
      unfinished[phase].store(count, ordering: .relaxed)
      for worker in 0..<workerCount {
        let end = start(worker &+ 1, tileCount: count)
        let part = parts + 2 &* (worker &* phaseCount &+ phase)
        part[0].store(end &- start(worker, tileCount: count), ordering: .relaxed)
        part[1].store(end, ordering: .relaxed)
      }
    }
  }

  /// Takes all available tiles of a phase, first those of the worker's own part in ascending order, and counts them as
  /// finished after `body` has run them.
  ///
  /// - Parameter isPresent: Returns whether a worker is in the run, so that it may soon start its part.
  @inline(__always)
  func takeTiles(of phase: Int, worker: Int, isPresent: (Int) -> Bool = { _ in false }, _ body: (Int) -> Void) {
    var done = 0
    let own = parts + 2 &* (worker &* phaseCount &+ phase)
    var tile = start(worker, tileCount: tileCounts[phase])
    while own[0].load(ordering: .relaxed) > 0, own[0].subtract(1, ordering: .relaxed).oldValue > 0 {
      body(tile)
      tile &+= 1
      done &+= 1
    }
    var other = worker
    for _ in 1..<max(1, workerCount) {
      other = other &+ 1 == workerCount ? 0 : other &+ 1
      let part = parts + 2 &* (other &* phaseCount &+ phase)
      let whole = start(other &+ 1, tileCount: tileCounts[phase]) &- start(other, tileCount: tileCounts[phase])
      var looks = 0
      // The worker that takes the first tile of a part continues to its end. It is the part's owner, or the worker that
      // found that the owner isn't present.
      var isDeserted = false
      while true {
        let left = part[0].load(ordering: .relaxed)
        guard left > 0 else { break }
        if left == whole, !isDeserted {
          if looks < Self.patience, isPresent(other) {
            looks &+= 1
            spinWait()
            continue
          }
          isDeserted = true
        }
        guard isDeserted || left > 1, part[0].subtract(1, ordering: .relaxed).oldValue > 0 else { break }
        body(part[1].subtract(1, ordering: .relaxed).newValue)
        done &+= 1
      }
    }
    if done > 0 { unfinished[phase].subtract(done, ordering: .acquiringAndReleasing) }
  }

  /// Returns whether all tiles of a phase are finished. If so, their writes are visible.
  @inline(__always)
  func isFinished(_ phase: Int) -> Bool { unfinished[phase].load(ordering: .acquiring) == 0 }
}

/// The parts of a phase's tiles that belong to the workers: each worker has the same part of the rows in consecutive
/// phases.
package enum TileParts {
  /// Returns the first tile of a worker's part. The part ends at the first tile of the next worker's part.
  @inline(__always)
  package static func start(_ worker: Int, of workers: Int, tileCount: Int) -> Int {
    (worker &* tileCount &+ workers &- 1) / workers
  }
}
