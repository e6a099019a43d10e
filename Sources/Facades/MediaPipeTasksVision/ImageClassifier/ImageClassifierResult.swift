public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// What an image classifier returns.
#if canImport(ObjectiveC)
  @objc(MPPImageClassifierResult) @objcMembers
#endif
open class ImageClassifierResult: TaskResult, @unchecked Sendable {
  /// The classes of the picture, for each output of the model.
  public let classificationResult: ClassificationResult

  /// A result of these classes.
  public init(classificationResult: ClassificationResult, timestampInMilliseconds: Int) {
    self.classificationResult = classificationResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: Classification, time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: Classification, at time: Duration) {
    self.init(
      classificationResult: ClassificationResult(value, at: time),
      timestampInMilliseconds: time.inMilliseconds)
  }
}
