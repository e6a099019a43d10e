import SwiftletCommandLine
import SwiftletMeasurement
import SwiftletTracking
import SwiftletTrackingEvaluation

/// Runs the tracker on synthetic sequences or on directories of the MOT challenge, and scores its output.
struct TrackingSuite {
  enum Case {
    case scenario(SyntheticSuite.Scenario)
    case folder(String)
    /// A crowd of `objects` objects, for the cost of an update.
    case cost(objects: Int)

    var name: String {
      switch self {
      case .scenario(let scenario): scenario.name
      case .folder(let path): String(path.split(separator: "/").last ?? "sequence")
      case .cost(let objects): "cost at \(objects) objects"
      }
    }
  }

  /// The maximum number of reported tracks in external sequences, whose number of objects is unknown.
  private static let reportedInFolders = 100
  private static let costRepetitions = 20

  /// The output directory for sequences and tracks.
  private let outputFolder: String?
  private let tracksFile: String?

  init(_ options: BenchmarkOptions) {
    outputFolder = options.outputFolder
    tracksFile = options.tracksFile
  }

  static func cases(_ options: BenchmarkOptions) -> [Case] {
    let all =
      options.sequencePaths.isEmpty
      ? SyntheticSuite.scenarios.map(Case.scenario) + [.cost(objects: 5), .cost(objects: 20)]
      : options.sequencePaths.map(Case.folder)
    return all.filter { options.includes($0.name) }
  }

  /// Runs the tracker on a case.
  ///
  /// - Returns: A result for each sequence and, for a scenario, a combined result.
  /// - Throws: `MeasurementFailure` for a directory that cannot be read or written, or whose contents are invalid.
  func measure(_ item: Case) throws -> [TrackingResult] {
    do {
      switch item {
      case .scenario(let scenario):
        let results = try scenario.sequences.map { try run($0, options: scenario.options) }
        let score = TrackingScore.combined(results.compactMap(\.score))
        return results + [
          TrackingResult(
            name: scenario.name, score: score, trackCount: results.reduce(0) { $0 + $1.trackCount },
            isTargetMet: scenario.isMet(by: score),
            cost: Sample(results.flatMap(\.cost.values)))
        ]
      case .folder(let path):
        if let tracksFile {
          let sequence = try SequenceFolder.read(path)
          return [
            try result(
              of: sequence, output: SequenceFolder.output(of: sequence, file: path + "/" + tracksFile), costs: [])
          ]
        }
        return [try run(SequenceFolder.read(path), options: SyntheticSuite.options(reported: Self.reportedInFolders))]
      case .cost(let objects):
        var result = try run(
          SyntheticSuite.crowd(objects: objects), options: SyntheticSuite.options(reported: objects),
          repetitions: Self.costRepetitions)
        result.name = item.name
        return [result]
      }
    } catch let error as EvaluationError {
      throw MeasurementFailure(file: item.name, reason: error.message)
    } catch let error as TaskError {
      throw MeasurementFailure(file: item.name, reason: error.message)
    }
  }

  /// Returns a file name for a sequence. The sequence's name comes from a file, so the result must stay inside the
  /// output directory.
  private static func fileName(_ name: String) -> String {
    let plain = name.filter { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return plain.contains { $0 != "." } ? plain : "sequence"
  }

  private func run(_ sequence: TrackingSequence, options: TrackingOptions, repetitions: Int = 1) throws
    -> TrackingResult
  {
    let run = try TrackerRun(sequence, options: options, repetitions: repetitions)
    if let outputFolder {
      let folder = outputFolder + "/" + Self.fileName(sequence.name)
      try SequenceFolder.write(sequence, to: folder)
      try SequenceFolder.write(output: run.output, to: folder + "/result.txt")
    }
    return try result(of: sequence, output: run.output, costs: run.costs)
  }

  private func result(of sequence: TrackingSequence, output: [[IdentifiedBox]], costs: [Double]) throws
    -> TrackingResult
  {
    let score =
      try sequence.hasTruth
      ? TrackingScore(truth: sequence.frames.map(\.truth), output: output, times: sequence.frames.map(\.time)) : nil
    return TrackingResult(
      name: sequence.name, score: score, trackCount: Set(output.flatMap { $0.map(\.identity) }).count,
      cost: Sample(costs.isEmpty ? [0] : costs.map { $0 * 1e6 }))
  }
}
