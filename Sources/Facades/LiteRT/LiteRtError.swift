public import CLiteRT
import SwiftletEngine
import TensorFlowLiteCommon

/// An error, by the kinds of LiteRT. The engine's own words go to `Environment.messageHandler`.
public enum LiteRtError: Error, CustomStringConvertible, Equatable, Sendable {
  /// An argument does not fit.
  case invalidArgument
  /// There is not enough memory.
  case memoryAllocationFailure
  /// A run failed.
  case runtimeFailure
  /// An input is missing.
  case missingInputTensor
  /// There is no such thing here.
  case unsupported
  /// Nothing has that name.
  case notFound
  /// It took too long.
  case timeoutExpired
  /// The version does not fit.
  case wrongVersion
  /// Another error.
  case unknown
  /// A resource of that name exists already.
  case alreadyExists
  /// The cancellation function asked for the end.
  case cancelled
  /// A file could not be read.
  case fileIO
  /// The bytes are no model.
  case invalidFlatbuffer
  /// A library could not be loaded.
  case dynamicLoading
  /// A value could not be written.
  case serialization
  /// The model has something that is not supported.
  case compilation
  /// There is nothing of that index.
  case indexOutOfBounds
  /// A type that a graph cannot have.
  case invalidIrType
  /// A graph that contradicts itself.
  case invalidGraphInvariant
  /// A graph could not be changed.
  case graphModification
  /// A tool was configured wrongly.
  case invalidToolConfig
  /// Nothing matched in making a graph legal.
  case legalizeNoMatch
  /// A graph was made legal wrongly.
  case invalidLegalization
  /// A pattern did not match.
  case patternNoMatch
  /// A graph was changed wrongly.
  case invalidTransformation
  /// The version of the runtime is not supported.
  case unsupportedRuntimeVersion
  /// The version of the compiler is not supported.
  case unsupportedCompilerVersion
  /// The version of compiled code does not fit.
  case incompatibleByteCodeVersion
  /// Nothing infers shapes of an operator.
  case unsupportedOpShapeInferer
  /// Shapes could not be inferred.
  case shapeInferenceFailed

  /// Creates the error of a status, `unknown` for every other one.
  public init(status: LiteRtStatus) { self = Self.rows.first { $0.status == status }?.error ?? .unknown }

  /// The kind in two or three words.
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

/// Calls `body`. An engine's error that it throws is reported, and one of LiteRT's is thrown in its place: that of its
/// code, or `other`.
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
