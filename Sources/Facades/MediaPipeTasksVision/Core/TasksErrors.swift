import Foundation
import SwiftletImage
import SwiftletVision

extension NSError {
  /// The error as callers of MediaPipe expect it: with the domain, the code and the text of its tasks.
  static func tasks(_ error: any Error) -> NSError {
    let known: VisionTaskError =
      switch error {
      case let error as VisionTaskError: error
      case let error as ImageError: .misuse(error.message)
      default: VisionTaskError(.unknown, "\(error)")
      }
    return NSError(domain: VisionTaskError.errorDomain, code: known.errorCode, userInfo: known.errorUserInfo)
  }
}

/// Calls `body` and turns what it throws into an `NSError` of the tasks' domain.
func reportingTasksErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw NSError.tasks(error)
  }
}
