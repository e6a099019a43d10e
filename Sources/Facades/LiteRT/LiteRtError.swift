public import CLiteRT
import SwiftletEngine
import TensorFlowLiteCommon

/// A LiteRT error code. The engine's message goes to `Environment.messageHandler`.
public enum LiteRtError: Error, CustomStringConvertible, Equatable, Sendable {
  /// An argument is invalid.
  case invalidArgument
  /// There is not enough memory.
  case memoryAllocationFailure
  /// A run failed.
  case runtimeFailure
  /// An input is missing.
  case missingInputTensor
  /// The feature is not supported.
  case unsupported
  /// The item was not found.
  case notFound
  /// The operation exceeded its time limit.
  case timeoutExpired
  /// The version doesn't match.
  case wrongVersion
  /// An unknown error occurred.
  case unknown
  /// The resource exists already.
  case alreadyExists
  /// The cancellation function cancelled the run.
  case cancelled
  /// A file could not be read.
  case fileIO
  /// The bytes are not a valid model.
  case invalidFlatbuffer
  /// A library could not be loaded.
  case dynamicLoading
  /// A value could not be serialized.
  case serialization
  /// The model has unsupported features.
  case compilation
  /// The index is out of bounds.
  case indexOutOfBounds
  /// A type is invalid in a graph.
  case invalidIrType
  /// A graph is inconsistent.
  case invalidGraphInvariant
  /// A graph could not be modified.
  case graphModification
  /// A tool is configured incorrectly.
  case invalidToolConfig
  /// No pattern matched in the legalization of a graph.
  case legalizeNoMatch
  /// The legalization of a graph is invalid.
  case invalidLegalization
  /// A pattern did not match.
  case patternNoMatch
  /// The transformation of a graph is invalid.
  case invalidTransformation
  /// The runtime version is not supported.
  case unsupportedRuntimeVersion
  /// The compiler version is not supported.
  case unsupportedCompilerVersion
  /// The version of the compiled code is incompatible.
  case incompatibleByteCodeVersion
  /// There is no shape inference for an operator.
  case unsupportedOpShapeInferer
  /// Shape inference failed.
  case shapeInferenceFailed

  /// Creates the error for a status; `unknown` for every other status.
  public init(status: LiteRtStatus) { self = Self.rows.first { $0.status == status }?.error ?? .unknown }

  /// A short description of the code.
  public var description: String { Self.rows.first { $0.error == self }?.words ?? "Unknown error" }

  private static let rows: [(error: LiteRtError, status: LiteRtStatus, words: String)] = [
    (.invalidArgument, kLiteRtStatusErrorInvalidArgument, "Invalid argument"),
    (.memoryAllocationFailure, kLiteRtStatusErrorMemoryAllocationFailure, "Memory allocation failure"),
    (.runtimeFailure, kLiteRtStatusErrorRuntimeFailure, "Runtime failure"),
    (.missingInputTensor, kLiteRtStatusErrorMissingInputTensor, "Missing input tensor"),
    (.unsupported, kLiteRtStatusErrorUnsupported, "Unsupported operation"),
    (.notFound, kLiteRtStatusErrorNotFound, "Not found"),
    (.timeoutExpired, kLiteRtStatusErrorTimeoutExpired, "Timeout expired"),
    (.wrongVersion, kLiteRtStatusErrorWrongVersion, "Wrong version"),
    (.unknown, kLiteRtStatusErrorUnknown, "Unknown error"),
    (.alreadyExists, kLiteRtStatusErrorAlreadyExists, "Already exists"),
    (.cancelled, kLiteRtStatusCancelled, "Cancelled"),
    (.fileIO, kLiteRtStatusErrorFileIO, "File I/O error"),
    (.invalidFlatbuffer, kLiteRtStatusErrorInvalidFlatbuffer, "Invalid flatbuffer"),
    (.dynamicLoading, kLiteRtStatusErrorDynamicLoading, "Dynamic loading error"),
    (.serialization, kLiteRtStatusErrorSerialization, "Serialization error"),
    (.compilation, kLiteRtStatusErrorCompilation, "Compilation error"),
    (.indexOutOfBounds, kLiteRtStatusErrorIndexOOB, "Index out of bounds"),
    (.invalidIrType, kLiteRtStatusErrorInvalidIrType, "Invalid IR type"),
    (.invalidGraphInvariant, kLiteRtStatusErrorInvalidGraphInvariant, "Invalid graph invariant"),
    (.graphModification, kLiteRtStatusErrorGraphModification, "Graph modification error"),
    (.invalidToolConfig, kLiteRtStatusErrorInvalidToolConfig, "Invalid tool config"),
    (.legalizeNoMatch, kLiteRtStatusLegalizeNoMatch, "Legalize no match"),
    (.invalidLegalization, kLiteRtStatusErrorInvalidLegalization, "Invalid legalization"),
    (.patternNoMatch, kLiteRtStatusPatternNoMatch, "Pattern no match"),
    (.invalidTransformation, kLiteRtStatusInvalidTransformation, "Invalid transformation"),
    (.unsupportedRuntimeVersion, kLiteRtStatusErrorUnsupportedRuntimeVersion, "Unsupported runtime version"),
    (.unsupportedCompilerVersion, kLiteRtStatusErrorUnsupportedCompilerVersion, "Unsupported compiler version"),
    (.incompatibleByteCodeVersion, kLiteRtStatusErrorIncompatibleByteCodeVersion, "Incompatible byte code version"),
    (.unsupportedOpShapeInferer, kLiteRtStatusErrorUnsupportedOpShapeInferer, "Unsupported op shape inferer"),
    (.shapeInferenceFailed, kLiteRtStatusErrorShapeInferenceFailed, "Shape inference failed"),
  ]
}

/// Calls `body`. If it throws an engine error, the error is reported, and the corresponding LiteRT error is thrown
/// instead, or `other` if there is none.
func reportingLiteRtErrors<Result>(_ other: LiteRtError, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as LiteRtError {
    throw error
  } catch {
    DeveloperMessages.report("LiteRT: \(error)")
    switch (error as? RuntimeError)?.code {
    case .unreadableFile?: throw LiteRtError.fileIO
    case .limitExceeded?: throw LiteRtError.memoryAllocationFailure
    case .deadlineExceeded?: throw LiteRtError.timeoutExpired
    case .cancelled?: throw LiteRtError.cancelled
    default: throw other
    }
  }
}
