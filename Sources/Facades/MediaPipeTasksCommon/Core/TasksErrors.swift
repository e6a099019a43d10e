package import Foundation
import SwiftletTasks

/// An error of a module that a façade shows parts of, such as that of pictures.
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
