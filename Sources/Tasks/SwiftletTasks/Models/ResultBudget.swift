import SwiftletEngine
import SwiftletSchema

/// Counts what a call of a task returns, and what the task keeps for its calls, against
/// `RuntimeOptions.Limits.resultBytes`: everything that grows with what a model, a file, or a sound says is charged
/// before it is made.
///
/// The models of a pipeline have one budget together.
///
/// - Thread safety: one caller at a time.
package final class ResultBudget {
  private let limits: RuntimeOptions.Limits
  private var kept = 0
  private var returned = 0

  package init(_ limits: RuntimeOptions.Limits) { self.limits = limits }

  /// Begins a call, which has returned nothing yet.
  package func begin() { returned = 0 }

  /// Counts what a call is about to make.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - size: The bytes of each.
  ///   - purpose: The name of the values, a plural, for a message.
  ///   - advice: What a caller can do to get fewer of them.
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for them; they then count for nothing.
  package func charge(
    _ count: Int, each size: Int = 1, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(TaskError) {
    returned = try sum(count, size, advice, purpose) - kept
  }

  /// Counts what the task is about to keep for all its calls.
  ///
  /// - Throws: As `charge`.
  package func keep(
    _ count: Int, each size: Int = 1, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(TaskError) {
    kept = try sum(count, size, advice, purpose) - returned
  }

  private func sum(
    _ count: Int, _ size: Int, _ advice: String?, _ purpose: () -> String
  ) throws(TaskError) -> Int {
    do {
      return try limits.checkResults(count, each: size, before: kept + returned, for: purpose(), advice: advice)
    } catch {
      throw TaskError(error)
    }
  }
}

/// The label and calibration files of a model, each read once, however many outputs name it.
///
/// One caller at a time.
final class ModelTables {
  private let files: ZIPArchive
  private let results: ResultBudget
  private var lines: [String: [String]] = [:]
  private var labels: [LabelFiles: LabelMap] = [:]
  private var calibrations: [String: ScoreCalibrationFile] = [:]

  init(_ files: ZIPArchive?, results: ResultBudget) {
    self.files = files ?? .empty
    self.results = results
  }

  /// The labels in some files.
  ///
  /// - Throws: `SchemaError` for a missing or damaged file, and `TaskError` for one that there is no room for.
  func labels(_ names: LabelFiles) throws -> LabelMap {
    if let known = labels[names] { return known }
    for name in [names.labels, names.displayNames].compactMap(\.self) where lines[name] == nil {
      let file = try files.contents(of: name, atMost: LabelFile.longest)
      try results.keep(LabelFile.memoryByteCount(of: file), for: "label files")
      lines[name] = try LabelFile.lines(file, name: name)
    }
    let map = try LabelMap(names) { [lines] name in lines[name] ?? [] }
    labels[names] = map
    return map
  }

  /// The score calibration in a file.
  ///
  /// - Throws: As `labels(_:)`.
  func calibration(_ name: String) throws -> ScoreCalibrationFile {
    if let known = calibrations[name] { return known }
    let file = try files.contents(of: name, atMost: LabelFile.longest)
    let lineCount = file.withBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } } + 1
    try results.keep(
      lineCount, each: MemoryLayout<ScoreCalibrationFile.Parameters?>.stride, for: "files of score calibration")
    let calibration = try ScoreCalibrationFile(file)
    calibrations[name] = calibration
    return calibration
  }
}
