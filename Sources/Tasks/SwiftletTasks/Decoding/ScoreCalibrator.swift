import SwiftletBase
package import SwiftletSchema

/// Converts a model's scores to probabilities, with calibration parameters per class from the model's metadata.
///
/// - Source: Platt scaling as TFLite metadata describes it: `scale / (1 + e^-(slope · g(score) + offset))`.
package struct ScoreCalibrator: Sendable {
  private let calibration: ScoreCalibration
  private let parameters: ScoreCalibrationFile

  /// Creates a calibrator, or returns `nil` if the metadata of the score tensor requests no calibration.
  ///
  /// - Throws: `TaskError` if the parameters are missing or damaged.
  package init?(_ metadata: TensorMetadata?, of model: TaskModel) throws(TaskError) {
    guard let metadata,
      let calibration = try TaskError.wrapping(as: .invalidModel, { try metadata.scoreCalibration() })
    else { return nil }
    guard let file = metadata.associatedFile(.tensorAxisScoreCalibration) else {
      throw TaskError(
        .missingMetadata, "the model asks for score calibration, but its metadata names no file with the parameters")
    }
    self.calibration = calibration
    parameters = try model.scoreCalibration(file.name)
  }

  /// Checks that there are parameters for each of `count` classes.
  ///
  /// - Throws: `TaskError` unless the file has one line per class. A line feed at the end of the file adds no line.
  package func requireEntries(_ count: Int) throws(TaskError) {
    let hasTrailingLine = parameters.entries.count == count + 1 && parameters.entries[count] == nil
    guard parameters.entries.count == count || hasTrailingLine else {
      throw .invalidModel(
        "the model's score calibration has parameters for \(parameters.entries.count) classes, but the output has \(count) scores"
      )
    }
  }

  /// Returns the calibrated score of a class.
  ///
  /// - Throws: `TaskError` if the class has no line in the parameter file.
  package func calibrated(_ score: Float, category: Int) throws(TaskError) -> Float {
    guard parameters.entries.indices.contains(category) else {
      throw .invalidModel("class \(category) has no score calibration, the model has \(parameters.entries.count)")
    }
    guard let entry = parameters.entries[category], !(score < entry.minimumScore ?? -.infinity) else {
      return calibration.defaultScore
    }
    let transformed: Float =
      switch calibration.transformation {
      case .identity: score
      case .logarithm: Self.clampedLog(score)
      case .inverseLogistic: Self.clampedLog(score) - Self.clampedLog(1 - score)
      }
    let value = entry.scale / (1 + exp(-(entry.slope * transformed + entry.offset)))
    return min(max(value, 0), entry.scale)
  }

  /// Returns the logarithm, continued below 1e-16 so that it stays finite and monotonic.
  private static func clampedLog(_ value: Float) -> Float {
    let threshold: Float = 1e-16
    return value < threshold ? 2 * log(threshold) - log(2 * threshold - value) : log(value)
  }
}
