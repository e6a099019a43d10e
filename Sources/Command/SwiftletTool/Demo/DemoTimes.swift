import Foundation
import SwiftletMeasurement

/// How long calls of a task took.
struct DemoTimes {
  var task: String
  var title: String
  /// The file of the model.
  var model: String
  /// What a call is given, in the singular.
  var unit: String
  /// Of each thing that the task was given: several calls, in milliseconds. At least one.
  var samples: [Sample]

  /// The middle of all things' medians, in milliseconds.
  var medianLatency: Double { Sample(samples.map(\.median)).median }
  var fastest: Double { samples.map(\.smallest).min() ?? 0 }
  /// What nine of ten calls did not exceed.
  var slow: Double { Sample(samples.flatMap(\.values)).quantile(0.9) }
  var callCount: Int { samples.reduce(0) { $0 + $1.count } }

  var text: String { String(format: "%.2f ms", medianLatency) }

  /// The name of a command with room behind it, so that what follows stands in a column.
  static func padded(_ task: String) -> String {
    task.padding(toLength: max(20, task.count + 1), withPad: " ", startingAt: 0)
  }
}

/// Calls a task a few times on the same thing.
enum DemoTimer {
  private static let mostRuns = 15
  private static let budget = Duration.milliseconds(150)

  /// The result of a call, and how long further ones took.
  static func time<Value>(_ body: () throws -> Value) rethrows -> (value: Value, latency: Sample) {
    let clock = ContinuousClock()
    let value = try body()
    var times: [Double] = []
    let start = clock.now
    repeat {
      let before = clock.now
      _ = try body()
      times.append(before.duration(to: clock.now) / .milliseconds(1))
    } while times.count < 3 || (times.count < mostRuns && start.duration(to: clock.now) < budget)
    return (value, Sample(times))
  }
}
