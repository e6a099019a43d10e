/// Which tiles of a phase are each worker's own: the same part of the rows in one phase after the other.
package enum TileParts {
  /// The first tile of a worker's part; its end is the first of the next one's.
  @inline(__always)
  package static func start(_ worker: Int, of workers: Int, tileCount: Int) -> Int {
    (worker &* tileCount &+ workers &- 1) / workers
  }
}
