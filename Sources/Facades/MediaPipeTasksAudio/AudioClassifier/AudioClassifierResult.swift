public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletAudio

// Unchecked because its base class is: it has constants only.

/// What an audio classifier returns.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierResult) @objcMembers
#endif
open class AudioClassifierResult: TaskResult, @unchecked Sendable {
  /// The classes of each window of a clip, with the time at which it begins; of one window in stream mode.
  public let classificationResults: [ClassificationResult]

  /// A result of these classes.
  public init(classificationResults: [ClassificationResult], timestampInMilliseconds: Int) {
    self.classificationResults = classificationResults
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ windows: [AudioClassification.Window]) {
    self.init(
      classificationResults: windows.map { ClassificationResult($0.classification, at: $0.time) },
      timestampInMilliseconds: windows.first?.time.inMilliseconds ?? 0)
  }
}
