import SwiftletBase

/// A decision whether runs are faster with the whole team or on the caller's thread alone, based on occasional trials.
///
/// The cost of threads depends on the machine. Cores that share a cache exchange a tensor quickly; for other cores,
/// that can take longer than computing it. The cost also depends on the program: if other work runs between runs, the
/// helpers have returned to the pool and arrive too late for short runs.
///
/// Waking a helper takes milliseconds if the system first schedules it on the caller's core, and the run stalls
/// meanwhile. So the trials of a model that is faster on one thread become less and less frequent.
struct AdaptiveThreading {
  /// The maximum duration of runs that take part in trials, in nanoseconds. Longer runs are always shared, because a
  /// trial would be noticeable.
  static let maximumTried = 2_000_000.0
  /// The number of shared runs per trial in which helpers take part. The fastest run counts.
  static let attendedRuns = 8
  /// The maximum number of shared runs in which a trial waits for helpers.
  static let maximumSharedRuns = 64
  /// The maximum total duration of these runs in nanoseconds.
  static let maximumWait = 40_000_000.0
  /// The number of single-threaded runs per trial.
  static let lonelyRuns = 4
  /// The minimum number of runs between two trials.
  static let shortestPeriod = 256
  static let maximumPeriod = 16_384

  private enum State {
    /// The very first run. Its caches are cold, so its time is ignored.
    case first
    case shared(count: Int, attended: Int, nanoseconds: Double)
    case alone(count: Int)
    case settled(left: Int)
  }

  private var state = State.first
  /// The best times of shared and single-threaded runs in the current trial.
  private var together = Double.infinity
  private var alone = Double.infinity
  /// The best time of a shared run, with or without helpers.
  private var shortestShared = Double.infinity
  private var prefersTeam = true
  private var period = shortestPeriod

  /// Whether the next run should be shared.
  var sharesNext: Bool {
    switch state {
    case .first, .shared: true
    case .alone: false
    case .settled: prefersTeam
    }
  }

  /// Records the time of a run, which was shared or not according to `sharesNext`.
  ///
  /// - Parameter isAttended: Whether helpers took part in the run.
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

/// A gate that admits workers to a run while it is open, and signals when the last worker has left.
///
/// One word contains the number of the run, whether it is open, and the number of workers inside.
struct RunGate: ~Copyable {
  private static let open = 1 << 15
  private static let countMask = open - 1
  private static let runUnit = 1 << 16

  private let word = Atomic<Int>(0)

  /// Opens the next run. Earlier writes are visible to workers that enter.
  func openNext() {
    let last = word.load(ordering: .relaxed) & ~(Self.runUnit - 1)
    word.store((last &+ Self.runUnit) | Self.open, ordering: .releasing)
  }

  /// Closes the gate to more workers.
  func close() { word.bitwiseAnd(~Self.open, ordering: .acquiringAndReleasing) }

  /// Whether no worker is inside. If so, the workers' writes are visible.
  var isEmpty: Bool { word.load(ordering: .acquiring) & Self.countMask == 0 }

  /// Enters a run if one other than `last` is open.
  ///
  /// - Returns: The value to pass as `last` next time; `nil` if no run is open.
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
