import Foundation
@_spi(Facades) import SwiftletVision

/// An error, by the kinds of the Task Library: the codes of errors of the domain `org.tensorflow.lite.tasks`. Those
/// that are never thrown here are there for code that names them.
public enum SupportErrorCode: UInt, Error, Sendable {
  /// Another error.
  case unspecifiedError = 1
  /// An option or an argument does not fit.
  case invalidArgumentError = 2
  /// The file is no model.
  case invalidFlatBufferError = 3
  /// The model has an operator that is not supported.
  case unsupportedBuiltinOpError = 4
  /// The model has a custom operator that is not supported.
  case unsupportedCustomOpError = 5
  /// There is no such file.
  case fileNotFoundError = 100
  /// The file must not be read.
  case filePermissionDeniedError = 101
  /// The file could not be read.
  case fileReadError = 102
  /// The file could not be mapped.
  case fileMmapError = 103
  /// The metadata has another version.
  case metadataInvalidSchemaVersionError = 200
  /// A file that the metadata names is missing.
  case metadataAssociatedFileNotFoundError = 201
  /// A file of the metadata could not be unpacked.
  case metadataAssociatedFileZipError = 202
  /// The metadata contradicts the model.
  case metadataInconsistencyError = 203
  /// The metadata has process units that do not fit.
  case metadataInvalidProcessUnitsError = 204
  /// The label files differ in length.
  case metadataNumLabelsMismatchError = 205
  /// The file of score calibration is broken.
  case metadataMalformedScoreCalibrationError = 206
  /// The metadata has another number of graphs.
  case metadataInvalidNumSubgraphsError = 207
  /// The metadata does not say how images are turned into numbers.
  case metadataMissingNormalizationOptionsError = 208
  /// The metadata says that a tensor is something else.
  case metadataInvalidContentPropertiesError = 209
  /// There is no metadata.
  case metadataNotFoundError = 210
  /// There are no labels.
  case metadataMissingLabelsError = 211
  /// The tokenizer of the metadata is broken.
  case metadataInvalidTokenizerError = 212
  /// The model has another number of inputs.
  case invalidNumInputTensorsError = 300
  /// An input has another shape.
  case invalidInputTensorDimensionsError = 301
  /// An input has another type.
  case invalidInputTensorTypeError = 302
  /// An input has another size.
  case invalidInputTensorSizeError = 303
  /// There is no such input.
  case inputTensorNotFoundError = 304
  /// An output has another shape.
  case invalidOutputTensorDimensionsError = 400
  /// An output has another type.
  case invalidOutputTensorTypeError = 401
  /// There is no such output.
  case outputTensorNotFoundError = 402
  /// The model has another number of outputs.
  case invalidNumOutputTensorsError = 403
  /// An image could not be used.
  case imageProcessingError = 500
  /// An image is of a kind that is not taken.
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

/// Calls `body` and turns what it throws into an `NSError` of the Task Library's domain.
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
