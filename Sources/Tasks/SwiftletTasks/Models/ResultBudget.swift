import SwiftletEngine
import SwiftletSchema

/// The budget for the results of a call and the data that a task keeps for its calls, limited by
/// `RuntimeOptions.Limits.resultBytes`.
///
/// Everything whose size depends on a model, a file, or audio is charged before it is allocated. All models of a
/// pipeline share one budget.
///
/// - Thread safety: one caller at a time.
package final class ResultBudget {
  private let limits: RuntimeOptions.Limits
  private var kept = 0
  private var returned = 0

  package init(_ limits: RuntimeOptions.Limits) { self.limits = limits }

  /// Begins a call, whose results are empty so far.
  package func begin() { returned = 0 }

  /// Charges values that a call is about to create.
  ///
  /// - Parameters:
  ///   - count: The number of values.
  ///   - size: The size of each value, in bytes.
  ///   - purpose: The name of the values in a message, a plural.
  ///   - advice: A way for the caller to get fewer values.
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for the values; they are then not charged.
  package func charge(
    _ count: Int, each size: Int = 1, for purpose: @autoclosure () -> String, advice: String? = nil
  ) throws(TaskError) {
    returned = try sum(count, size, advice, purpose) - kept
  }

  /// Charges values that the task is about to keep for all its calls.
  ///
  /// - Throws: The same errors as `charge`.
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

/// The label and calibration files of a model. Each file is read once, even if several outputs refer to it.
///
/// - Thread safety: one caller at a time.
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

  /// Returns the labels from label files.
  ///
  /// - Throws: `SchemaError` for a missing or damaged file, and `TaskError` if there is no room for a file.
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

  /// Returns the score calibration from a file.
  ///
  /// - Throws: The same errors as `labels(_:)`.
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
