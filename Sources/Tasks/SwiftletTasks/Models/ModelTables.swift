import SwiftletSchema

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
