public import Foundation
import SwiftletDisplayText

/// Why objects could not be looked for.
///
/// Finding nothing is no error: the list of objects is then empty. As an `NSError` it has the domain ``domain``, the
/// code's raw value, and in its user info the number of ``detail`` under ``detailKey``.
public enum ObjectDetectionError: Error, Sendable, Hashable {
  /// No model says where objects are: neither the options name one, nor is there a default.
  case missingLocalizerModel
  /// There is no model file.
  case modelNotFound(path: String)
  /// A model's path cannot be used as it is.
  case invalidModelPath(path: String, reason: String)
  /// A remote model has not been downloaded.
  case modelNotDownloaded(name: String)
  /// A model is not what it was given for; the message says which rule it breaks and what was found.
  case unsuitableModel(ModelFault, message: String)
  /// A picture whose pixels cannot be read.
  case invalidImage(reason: String)
  /// Options that contradict each other, or a value out of range.
  case invalidOptions(reason: String)
  /// A call that blocks was made on the main thread, which must not be blocked.
  case calledOnMainThread
  /// A model could not be loaded or run for another reason.
  case failed(Code, message: String)

  /// The domain of these errors.
  public static let domain = "com.swiftlet.objectdetection"
  /// The key of ``detail``'s number in an `NSError`'s user info.
  public static let detailKey = "com.swiftlet.objectdetection.detail"

  /// The kind of failure in the numbering of Abseil's status codes, which ML Kit's and MediaPipe's errors have too.
  public var code: Code {
    switch self {
    case .missingLocalizerModel, .modelNotDownloaded, .calledOnMainThread: .failedPrecondition
    case .modelNotFound: .notFound
    case .invalidModelPath, .unsuitableModel, .invalidImage, .invalidOptions: .invalidArgument
    case .failed(let code, _): code
    }
  }

  /// Which rule a model breaks; `nil` for errors of another kind.
  public var detail: ModelFault? {
    switch self {
    case .unsuitableModel(let fault, _): fault
    case .modelNotFound: .fileNotFound
    default: nil
    }
  }

  /// What is wrong, what was expected, and what to do: one line, whatever the names in it hold.
  public var message: String { words.shown }

  private var words: String {
    switch self {
    case .missingLocalizerModel:
      "no model says where objects are; name an object detection model in the options, or set DefaultLocalizer.model once for the whole process"
    case .modelNotFound(let path): "there is no model at \(path)"
    case .invalidModelPath(let path, let reason): "the path '\(path)' cannot be used: \(reason)"
    case .modelNotDownloaded(let name):
      "the remote model '\(name)' has not been downloaded; download it first and ask isModelDownloaded before making the detector"
    case .unsuitableModel(let fault, let message): "\(message) (\(fault.rawValue))"
    case .invalidImage(let reason): "the picture cannot be used: \(reason)"
    case .invalidOptions(let reason): reason
    case .calledOnMainThread:
      "results(in:) blocks and was called on the main thread; call it on another one, or use its async form or process(_:completion:)"
    case .failed(_, let message): message
    }
  }
}

extension ObjectDetectionError {
  /// A task's error as one of these.
  init(_ error: any Error) {
    switch error {
    case let error as ObjectDetectionError: self = error
    case let error as VisionTaskError:
      switch error.circumstance {
      case .missingFile(let path): self = .modelNotFound(path: path)
      case .forbiddenFile: self = .failed(.permissionDenied, message: error.message)
      default: self = .failed(Code(error.code), message: error.message)
      }
    case let error as ImageError: self = .invalidImage(reason: error.message)
    default: self = .failed(.internalError, message: "\(error)")
    }
  }

  /// Loads the model of `base`, and names its file in errors.
  static func naming<Value>(_ base: BaseOptions, _ load: () throws -> Value) throws(ObjectDetectionError) -> Value {
    do {
      return try load()
    } catch {
      let path = base.model.path ?? ""
      switch ObjectDetectionError(error) {
      case let other where path.isEmpty: throw other
      case .failed(let code, let message):
        throw .failed(code, message: message.hasPrefix(path) ? message : "\(path): \(message)")
      case .unsuitableModel(let fault, let message): throw .unsuitableModel(fault, message: "\(path): \(message)")
      case let other: throw other
      }
    }
  }
}

extension ObjectDetectionError: LocalizedError, CustomNSError, CustomStringConvertible {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { domain }

  /// The message.
  public var description: String { message }
  /// The code of the error as an `NSError`.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The message, and the cause if there is one, as an `NSError` has them.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    info[Self.detailKey] = detail?.rawValue
    return info
  }
}
