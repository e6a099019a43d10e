import SwiftletBase
@_spi(Facades) package import SwiftletTasks
package import SwiftletTracking

/// An error in processing an image.
///
/// An empty result is not an error: the list of objects or labels is then empty. As an `NSError`, it has the domain
/// ``domain`` and the raw value of its code; its user info has the raw value of ``detail`` under ``detailKey``.
///
/// ```swift
/// } catch let error as MLKitError where error == .calledOnMainThread { … }
/// } catch let error as MLKitError where error.code == .notFound { … }
/// ```
public struct MLKitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error codes. As in ML Kit, the raw values are Abseil's status codes.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// The task that waits for the result was cancelled.
    case cancelled = 1
    /// An unknown error occurred.
    case unknown = 2
    /// A model, an option, or an image is invalid.
    case invalidArgument = 3
    /// Loading or a run took longer than the options allow.
    case deadlineExceeded = 4
    /// A file does not exist, or a model is incomplete.
    case notFound = 5
    /// The process has no permission to read a file.
    case permissionDenied = 7
    /// A limit on memory, size, or work was exceeded.
    case resourceExhausted = 8
    /// A precondition of the call is not met.
    case failedPrecondition = 9
    /// The model has operators that the engine does not support.
    case unimplemented = 12
    /// Any other error.
    case internalError = 13
  }

  /// The domain of these errors.
  public static let domain = "com.swiftlet.mlkit"
  /// The key of the raw value of ``detail`` in an `NSError`'s user info.
  public static let detailKey = "com.swiftlet.mlkit.detail"

  /// The code of the error, to branch on.
  public let code: Code
  /// A message that describes the problem, the expected value, and a fix: one line, whatever names it contains.
  public let message: String
  /// The requirement that a model violates; `nil` for other errors.
  public let detail: ModelFault?

  package init(_ code: Code, _ message: String, detail: ModelFault? = nil) {
    self.code = code
    self.message = message.sanitized
    self.detail = detail
  }

  /// Creates an ML Kit error from a task error.
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

  // MARK: Errors for comparison

  /// A blocking call was made on the main thread, which must not be blocked.
  public static let calledOnMainThread = MLKitError(
    .failedPrecondition,
    "results(in:) blocks and was called on the main thread; call it on another one, or use process(_:completion:), or await process(_:)"
  )

  /// Returns the error for a missing model file.
  public static func modelNotFound(path: String) -> MLKitError {
    MLKitError(.notFound, "there is no model at \(path.excerpt)", detail: .fileNotFound)
  }

  /// Returns the error for a remote model that has not been downloaded.
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
  /// The domain of the `NSError`.
  public static var errorDomain: String { domain }

  /// The code of the `NSError`.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The user info of the `NSError`: the message, and the requirement that a model violates, if any.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    info[Self.detailKey] = detail?.rawValue
    return info
  }
}

/// Calls `body`, and converts its error to an ML Kit error.
package func reportingMLKitErrors<Value>(
  _ body: () throws(TaskError) -> Value
) throws(MLKitError) -> Value {
  do {
    return try body()
  } catch {
    throw MLKitError(error)
  }
}
