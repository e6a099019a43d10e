/// Which rule of classification models a model breaks.
///
/// - Source: the raw values are the status numbers of TFLite Support, as they appear in the logs of ML Kit.
public enum ModelFault: Int, Sendable, Hashable, CaseIterable {
  /// A property contradicts what the model is for, such as a grey colour space.
  case invalidArgument = 2
  case fileNotFound = 100
  case filePermission = 101
  case fileRead = 102
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
  case scoreCalibration = 206
  /// A float32 input without a normalisation in the metadata or the options.
  case normalizationMissing = 208
  case inputCount = 300
  case inputDimensions = 301
  case inputType = 302
  case outputDimensions = 400
  case outputType = 401
  case outputMissing = 402
}
