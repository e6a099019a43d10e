import SwiftletBase
import SwiftletVision

extension ObjectTrackerError {
  /// What `body` gives; whatever it throws becomes one of these errors.
  ///
  /// - Parameter model: whose file the message names, unless it does so already; `nil` for no file.
  static func wrapping<Value>(
    naming model: ModelSource? = nil, _ body: () throws -> sending Value
  ) throws(ObjectTrackerError) -> sending Value {
    do {
      return try body()
    } catch {
      var known = ObjectTrackerError(foreign: error)
      if let path = model?.path?.excerpt, !path.isEmpty, known.namesNoFile, !known.message.hasPrefix(path) {
        known = ObjectTrackerError(known.code, "\(path): \(known.message)", fault: known.fault)
      }
      throw known
    }
  }

  /// Whether the error is about a model's contents, and not about a file, an option or a picture.
  private var namesNoFile: Bool {
    switch code {
    case .missingLocalizerModel, .modelNotFound, .invalidOption, .invalidImage: false
    default: true
    }
  }

  private init(foreign error: any Error) {
    switch error {
    case let error as ObjectTrackerError: self = error
    case let error as TaskError:
      switch error.circumstance {
      case .missingFile(let path): self = .modelNotFound(path: path)
      case .forbiddenFile: self.init(.forbiddenModel, error.message)
      default: self.init(Code(error.code), error.message)
      }
    case let error as ImageError: self = .invalidImage(error.message)
    default: self.init(.failed, "\(error)")
    }
  }
}

extension ObjectTrackerError.Code {
  fileprivate init(_ code: TaskError.Code) {
    switch code {
    case .modelNotFound: self = .modelNotFound
    case .missingMetadata: self = .missingMetadata
    case .unsupportedModel: self = .unsupportedModel
    case .unreadableModel, .invalidModel: self = .invalidModel
    case .limitExceeded: self = .limitExceeded
    case .deadlineExceeded: self = .deadlineExceeded
    case .cancelled: self = .cancelled
    case .failed, .unsupportedRegion, .invalidAudio: self = .failed
    case .invalidOption, .invalidArgument, .wrongMode, .timeNotIncreasing: self = .invalidOption
    case .unsupportedOrientation, .invalidRegion, .invalidImage: self = .invalidImage
    }
  }
}
