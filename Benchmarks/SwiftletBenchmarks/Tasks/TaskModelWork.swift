import SwiftletMeasurement
import SwiftletTasks

/// The part of a task's calls that its models take.
struct TaskModelWork {
  /// The share of the time, 0…1: the median over some calls.
  let share: Double
  /// The time of the models' multiply-adds in a call at the peak of arithmetic; `nil` if there is no peak for one of
  /// them.
  let millisecondsAtPeak: Double?

  /// Measures some calls. Returns `nil` if no model runs on the calling thread.
  init?(peaks: MachinePeaks, calls: Int = 7, _ call: () throws -> Void) rethrows {
    var shares: [Double] = [], runs: [PhaseTimes.ModelRun] = []
    for _ in 0..<calls {
      let phases = PhaseTimes()
      let start = ContinuousClock.now
      try phases.carry(call)
      let total = milliseconds(since: start)
      runs = phases.runs
      shares.append(phases.values.inference / .milliseconds(1) / max(total, 1e-9))
    }
    guard !runs.isEmpty else { return nil }
    share = shares.sorted()[calls / 2]
    let times = runs.map { run in
      peaks.multiplyAdds(ArithmeticClass(run.model)).map { Double(run.multiplyAdds) / $0 }
    }
    millisecondsAtPeak = times.contains { $0 == nil } ? nil : times.compactMap(\.self).reduce(0, +)
  }
}
