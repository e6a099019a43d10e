public import Foundation
import SwiftletDisplayText

/// What went wrong in a vision task, with the domain, codes and texts of MediaPipe's errors.
///
/// As an `NSError` it has the domain `com.google.mediapipe.tasks` and the code's raw value.
public struct VisionTaskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure; raw values are those of MediaPipe's `TasksErrorCode`.
  public enum Code: Int, Sendable, Hashable {
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case internalError = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16

    /// The name MediaPipe puts before a message.
    var label: String {
      switch self {
      case .cancelled: "CANCELLED"
      case .unknown: "UNKNOWN"
      case .invalidArgument: "INVALID_ARGUMENT"
      case .deadlineExceeded: "DEADLINE_EXCEEDED"
      case .notFound: "NOT_FOUND"
      case .alreadyExists: "ALREADY_EXISTS"
      case .permissionDenied: "PERMISSION_DENIED"
      case .resourceExhausted: "RESOURCE_EXHAUSTED"
      case .failedPrecondition: "FAILED_PRECONDITION"
      case .aborted: "ABORTED"
      case .outOfRange: "OUT_OF_RANGE"
      case .unimplemented: "UNIMPLEMENTED"
      case .internalError: "INTERNAL"
      case .unavailable: "UNAVAILABLE"
      case .dataLoss: "DATA_LOSS"
      case .unauthenticated: "UNAUTHENTICATED"
      }
    }
  }

  public var code: Code
  /// What is wrong, what was expected, and what to do: one line, whatever the names in it hold.
  public var message: String
  /// MediaPipe names the code before messages of its core, not before those of its programming interface.
  private var namesCode = true

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.shown
  }

  /// The message, behind the name of its code unless a call was made that the task's mode or interface does not allow.
  public var description: String { namesCode ? "\(code.label): \(message)" : message }

  static func invalid(_ message: String) -> VisionTaskError { VisionTaskError(.invalidArgument, message) }

  /// An error in how a task's interface is used: an invalid argument whose text stands for itself.
  package static func misuse(_ message: String) -> VisionTaskError {
    var error = invalid(message)
    error.namesCode = false
    return error
  }
}

extension VisionTaskError: LocalizedError, CustomNSError {
  public static var errorDomain: String { "com.google.mediapipe.tasks" }

  public var errorCode: Int { code.rawValue }
  public var errorDescription: String? { description }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
