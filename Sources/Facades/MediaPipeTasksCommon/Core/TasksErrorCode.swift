package import Foundation
import SwiftletTasks

/// What went wrong in a task: the `code` of its errors.
///
/// Everything in these modules throws an `NSError` of the domain `com.google.mediapipe.tasks` whose text is in
/// `localizedDescription`:
///
/// ```swift
/// } catch let error as NSError where error.code == TasksErrorCode.notFoundError.rawValue { … }
/// ```
///
/// The codes from 17 on belong to tasks on sound.
#if canImport(ObjectiveC)
  @objc(MPPTasksErrorCode)
#endif
public enum TasksErrorCode: UInt, Sendable {
  /// The operation was cancelled.
  case cancelledError = 1
  /// Anything that fits no other code.
  case unknownError = 2
  /// An option or an argument is wrong, or a call does not fit the running mode.
  case invalidArgumentError = 3
  /// The operation took too long.
  case deadlineExceededError = 4
  /// A file is missing, or something in it.
  case notFoundError = 5
  /// The resource exists already.
  case alreadyExistsError = 6
  /// A file may not be read.
  case permissionDeniedError = 7
  /// A limit was reached.
  case resourceExhaustedError = 8
  /// The task is not in a state for the operation.
  case failedPreconditionError = 9
  /// The operation was aborted.
  case abortedError = 10
  /// An index was out of range.
  case outOfRangeError = 11
  /// The model wants what is not supported.
  case unimplementedError = 12
  /// An invariant was broken.
  case internalError = 13
  /// A service is not available at the moment.
  case unavailableError = 14
  /// Data was lost or is damaged.
  case dataLossError = 15
  /// The caller is not who it has to be.
  case unauthenticatedError = 16
  /// The user has not allowed to record audio.
  case audioRecordPermissionDeniedError = 17
  /// The user was not asked yet whether audio may be recorded.
  case audioRecordPermissionUndeterminedError = 18
  /// Audio was asked for before the microphone delivered any.
  case audioRecordWaitingForNewMicInputError = 19
  /// Audio was asked for while nothing was being recorded.
  case audioRecordNotTappingMicError = 20

  /// The smallest code.
  public static let first = TasksErrorCode.cancelledError
  /// The largest code.
  public static let last = TasksErrorCode.audioRecordNotTappingMicError
}

/// An error of a module that a facade shows parts of, such as that of images.
package protocol TasksFailureConvertible: Error {
  /// The error with MediaPipe's code and text.
  var tasksFailure: TasksFailure { get }
}

extension NSError {
  /// The error as callers of MediaPipe expect it: with the domain, the code and the text of its tasks.
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

/// Calls `body` and turns what it throws into an `NSError` of the tasks' domain.
package func reportingTasksErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw NSError.tasks(error)
  }
}
