import SwiftletBase

/// Which tiles of a run's phases are still to be had, and which phases are finished.
///
/// Every worker has a part of each phase's tiles (`TileParts`), so that it finds in its cache what it wrote there.
/// Whoever has done its own part takes tiles from the end of others', but not the last one from a worker that is at it,
/// and only after a moment from one that has not begun: to fetch what another core holds takes longer than such waits.
struct TileCounters: ~Copyable {
  private let workerCount: Int
  private let phaseCount: Int
  private let tileCounts: [Int]
  /// For every worker and phase the tiles that nobody has taken from its part, and the end of what is left of it. Those
  /// of a worker lie together: it walks along them.
  private let parts: UnsafeMutablePointer<Atomic<Int>>
  /// For every phase the tiles that are not finished.
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

  /// How often to look whether a worker begins its part, about two microseconds.
  private static let patience = 50

  @inline(__always)
  private func start(_ worker: Int, tileCount: Int) -> Int {
    TileParts.start(worker, of: workerCount, tileCount: tileCount)
  }

  /// Makes every tile of every phase available. Nobody must be taking any.
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

  /// Takes every tile of a phase that nobody else takes, first those of the worker's own part in ascending order, and
  /// counts them as finished when `body` has done them all.
  ///
  /// - Parameter isPresent: Whether a worker is in the run, so that it may soon begin its part.
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
      // Whoever takes the first tile of a part goes on to its end: its owner, or who found that the owner does not
      // come.
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

  /// Returns whether all tiles of a phase are finished; what they wrote is then visible.
  @inline(__always)
  func isFinished(_ phase: Int) -> Bool { unfinished[phase].load(ordering: .acquiring) == 0 }
}

/// Which tiles of a phase are each worker's own: the same part of the rows in one phase after the other.
package enum TileParts {
  /// Returns the first tile of a worker's part; its end is the first of the next one's.
  @inline(__always)
  package static func start(_ worker: Int, of workers: Int, tileCount: Int) -> Int {
    (worker &* tileCount &+ workers &- 1) / workers
  }
}
