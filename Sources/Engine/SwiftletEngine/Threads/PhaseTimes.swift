/// What one phase of a run took on one thread, in the tiles that a team would share.
package struct PhaseTimes: Sendable, Equatable {
  /// For every tile, in nanoseconds.
  package var tiles: [Double]
  /// Earlier phases that must be finished first.
  package var dependencies: [Int]

  package init(tiles: [Double], dependencies: [Int]) {
    self.tiles = tiles
    self.dependencies = dependencies
  }
}
