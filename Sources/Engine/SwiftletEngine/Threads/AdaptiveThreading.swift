import SwiftletBase

/// Whether runs are faster with the whole team or on the caller's thread alone, found out by trying both now and then.
///
/// What threads cost each other depends on the machine: cores that share a cache hand over a tensor in little time,
/// cores that do not may take longer for that than for computing it. And it depends on the program: where other work
/// lies between runs, helpers have gone back to the pool and come too late for short ones.
///
/// Waking a helper takes long where the system puts it on the caller's core first: milliseconds, in which the run
/// stands still. So the trials of a model that is faster alone come less and less often.
struct AdaptiveThreading {
  /// Runs that take longer than this, in nanoseconds, are always shared: trying would be felt.
  static let maximumTried = 2_000_000.0
  /// Shared runs of a trial that helpers came to; the best one counts.
  static let attendedRuns = 8
  /// A trial waits for helpers for as many shared runs at most, …
  static let maximumSharedRuns = 64
  /// … and as many nanoseconds of such runs.
  static let maximumWait = 40_000_000.0
  /// Runs of a trial on the caller's thread.
  static let lonelyRuns = 4
  /// Runs from the end of a trial to the next one.
  static let shortestPeriod = 256
  static let maximumPeriod = 16_384

  private enum State {
    /// The very first run finds nothing in the caches and counts for nobody.
    case first
    case shared(count: Int, attended: Int, nanoseconds: Double)
    case alone(count: Int)
    case settled(left: Int)
  }

  private var state = State.first
  /// The best times of each way in the present trial.
  private var together = Double.infinity
  private var alone = Double.infinity
  /// The best time of a shared run, attended or not.
  private var shortestShared = Double.infinity
  private var prefersTeam = true
  private var period = shortestPeriod

  /// Whether the next run is to be shared.
  var sharesNext: Bool {
    switch state {
    case .first, .shared: true
    case .alone: false
    case .settled: prefersTeam
    }
  }

  /// Takes note of a run that was shared or not, as `sharesNext` said.
  ///
  /// - Parameter isAttended: Whether helpers came to it.
  mutating func note(nanoseconds: Double, isAttended: Bool) {
    switch state {
    case .first: begin()
    case .shared(let count, let attended, let sum):
      if isAttended { together = min(together, nanoseconds) }
      shortestShared = min(shortestShared, nanoseconds)
      let (newCount, newAttended, newSum) = (count + 1, attended + (isAttended ? 1 : 0), sum + nanoseconds)
      if newAttended < Self.attendedRuns, newCount < Self.maximumSharedRuns, newSum < Self.maximumWait {
        state = .shared(count: newCount, attended: newAttended, nanoseconds: newSum)
      } else if shortestShared > Self.maximumTried {
        settle(team: true)
      } else {
        state = .alone(count: 0)
      }
    case .alone(let count):
      alone = min(alone, nanoseconds)
      state = .alone(count: count + 1)
      if count + 1 == Self.lonelyRuns { settle(team: together <= alone) }
    case .settled(let left):
      state = .settled(left: left - 1)
      if left == 1 { begin() }
    }
  }

  private mutating func begin() {
    together = .infinity
    alone = .infinity
    shortestShared = .infinity
    state = .shared(count: 0, attended: 0, nanoseconds: 0)
  }

  private mutating func settle(team: Bool) {
    period = team || prefersTeam ? Self.shortestPeriod : min(2 * period, Self.maximumPeriod)
    prefersTeam = team
    state = .settled(left: period)
  }
}

/// Lets workers into a run while it is open, and tells the caller when the last one has left.
///
/// One word holds the number of the run, whether it is open, and how many workers are inside.
struct RunGate: ~Copyable {
  private static let open = 1 << 15
  private static let countMask = open - 1
  private static let runUnit = 1 << 16

  private let word = Atomic<Int>(0)

  /// Opens the next run. What was written before is visible to workers that come in.
  func openNext() {
    let last = word.load(ordering: .relaxed) & ~(Self.runUnit - 1)
    word.store((last &+ Self.runUnit) | Self.open, ordering: .releasing)
  }

  /// Lets nobody in any more.
  func close() { word.bitwiseAnd(~Self.open, ordering: .acquiringAndReleasing) }

  /// Whether nobody is inside; what workers did is then visible.
  var isEmpty: Bool { word.load(ordering: .acquiring) & Self.countMask == 0 }

  /// Goes in if a run other than `last` is open.
  ///
  /// - Returns: what to give as `last` next time; `nil` if nothing is open.
  @inline(__always)
  func enter(after last: Int) -> Int? {
    let present = word.load(ordering: .relaxed)
    let run = present & ~(Self.runUnit - 1)
    guard present & Self.open != 0, run != last else { return nil }
    let (exchanged, _) = word.compareExchange(expected: present, desired: present &+ 1, ordering: .acquiring)
    return exchanged ? run : nil
  }

  func leave() { word.subtract(1, ordering: .releasing) }
}
