public import Foundation
@_spi(Facades) import SwiftletVision

/// How bodies are looked for.
#if canImport(ObjectiveC)
  @objc(MPPPoseLandmarkerOptions) @objcMembers
#endif
open class PoseLandmarkerOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var poseLandmarkerLiveStreamDelegate: (any PoseLandmarkerLiveStreamDelegate)?
  /// The most bodies that are looked for; 1 or more.
  open var numPoses = 1
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  open var minPoseDetectionConfidence: Float = 0.5
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  open var minPosePresenceConfidence: Float = 0.5
  /// In videos, bodies whose regions overlap by more are taken to be one; intersection over union, 0…1.
  open var minTrackingConfidence: Float = 0.5
  /// Whether every pose has a mask that says which pixels are the person's.
  open var shouldOutputSegmentationMasks = false
  /// Whether bodies in turned pictures are looked for where MediaPipe looks for them, which is the wrong place: an
  /// addition to MediaPipe's interface.
  open var keepsMediaPipeRotation = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = PoseLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.poseLandmarkerLiveStreamDelegate = poseLandmarkerLiveStreamDelegate
    copy.numPoses = numPoses
    copy.minPoseDetectionConfidence = minPoseDetectionConfidence
    copy.minPosePresenceConfidence = minPosePresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    copy.shouldOutputSegmentationMasks = shouldOutputSegmentationMasks
    copy.keepsMediaPipeRotation = keepsMediaPipeRotation
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model, and for values out of range.
  func values() throws(TasksFailure) -> SwiftletVision.PoseLandmarkerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numPoses, presence: minPosePresenceConfidence)
    var options = SwiftletVision.PoseLandmarkerOptions(
      baseOptions: base, maxPoses: numPoses,
      minDetectionConfidence: minPoseDetectionConfidence, minPresenceConfidence: minPosePresenceConfidence,
      minTrackingConfidence: minTrackingConfidence, outputs: shouldOutputSegmentationMasks ? .segmentationMasks : [])
    options.keepsMediaPipeRotation = keepsMediaPipeRotation
    return options
  }
}
