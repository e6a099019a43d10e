import Foundation
import SwiftletJSON
import SwiftletMeasurement

/// The speedup of a model with more threads.
struct ScalingResult {
  struct Team {
    var threads: Int
    /// The time with one thread divided by the time of the simulated run.
    var simulated: Double
    /// The median with one thread divided by the measured median, or `nil` if the machine has too few cores.
    var measured: Double?
  }

  let name: String
  /// The sum of all tiles' times on one thread, in milliseconds.
  let alone: Double
  let phaseCount: Int
  var teams: [Team] = []

  static func header(_ threads: [Int]) -> String {
    "\(TextColumn.pad("model", 46)) 1 thread ms  phases"
      + threads.map { TextColumn.pad("   \($0) threads", 17) }.joined() + "\n"
  }

  var row: String {
    TextColumn.pad(name.replacingOccurrences(of: ".tflite", with: ""), 46)
      + String(format: " %11.3f  %6d", alone, phaseCount)
      + teams.map { team in
        let measured = team.measured.map { String(format: " (%.2f)", $0) } ?? ""
        return TextColumn.pad(String(format: "   %.2f", team.simulated) + measured, 17)
      }.joined() + "\n"
  }

  var json: JSONValue {
    .object([
      "model": .string(name), "alone_ms": .double(alone), "phases": .int(phaseCount),
      "teams": .array(
        teams.map {
          .object([
            "threads": .int($0.threads), "simulated": .double($0.simulated), "measured": .optional($0.measured),
          ])
        }),
    ])
  }

  /// Returns the geometric means over the models, one line per number of threads.
  static func summary(_ results: [ScalingResult]) -> String {
    guard let first = results.first else { return "" }
    return "\n"
      + first.teams.indices.map { index in
        let teams = results.compactMap { $0.teams.indices.contains(index) ? $0.teams[index] : nil }
        let measured = teams.compactMap(\.measured)
        var line = "\(first.teams[index].threads) threads: " + text(teams.map(\.simulated)) + " simulated"
        if measured.count == teams.count { line += ", " + text(measured) + " measured" }
        return line + "\n"
      }.joined()
  }

  private static func text(_ values: [Double]) -> String { String(format: "%.2f", geometricMean(values) ?? 0) }
}
