public import Foundation
import SwiftletBase

/// An error in looking up, downloading, or storing a model.
///
/// As an `NSError`, it has the domain `com.swiftlet.modelstore` and the raw value of its code.
public struct ModelStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error. Raw values below 100 are gRPC status codes, as in ML Kit. Future versions may add codes.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code of the `NSError`.
    public var rawValue: Int

    /// Creates a code.
    ///
    /// - Parameter rawValue: The code of the `NSError`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The call's `Progress` or task was cancelled.
    public static let cancelled = Code(rawValue: 1)
    /// The server rejected the request as malformed (status 400), or an argument of the call is invalid.
    public static let invalidArgument = Code(rawValue: 3)
    /// The server didn't respond in time, or the transfer was too slow.
    public static let timedOut = Code(rawValue: 4)
    /// The server does not know the model or file (status 404), or there is nothing to delete.
    public static let notFound = Code(rawValue: 5)
    /// The server requires other credentials, or denies the download to these (status 401 or 403).
    public static let permissionDenied = Code(rawValue: 7)
    /// The server's rate limit is exceeded (status 429).
    public static let resourceExhausted = Code(rawValue: 8)
    /// A precondition of the download is not met: a connection, or the app's settings.
    public static let failedPrecondition = Code(rawValue: 9)
    /// The server failed, or its response violates the protocol.
    public static let internalError = Code(rawValue: 13)
    /// The connection ended before the file did.
    public static let truncated = Code(rawValue: 15)
    /// A remote model has an empty name.
    public static let emptyModelName = Code(rawValue: 101)
    /// There is not enough disk space for the model.
    public static let notEnoughSpace = Code(rawValue: 102)
    /// The URL from the server has expired, and so has the next one.
    public static let expiredAddress = Code(rawValue: 103)
    /// The file doesn't have the expected size.
    public static let sizeMismatch = Code(rawValue: 104)
    /// The file is complete, but its SHA-256 is not the expected one.
    public static let hashMismatch = Code(rawValue: 105)
    /// The downloaded file is not a `.tflite` model, or is not a bundle although its URL ends with `.task`.
    public static let notAModel = Code(rawValue: 106)
    /// A URL, or a redirect, is not `https`.
    public static let insecureAddress = Code(rawValue: 107)
    /// The file is larger than the store's limit.
    public static let tooLarge = Code(rawValue: 108)
    /// The remote model isn't installed, and must be downloaded first.
    public static let modelNotDownloaded = Code(rawValue: 109)
    /// There is no model file at a local path.
    public static let modelNotFound = Code(rawValue: 110)
    /// The store's own files cannot be read or written.
    public static let storage = Code(rawValue: 111)
  }

  /// The policy for retrying a failed request automatically.
  enum Retry: Sendable, Hashable {
    case never
    case afterDelay
    /// Retry after the delay that the server specified.
    case after(seconds: Double)
    /// Retry immediately, but only once: data from an earlier request was unusable and has been removed.
    case anew
  }

  /// The code of the error.
  public var code: Code
  /// A message that describes the problem, the expected value, and a fix.
  public var message: String
  var retry = Retry.never

  /// Creates an error for a custom model source.
  ///
  /// - Parameters:
  ///   - code: The code of the error.
  ///   - message: The problem, and a fix; truncated if it is very long.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = SanitizedText.excerpt(message, limit: Self.maximumMessage)
  }

  init(_ code: Code, _ message: String, retry: Retry) {
    self.init(code, message)
    self.retry = retry
  }

  /// The maximum length of a message. Even a message with several excerpts of a server's response must not flood a log.
  private static let maximumMessage = 1000

  /// The message.
  public var description: String { message }

  static let cancelled = ModelStoreError(.cancelled, "the download was cancelled")

  /// Returns the error with a subject in front of the message.
  func about(_ subject: String) -> ModelStoreError { ModelStoreError(code, "\(subject): \(message)", retry: retry) }

  /// Returns any error as a model store error.
  static func wrapping(_ error: any Error, as code: Code) -> ModelStoreError {
    if let error = error as? ModelStoreError { return error }
    if error is CancellationError { return cancelled }
    return ModelStoreError(code, (error as NSError).localizedDescription)
  }
}

extension ModelStoreError: LocalizedError, CustomNSError {
  /// The domain `com.swiftlet.modelstore`.
  public static var errorDomain: String { "com.swiftlet.modelstore" }

  /// The code's raw value.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The message as localized description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
