import SwiftletBase
@_spi(Facades) package import SwiftletTasks
package import SwiftletTracking

/// Why an image could not be looked at.
///
/// Finding nothing is no error: the list of objects or labels is then empty. As an `NSError` it has the domain ``domain``, the
/// code's raw value, and in its user info the number of ``detail`` under ``detailKey``.
///
/// ```swift
/// } catch let error as MLKitError where error == .calledOnMainThread { … }
/// } catch let error as MLKitError where error.code == .notFound { … }
/// ```
public struct MLKitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Kinds of failures, in the numbering of Abseil's status codes, which ML Kit's errors have too.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// The task that waits for the result was cancelled.
    case cancelled = 1
    /// A failure without a kind of its own.
    case unknown = 2
    /// A model, an option or an image cannot be used.
    case invalidArgument = 3
    /// Loading or a run took longer than the options allow.
    case deadlineExceeded = 4
    /// There is no such file, or a model lacks something that it should have.
    case notFound = 5
    /// A file may not be read.
    case permissionDenied = 7
    /// A limit of memory, size or work was reached.
    case resourceExhausted = 8
    /// A requirement of the call is missing.
    case failedPrecondition = 9
    /// The model has operators that the engine does not have.
    case unimplemented = 12
    /// Anything else.
    case internalError = 13
  }

  /// The domain of these errors.
  public static let domain = "com.swiftlet.mlkit"
  /// The key of ``detail``'s number in an `NSError`'s user info.
  public static let detailKey = "com.swiftlet.mlkit.detail"

  /// The code of the error, to branch on.
  public let code: Code
  /// A message that says what is wrong, what was expected, and what to do: one line, whatever the names in it hold.
  public let message: String
  /// The rule that a model breaks; `nil` for errors of another kind.
  public let detail: ModelFault?

  package init(_ code: Code, _ message: String, detail: ModelFault? = nil) {
    self.code = code
    self.message = message.shown
    self.detail = detail
  }

  /// Creates the error of a task with ML Kit's code.
  package init(_ error: TaskError) {
    switch error.cause {
    case .missingFile(let path): self = .modelNotFound(path: path)
    case .forbiddenFile: self.init(.permissionDenied, error.message)
    default:
      if error.code == .invalidImage {
        self = .invalidImage(error.message)
      } else {
        self.init(Code(error.code), error.message, detail: error.modelFault)
      }
    }
  }

  // MARK: Errors to compare with

  /// A call that blocks was made on the main thread, which must not be blocked.
  public static let calledOnMainThread = MLKitError(
    .failedPrecondition,
    "results(in:) blocks and was called on the main thread; call it on another one, or use process(_:completion:), or await process(_:)"
  )

  /// There is no model file.
  public static func modelNotFound(path: String) -> MLKitError {
    MLKitError(.notFound, "there is no model at \(path.excerpt)", detail: .fileNotFound)
  }

  /// A remote model has not been downloaded.
  public static func modelNotDownloaded(name: String) -> MLKitError {
    MLKitError(
      .failedPrecondition,
      "the remote model '\(name.excerpt)' has not been downloaded; download it first and ask isModelDownloaded before making a detector or labeler of it"
    )
  }

  package static func invalidImage(_ reason: String) -> MLKitError {
    MLKitError(.invalidArgument, "the image cannot be used: \(reason)")
  }

  /// The message.
  public var description: String { message }
}

extension MLKitError.Code {
  fileprivate init(_ code: TaskError.Code) {
    switch code {
    case .modelNotFound, .missingMetadata: self = .notFound
    case .unsupportedModel: self = .unimplemented
    case .limitExceeded: self = .resourceExhausted
    case .deadlineExceeded: self = .deadlineExceeded
    case .cancelled: self = .cancelled
    case .failed, .invalidAudio: self = .internalError
    default: self = .invalidArgument
    }
  }
}

extension MLKitError: LocalizedError, CustomNSError {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { domain }

  /// The code of the error as an `NSError`.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The message, and the rule that a model breaks, if it is about one, as an `NSError` has them.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    info[Self.detailKey] = detail?.rawValue
    return info
  }
}

/// Calls `body`, and throws its error as ML Kit's.
package func reportingMLKitErrors<Value>(
  _ body: () throws(TaskError) -> Value
) throws(MLKitError) -> Value {
  do {
    return try body()
  } catch {
    throw MLKitError(error)
  }
}
