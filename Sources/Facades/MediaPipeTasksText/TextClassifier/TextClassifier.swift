public import Foundation
public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletText

/// Classifies texts.
///
/// - Thread safety: callable concurrently; calls on one classifier run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPTextClassifier) @objcMembers
#endif
open class TextClassifier: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  private let task: SwiftletText.TextClassifier

  /// Creates a text classifier with default options.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a text classification model.
  public convenience init(modelPath: String) throws {
    let options = TextClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a text classifier with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not a
  ///   text classification model.
  public init(options: TextClassifierOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.TextClassifier(options: try options.values()) }
    super.init()
  }

  /// Classifies a text of any length; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(classifyText:error:)
  #endif
  open func classify(text: String) throws -> TextClassifierResult {
    try reportingTasksErrors { TextClassifierResult(try task.classification(of: text)) }
  }
}

/// The options of a text classifier.
#if canImport(ObjectiveC)
  @objc(MPPTextClassifierOptions) @objcMembers
#endif
open class TextClassifierOptions: TaskOptions {
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The maximum number of classes per output of the model; negative for all. 0 is an error.
  open var maxResults = -1
  /// The minimum score. Classes with a lower score are not reported.
  open var scoreThreshold: Float = 0
  /// If not empty, the names of the only categories to report.
  open var categoryAllowlist: [String] = []
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
  open var categoryDenylist: [String] = []

  /// Returns independent options with the same values.
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

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if options contradict each other, or there is no model.
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

  /// Creates a result with the given classes.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: Classification) {
    self.init(classificationResult: ClassificationResult(value, at: .zero), timestampInMilliseconds: 0)
  }
}
