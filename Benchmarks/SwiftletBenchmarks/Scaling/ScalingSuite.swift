import Foundation
import Swiftlet
import SwiftletEngine
import SwiftletMeasurement

/// Measures the speedup of models with the machine's threads, and simulates larger numbers of threads.
struct ScalingSuite {
  /// The number of runs. The fastest run counts for each tile, because disturbances aren't a property of the model.
  private static let runs = 15

  private let options: BenchmarkOptions
  /// The handover time in nanoseconds.
  let handover: Double

  init(_ options: BenchmarkOptions) {
    self.options = options
    handover = ThreadHandover.measure()
  }

  /// Measures one model.
  ///
  /// - Throws: `MeasurementFailure` for a model that cannot run, or whose shapes depend on values.
  func measure(name: String, path: String) throws -> ScalingResult {
    let lonely = try MeasuredModel(path, options: options.runtime(threads: 1))
    let phases = try tileTimes(lonely)
    let alone = phases.reduce(0) { $0 + $1.tiles.reduce(0, +) }
    var result = ScalingResult(name: name, alone: alone / 1e6, phaseCount: phases.count)
    for threads in options.threads where threads > 1 {
      let team = try MeasuredModel(path, options: options.runtime(threads: threads))
      let simulation = ScheduleSimulation(try tileTimes(team), handover: handover)
      var measured: Double?
      if threads <= ProcessInfo.processInfo.activeProcessorCount {
        let alternation = Alternation(seconds: options.seconds)
        let both = try alternation.measure([ModelContender(lonely), ModelContender(team)])
        measured = both[1].speed(against: both[0])
      }
      result.teams.append(
        ScalingResult.Team(
          threads: threads, simulated: alone / simulation.duration(workers: threads), measured: measured))
    }
    return result
  }

  private func tileTimes(_ model: MeasuredModel) throws -> [PhaseTimes] {
    var best = try model.session.runTimed()
    guard !best.isEmpty else {
      throw MeasurementFailure(
        file: model.path, reason: "has shapes that depend on values, whose tiles are not known ahead", isForInput: true)
    }
    for _ in 1..<Self.runs {
      for (index, phase) in try model.session.runTimed().enumerated() {
        best[index].tiles = zip(best[index].tiles, phase.tiles).map { min($0, $1) }
      }
    }
    return best
  }
}
