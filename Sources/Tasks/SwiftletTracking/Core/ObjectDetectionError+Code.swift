import SwiftletVision

extension ObjectDetectionError {
  /// Kinds of failures, in the numbering of Abseil's status codes, which ML Kit's errors have too.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case unimplemented = 12
    case internalError = 13

    init(_ code: VisionTaskError.Code) {
      switch code {
      case .modelNotFound, .missingMetadata: self = .notFound
      case .unsupportedModel: self = .unimplemented
      case .limitExceeded: self = .resourceExhausted
      case .deadlineExceeded: self = .deadlineExceeded
      case .cancelled: self = .cancelled
      case .failed, .unsupportedRegion: self = .internalError
      case .unreadableModel, .invalidModel, .invalidOption, .invalidArgument, .wrongMode, .unsupportedOrientation,
        .timeNotIncreasing, .invalidRegion, .invalidImage:
        self = .invalidArgument
      }
    }
  }
}
