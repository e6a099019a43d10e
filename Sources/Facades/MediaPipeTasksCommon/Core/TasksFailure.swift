import Foundation
import SwiftletBase
@_spi(Facades) package import SwiftletTasks

/// An error with MediaPipe's code and text.
package struct TasksFailure: Error {
  package let code: TasksErrorCode
  package let text: String

  /// Creates an error with a code and its complete text.
  package init(_ code: TasksErrorCode, _ text: String) { self.init(code, text: text) }

  private init(_ code: TasksErrorCode, text: String) {
    self.code = code
    self.text = text
  }

  /// Creates an error of MediaPipe's core, whose text starts with the code.
  package init(core code: TasksErrorCode, _ text: String) { self.init(code, text: "\(code.label): \(text)") }

  /// Creates an error of MediaPipe's API, with its complete text.
  package init(misuse text: String) { self.init(.invalidArgumentError, text: text) }

  /// Creates an error from a task error, with MediaPipe's text if there is one.
  package init(_ error: TaskError) {
    switch error.cause {
    case .missingFile(let path): self.init(core: .notFoundError, "Unable to open file at \(path.excerpt)")
    case .forbiddenFile: self.init(core: .permissionDeniedError, error.message)
    case .missingMember("face_blendshapes.tflite", _):
      self.init(
        core: .invalidArgumentError,
        "BLENDSHAPES Tag and blendshapes model must be both set. Get BLENDSHAPES is set: true, blendshapes model is set: false"
      )
    case .missingMember(let name, let others):
      self.init(
        core: .notFoundError,
        "No file with name: \(name.excerpt). All files in the model asset bundle are: \(SanitizedText.list(others)).")
    case .sampleRate(let rate, let expected):
      self.init(
        misuse:
          "The input audio sample rate: \(Self.text(rate)) is inconsistent with the previously provided: \(Self.text(expected))"
      )
    case .brokenRule, nil:
      switch error.code {
      case .timeNotIncreasing:
        self.init(core: .invalidArgumentError, "Input timestamp must be monotonically increasing.")
      case .invalidRegion: self.init(core: .invalidArgumentError, "ROI width and height must be > 0.")
      default: self.init(core: TasksErrorCode(error.code), error.message)
      }
    }
  }

  /// Creates an error for a call that belongs to another running mode than the task's.
  ///
  /// - Parameters:
  ///   - task: The kind of task, such as `vision`.
  ///   - called: The mode that the call is for.
  ///   - current: The mode of the task.
  package init(task: String, calledFor called: String, current: String) {
    self.init(
      misuse: "The \(task) task is not initialized with \(called). Current Running Mode: \(current.capitalized)")
  }

  /// Creates an error for an image with a mirrored orientation, with the name of the orientation.
  package init(mirroredOrientation orientation: String) {
    self.init(
      misuse:
        "Unsupported UIImageOrientation. `imageOrientation` cannot be equal to any of the mirrored orientations, but it is \(orientation). Turn the image upright first (ImageBuffer.oriented) or give one of up, right, down, left."
    )
  }

  /// Returns a number as printed by C's `%f`.
  private static func text(_ number: Double) -> String { String(format: "%f", number) }
}

extension TasksErrorCode {
  fileprivate init(_ code: TaskError.Code) {
    switch code {
    case .modelNotFound, .missingMetadata: self = .notFoundError
    case .unsupportedModel: self = .unimplementedError
    case .limitExceeded: self = .resourceExhaustedError
    case .deadlineExceeded: self = .deadlineExceededError
    case .cancelled: self = .cancelledError
    case .unreadableModel, .invalidModel, .invalidOption, .invalidArgument, .timeNotIncreasing, .invalidRegion,
      .invalidImage, .invalidAudio:
      self = .invalidArgumentError
    default: self = .internalError
    }
  }

  /// The prefix that MediaPipe's core puts before the text of an error.
  fileprivate var label: String {
    switch self {
    case .cancelledError: "CANCELLED"
    case .invalidArgumentError: "INVALID_ARGUMENT"
    case .deadlineExceededError: "DEADLINE_EXCEEDED"
    case .notFoundError: "NOT_FOUND"
    case .alreadyExistsError: "ALREADY_EXISTS"
    case .permissionDeniedError: "PERMISSION_DENIED"
    case .resourceExhaustedError: "RESOURCE_EXHAUSTED"
    case .failedPreconditionError: "FAILED_PRECONDITION"
    case .abortedError: "ABORTED"
    case .outOfRangeError: "OUT_OF_RANGE"
    case .unimplementedError: "UNIMPLEMENTED"
    case .internalError: "INTERNAL"
    case .unavailableError: "UNAVAILABLE"
    case .dataLossError: "DATA_LOSS"
    case .unauthenticatedError: "UNAUTHENTICATED"
    default: "UNKNOWN"
    }
  }
}
