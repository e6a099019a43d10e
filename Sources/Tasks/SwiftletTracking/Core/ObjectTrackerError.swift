public import Foundation
import SwiftletBase

/// Why objects could not be looked for, or followed.
///
/// Finding nothing is no error: the list of objects is then empty. As an `NSError` it has the domain
/// `com.swiftlet.tracking` and the code's raw value.
public struct ObjectTrackerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// No model says where objects are: neither the options name one, nor is there a default.
    case missingLocalizerModel = 1
    /// There is no model file.
    case modelNotFound
    /// The model's file may not be read.
    case forbiddenModel
    /// The model cannot be read, is damaged, or is not what it was given for.
    case invalidModel
    /// The model breaks one of the rules that ``ObjectTrackerError/fault`` can name.
    case unsuitableModel
    /// The model has operators that the engine does not have.
    case unsupportedModel
    /// The model's metadata lacks something.
    case missingMetadata
    /// An option is out of its range, or options contradict each other.
    case invalidOption
    /// The pixels of the picture cannot be used.
    case invalidImage
    /// A limit of memory, size or work was reached.
    case limitExceeded
    /// Loading or a run took longer than the options allow.
    case deadlineExceeded
    /// The task that waits for the result was cancelled.
    case cancelled
    /// Anything else.
    case failed
  }

  /// What to branch on.
  public var code: Code
  /// What is wrong, what was expected, and what to do: one line, whatever the names in it hold.
  public var message: String
  /// Which rule a model breaks; `nil` for errors of another kind.
  public var fault: ModelFault?

  /// An error of a kind, with a message that says what is wrong and what to do.
  public init(_ code: Code, _ message: String, fault: ModelFault? = nil) {
    self.code = code
    self.message = message.shown
    self.fault = fault
  }

  /// The message.
  public var description: String { message }

  // MARK: What happens often

  /// No model says where objects are.
  package static let missingLocalizerModel = ObjectTrackerError(
    .missingLocalizerModel,
    "no model says where objects are; name an object detection model in the options, or set DefaultLocalizer.model once for the whole process"
  )

  /// There is no file.
  package static func modelNotFound(path: String) -> ObjectTrackerError {
    ObjectTrackerError(.modelNotFound, "there is no model at \(path.excerpt)", fault: .fileNotFound)
  }

  /// A model that breaks a rule; the number of the rule ends the message.
  package static func unsuitableModel(_ fault: ModelFault, _ message: String) -> ObjectTrackerError {
    ObjectTrackerError(.unsuitableModel, "\(message) (\(fault.rawValue))", fault: fault)
  }

  /// A picture that cannot be used.
  package static func invalidImage(_ reason: String) -> ObjectTrackerError {
    ObjectTrackerError(.invalidImage, "the picture cannot be used: \(reason)")
  }

  static func invalidOption(_ message: String) -> ObjectTrackerError { ObjectTrackerError(.invalidOption, message) }
}

extension ObjectTrackerError: LocalizedError, CustomNSError {
  /// The domain of the error as an `NSError`.
  public static var errorDomain: String { "com.swiftlet.tracking" }

  /// The code of the error as an `NSError`.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }
  /// The message, as an `NSError` has it.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
