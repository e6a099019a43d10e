public import Foundation
import SwiftletBase

/// Why a model could not be found, downloaded or kept.
///
/// As an `NSError` it has the domain `com.swiftlet.modelstore` and the code's raw value.
public struct ModelStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure. Raw values below 100 are those of the gRPC status codes, as in ML Kit; more may be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code of the `NSError`.
    public var rawValue: Int

    /// - Parameter rawValue: the code of the `NSError`.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The call's `Progress` or task was cancelled.
    public static let cancelled = Code(rawValue: 1)
    /// The server refused the request as such (status 400), or an argument of the call cannot be used.
    public static let invalidArgument = Code(rawValue: 3)
    /// The server was silent, or so slow that the download would not end.
    public static let timedOut = Code(rawValue: 4)
    /// The server does not know the model or file (status 404), or there is nothing to delete.
    public static let notFound = Code(rawValue: 5)
    /// The server wants other credentials, or denies the download to these (status 401 or 403).
    public static let permissionDenied = Code(rawValue: 7)
    /// The server limits how often it may be asked (status 429).
    public static let resourceExhausted = Code(rawValue: 8)
    /// A requirement of the download is missing: a connection, or the app's settings.
    public static let failedPrecondition = Code(rawValue: 9)
    /// The server failed, or answered what its protocol does not allow.
    public static let internalError = Code(rawValue: 13)
    /// The connection ended before the file did.
    public static let truncated = Code(rawValue: 15)
    /// A remote model must have a name.
    public static let emptyModelName = Code(rawValue: 101)
    /// The disk has no room for the model.
    public static let notEnoughSpace = Code(rawValue: 102)
    /// The address that the server gave was no longer valid, and neither was the one it gave next.
    public static let expiredAddress = Code(rawValue: 103)
    /// The file has not as many bytes as it should.
    public static let sizeMismatch = Code(rawValue: 104)
    /// The file is whole but not the one that was asked for: its SHA-256 is another.
    public static let hashMismatch = Code(rawValue: 105)
    /// The downloaded file is not a `.tflite` model, or no bundle where the address is that of a `.task` file.
    public static let notAModel = Code(rawValue: 106)
    /// An address, or where it led, is not `https`.
    public static let insecureAddress = Code(rawValue: 107)
    /// The file has more bytes than the store takes.
    public static let tooLarge = Code(rawValue: 108)
    /// The remote model has to be downloaded first.
    public static let modelNotDownloaded = Code(rawValue: 109)
    /// There is no model file at a local path.
    public static let modelNotFound = Code(rawValue: 110)
    /// The store's own files cannot be read or written.
    public static let storage = Code(rawValue: 111)
  }

  /// Whether a failed request is tried again automatically.
  enum Retry: Sendable, Hashable {
    case never
    case afterDelay
    /// The server said how long to wait.
    case after(seconds: Double)
    /// At once, but only once: what an earlier request left was of no use and is removed.
    case anew
  }

  /// The kind of failure.
  public var code: Code
  /// A message that says what is wrong, what was expected, and what to do.
  public var message: String
  var retry = Retry.never

  /// Creates an error for a custom model source.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: what is wrong, and what to do; cut if it is very long.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = SanitizedText.excerpt(message, limit: Self.maximumMessage)
  }

  init(_ code: Code, _ message: String, retry: Retry) {
    self.init(code, message)
    self.retry = retry
  }

  /// A message of several excerpts of what a server sent must not flood a log either.
  private static let maximumMessage = 1000

  /// The message.
  public var description: String { message }

  static let cancelled = ModelStoreError(.cancelled, "the download was cancelled")

  /// The same error with what it is about in front.
  func about(_ subject: String) -> ModelStoreError { ModelStoreError(code, "\(subject): \(message)", retry: retry) }

  /// An error of any kind as one of the store's.
  static func wrapping(_ error: any Error, as code: Code) -> ModelStoreError {
    if let error = error as? ModelStoreError { return error }
    if error is CancellationError { return cancelled }
    return ModelStoreError(code, (error as NSError).localizedDescription)
  }
}

extension ModelStoreError: LocalizedError, CustomNSError {
  /// `com.swiftlet.modelstore`.
  public static var errorDomain: String { "com.swiftlet.modelstore" }

  /// The code's raw value.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The message as localized description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
