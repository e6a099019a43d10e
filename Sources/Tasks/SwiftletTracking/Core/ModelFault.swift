@_spi(Facades) public import SwiftletTasks

/// Which rule of classification models a model breaks.
///
/// - Source: the raw values are the status numbers of TFLite Support, as they appear in the logs of ML Kit.
public enum ModelFault: Int, Sendable, Hashable, CaseIterable {
  /// A property contradicts what the model is for, such as a grey colour space.
  case invalidArgument = 2
  /// There is no file at the path.
  case fileNotFound = 100
  /// The file may not be read.
  case filePermission = 101
  /// The file cannot be read.
  case fileRead = 102
  /// The metadata is damaged, or of another schema.
  case metadataSchema = 200
  /// A file that the metadata names is not in the model.
  case associatedFileMissing = 201
  /// The archive appended to the model is damaged.
  case archive = 202
  /// Metadata and model contradict each other, or labels do not fit the output.
  case metadataInconsistent = 203
  /// Normalisation or threshold are given twice or make no sense.
  case processUnits = 204
  /// Labels and names in another language differ in number.
  case labelCountMismatch = 205
  /// The calibration of scores is damaged, or does not fit the labels.
  case scoreCalibration = 206
  /// A float32 input without a normalisation in the metadata or the options.
  case normalizationMissing = 208
  /// The model has another number of inputs than one.
  case inputCount = 300
  /// The input has other dimensions than one picture's.
  case inputDimensions = 301
  /// The input is neither float32 nor bytes.
  case inputType = 302
  /// An output has other dimensions than scores of classes.
  case outputDimensions = 400
  /// An output is neither float32 nor bytes with one scale, or some are floats and some are bytes.
  case outputType = 401
  /// An output that the model needs is missing.
  case outputMissing = 402
}

extension TaskError {
  /// The rule that a classification model breaks; `nil` for errors of another kind.
  public var modelFault: ModelFault? {
    if case .brokenRule(let number) = cause { ModelFault(rawValue: number) } else { nil }
  }

  /// Creates the error of a model that breaks a rule; the number of the rule ends the message.
  static func broken(_ fault: ModelFault, _ message: String) -> TaskError {
    TaskError(.invalidModel, "\(message) (\(fault.rawValue))", .brokenRule(fault.rawValue))
  }

  static func invalidOption(_ message: String) -> TaskError { TaskError(.invalidOption, message) }
}
