public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletText

// Unchecked because its base class is: it has constants only.

/// What a text classifier returns.
#if canImport(ObjectiveC)
  @objc(MPPTextClassifierResult) @objcMembers
#endif
open class TextClassifierResult: TaskResult, @unchecked Sendable {
  /// The classes of the text, for each output of the model.
  public let classificationResult: ClassificationResult

  /// A result of these classes.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: Classification) {
    self.init(classificationResult: ClassificationResult(value, at: .zero), timestampInMilliseconds: 0)
  }
}
