public import Foundation
import SwiftletText

/// Says which language a text is in.
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPLanguageDetector) @objcMembers
#endif
open class LanguageDetector: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  private let task: SwiftletText.LanguageDetector

  /// A language detector with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a language detection model.
  public convenience init(modelPath: String) throws {
    let options = LanguageDetectorOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A language detector with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   a language detection model.
  public init(options: LanguageDetectorOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.LanguageDetector(options: try options.values()) }
    super.init()
  }

  /// Finds the languages of a text; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(detectText:error:)
  #endif
  open func detect(text: String) throws -> LanguageDetectorResult {
    try reportingTasksErrors { LanguageDetectorResult(try task.languages(of: text)) }
  }
}
