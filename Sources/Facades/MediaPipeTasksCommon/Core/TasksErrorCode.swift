package import Foundation
import SwiftletTasks

/// The error codes of tasks: the `code` of their `NSError`.
///
/// All methods in these modules throw an `NSError` in the domain `com.google.mediapipe.tasks`, with the message in
/// `localizedDescription`:
///
///
/// ```swift
/// } catch let error as NSError where error.code == TasksErrorCode.notFoundError.rawValue { … }
/// ```
///
/// The codes from 17 on belong to audio tasks.
#if canImport(ObjectiveC)
  @objc(MPPTasksErrorCode)
#endif
public enum TasksErrorCode: UInt, Sendable {
  /// The operation was cancelled.
  case cancelledError = 1
  /// Any other error occurred.
  case unknownError = 2
  /// An option or an argument is invalid, or a call doesn't match the running mode.
  case invalidArgumentError = 3
  /// The operation took too long.
  case deadlineExceededError = 4
  /// A file, or a part of it, is missing.
  case notFoundError = 5
  /// The resource exists already.
  case alreadyExistsError = 6
  /// The process has no permission to read a file.
  case permissionDeniedError = 7
  /// A limit was exceeded.
  case resourceExhaustedError = 8
  /// The task is not in a state for the operation.
  case failedPreconditionError = 9
  /// The operation was aborted.
  case abortedError = 10
  /// An index was out of range.
  case outOfRangeError = 11
  /// The model requires a feature that is not supported.
  case unimplementedError = 12
  /// An invariant was broken.
  case internalError = 13
  /// A service is not available at the moment.
  case unavailableError = 14
  /// Data was lost or is damaged.
  case dataLossError = 15
  /// The caller is not authenticated.
  case unauthenticatedError = 16
  /// The user has denied the permission to record audio.
  case audioRecordPermissionDeniedError = 17
  /// The user has not yet been asked for permission to record audio.
  case audioRecordPermissionUndeterminedError = 18
  /// Audio was requested before the microphone delivered any.
  case audioRecordWaitingForNewMicInputError = 19
  /// Audio was requested while nothing was being recorded.
  case audioRecordNotTappingMicError = 20

  /// The smallest code.
  public static let first = TasksErrorCode.cancelledError
  /// The largest code.
  public static let last = TasksErrorCode.audioRecordNotTappingMicError
}

/// An error of a module that a facade re-exports in part, such as the image module.
package protocol TasksFailureConvertible: Error {
  /// The error with MediaPipe's code and text.
  var tasksFailure: TasksFailure { get }
}

extension NSError {
  /// Returns the error that callers of MediaPipe expect: an `NSError` with the domain, code, and text of its tasks.
  package static func tasks(_ error: any Error) -> NSError {
    let known: TasksFailure =
      switch error {
      case let error as TasksFailure: error
      case let error as TaskError: TasksFailure(error)
      case let error as any TasksFailureConvertible: error.tasksFailure
      default: TasksFailure(core: .unknownError, "\(error)")
      }
    return NSError(
      domain: "com.google.mediapipe.tasks", code: Int(known.code.rawValue),
      userInfo: [NSLocalizedDescriptionKey: known.text])
  }
}

/// Calls `body`, and converts its error to an `NSError` in the tasks' domain.
package func reportingTasksErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw NSError.tasks(error)
  }
}
