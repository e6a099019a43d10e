public import Foundation
import SwiftletVision

/// How faces are looked for.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorOptions) @objcMembers
#endif
open class FaceDetectorOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var faceDetectorLiveStreamDelegate: (any FaceDetectorLiveStreamDelegate)?
  /// Faces with a lower score are left out; 0…1.
  open var minDetectionConfidence: Float = 0.5
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  open var minSuppressionThreshold: Float = 0.3

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = FaceDetectorOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.faceDetectorLiveStreamDelegate = faceDetectorLiveStreamDelegate
    copy.minDetectionConfidence = minDetectionConfidence
    copy.minSuppressionThreshold = minSuppressionThreshold
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.FaceDetectorOptions {
    .init(
      baseOptions: try baseOptions.values(),
      minDetectionConfidence: minDetectionConfidence, minSuppressionThreshold: minSuppressionThreshold)
  }
}
