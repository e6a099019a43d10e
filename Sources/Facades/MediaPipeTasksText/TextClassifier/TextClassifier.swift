public import Foundation
public import class MediaPipeTasksCommon.ClassificationResult
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

  /// Creates a text classifier with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a text classification model.
  public convenience init(modelPath: String) throws {
    let options = TextClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a text classifier with these options; changing them later changes nothing.
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

/// How texts are classified.
#if canImport(ObjectiveC)
  @objc(MPPTextClassifierOptions) @objcMembers
#endif
open class TextClassifierOptions: TaskOptions {
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most classes of each output of the model reported; negative for all, 0 is an error.
  open var maxResults = -1
  /// The score threshold; results with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these names are reported.
  open var categoryAllowlist: [String] = []
  /// These names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = TextClassifierOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletText.TextClassifierOptions {
    try CategoryOptionCheck.check(
      maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: ".")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a text classifier.
#if canImport(ObjectiveC)
  @objc(MPPTextClassifierResult) @objcMembers
#endif
open class TextClassifierResult: TaskResult, @unchecked Sendable {
  /// The classes of the text, for each output of the model.
  public let classificationResult: ClassificationResult

  /// Creates a result of these classes.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: Classification) {
    self.init(classificationResult: ClassificationResult(value, at: .zero), timestampInMilliseconds: 0)
  }
}
