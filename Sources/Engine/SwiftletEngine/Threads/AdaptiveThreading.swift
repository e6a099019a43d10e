/// Whether runs are faster with the whole team or on the caller's thread alone, found out by trying both now and then.
///
/// What threads cost each other depends on the machine: cores that share a cache hand over a tensor in little time,
/// cores that do not may take longer for that than for computing it.
struct AdaptiveThreading {
  /// Runs that take longer than this, in nanoseconds, are always shared: trying would be felt.
  static let longestTried = 2_000_000.0
  /// Runs between two trials.
  static let period = 256
  /// Runs of each way in a trial; the best one counts. Helpers of short runs come after some of them.
  static let sharedRuns = 8
  static let lonelyRuns = 2
  private static let trial = sharedRuns + lonelyRuns

  /// The best time of each way in the present trial.
  private var together = Double.infinity
  private var alone = Double.infinity
  /// Position in the present trial and the runs that follow it. The very first run finds nothing in the caches and
  /// counts for nobody.
  private var position = -1
  private var prefersTeam = true

  /// Whether the next run is to be shared.
  var sharesNext: Bool {
    if position < Self.sharedRuns { return true }
    return position < Self.trial ? together > Self.longestTried : prefersTeam
  }

  /// Takes note of a run that was shared or not, as `sharesNext` said.
  mutating func note(nanoseconds: Double) {
    if position >= 0, position < Self.trial {
      if sharesNext { together = min(together, nanoseconds) } else { alone = min(alone, nanoseconds) }
    }
    position += 1
    if position == Self.trial { prefersTeam = together <= alone }
    if position == Self.period {
      position = 0
      together = .infinity
      alone = .infinity
    }
  }
}
