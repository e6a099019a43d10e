import Foundation
@_spi(Facades) import SwiftletVision

/// The codes of the Task Library's errors, in the domain `org.tensorflow.lite.tasks`. Some are never thrown here, but
/// exist for code that uses them.
public enum SupportErrorCode: UInt, Error, Sendable {
  /// Another error occurred.
  case unspecifiedError = 1
  /// An option or an argument is invalid.
  case invalidArgumentError = 2
  /// The file is not a model.
  case invalidFlatBufferError = 3
  /// The model has an operator that is not supported.
  case unsupportedBuiltinOpError = 4
  /// The model has a custom operator that is not supported.
  case unsupportedCustomOpError = 5
  /// The file does not exist.
  case fileNotFoundError = 100
  /// The process has no permission to read the file.
  case filePermissionDeniedError = 101
  /// The file could not be read.
  case fileReadError = 102
  /// The file could not be mapped.
  case fileMmapError = 103
  /// The version of the metadata is not supported.
  case metadataInvalidSchemaVersionError = 200
  /// A file that the metadata refers to is missing.
  case metadataAssociatedFileNotFoundError = 201
  /// A file in the metadata could not be extracted.
  case metadataAssociatedFileZipError = 202
  /// The metadata contradicts the model.
  case metadataInconsistencyError = 203
  /// The metadata has invalid process units.
  case metadataInvalidProcessUnitsError = 204
  /// The label files differ in length.
  case metadataNumLabelsMismatchError = 205
  /// The score calibration file is malformed.
  case metadataMalformedScoreCalibrationError = 206
  /// The number of subgraphs in the metadata is invalid.
  case metadataInvalidNumSubgraphsError = 207
  /// The metadata has no normalization for images.
  case metadataMissingNormalizationOptionsError = 208
  /// The content properties of a tensor in the metadata are invalid.
  case metadataInvalidContentPropertiesError = 209
  /// There is no metadata.
  case metadataNotFoundError = 210
  /// There are no labels.
  case metadataMissingLabelsError = 211
  /// The tokenizer in the metadata is invalid.
  case metadataInvalidTokenizerError = 212
  /// The number of inputs is invalid.
  case invalidNumInputTensorsError = 300
  /// The shape of an input is invalid.
  case invalidInputTensorDimensionsError = 301
  /// The type of an input is invalid.
  case invalidInputTensorTypeError = 302
  /// The size of an input is invalid.
  case invalidInputTensorSizeError = 303
  /// The input does not exist.
  case inputTensorNotFoundError = 304
  /// The shape of an output is invalid.
  case invalidOutputTensorDimensionsError = 400
  /// The type of an output is invalid.
  case invalidOutputTensorTypeError = 401
  /// The output does not exist.
  case outputTensorNotFoundError = 402
  /// The number of outputs is invalid.
  case invalidNumOutputTensorsError = 403
  /// An image could not be processed.
  case imageProcessingError = 500
  /// The kind of an image is not supported.
  case imageProcessingInvalidArgumentError = 501
  /// An image could not be converted.
  case imageProcessingBackendError = 502
  /// A resource was not found.
  case notFoundError = 900
  /// An internal error.
  case internalError = 901

  init(_ code: TaskError.Code) {
    switch code {
    case .modelNotFound: self = .fileNotFoundError
    case .unreadableModel: self = .fileReadError
    case .invalidModel: self = .invalidFlatBufferError
    case .unsupportedModel: self = .unsupportedBuiltinOpError
    case .missingMetadata: self = .metadataNotFoundError
    case .invalidImage: self = .imageProcessingInvalidArgumentError
    case .invalidOption, .invalidArgument, .timeNotIncreasing, .invalidRegion, .invalidAudio:
      self = .invalidArgumentError
    default: self = .internalError
    }
  }
}

/// Calls `body`, and converts its errors to an `NSError` in the Task Library's domain.
func reportingTaskErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    let error = TaskError(converting: error)
    throw NSError(
      domain: "org.tensorflow.lite.tasks", code: Int(SupportErrorCode(error.code).rawValue),
      userInfo: [NSLocalizedDescriptionKey: error.message])
  }
}
