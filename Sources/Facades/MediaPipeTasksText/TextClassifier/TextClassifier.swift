public import Foundation
import SwiftletText

/// Says what a text is about, with scores.
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPTextClassifier) @objcMembers
#endif
open class TextClassifier: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  private let task: SwiftletText.TextClassifier

  /// A text classifier with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a text classification model.
  public convenience init(modelPath: String) throws {
    let options = TextClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A text classifier with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a text classification model.
  public init(options: TextClassifierOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.TextClassifier(options: try options.values()) }
    super.init()
  }

  /// Classifies a text of any length; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(classifyText:error:)
  #endif
  open func classify(text: String) throws -> TextClassifierResult {
    try reportingTasksErrors { TextClassifierResult(try task.classification(of: text)) }
  }
}
