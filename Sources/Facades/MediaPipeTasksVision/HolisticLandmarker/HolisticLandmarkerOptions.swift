public import Foundation
import SwiftletVision

/// How a person is looked for.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerOptions) @objcMembers
#endif
open class HolisticLandmarkerOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var holisticLandmarkerLiveStreamDelegate: (any HolisticLandmarkerLiveStreamDelegate)?
  /// Faces that the detector is less sure of are not looked at; 0…1.
  open var minFaceDetectionConfidence: Float = 0.5
  /// Faces that overlap by more are taken to be one; intersection over union, 0…1.
  open var minFaceSuppressionThreshold: Float = 0.3
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  open var minFacePresenceConfidence: Float = 0.5
  /// Bodies that the detector is less sure of are not looked at; 0…1.
  open var minPoseDetectionConfidence: Float = 0.5
  /// Bodies that overlap by more are taken to be one; intersection over union, 0…1.
  open var minPoseSuppressionThreshold: Float = 0.3
  /// Only places where the model sees a body with more than this confidence count; 0…1.
  open var minPosePresenceConfidence: Float = 0.5
  /// Only places where the model sees a hand with more than this confidence count; 0…1.
  open var minHandLandmarksConfidence: Float = 0.5
  /// Whether the face has its blendshapes; the bundle has to hold their model.
  open var outputFaceBlendshapes = false
  /// Whether there is a mask that says which pixels are the person's.
  open var outputPoseSegmentationMasks = false
  /// Whether single pictures are taken for frames of a video, a second apart, as in MediaPipe: an addition to
  /// MediaPipe's interface. Otherwise they have nothing to do with each other.
  open var keepsStateBetweenImages = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = HolisticLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.holisticLandmarkerLiveStreamDelegate = holisticLandmarkerLiveStreamDelegate
    copy.minFaceDetectionConfidence = minFaceDetectionConfidence
    copy.minFaceSuppressionThreshold = minFaceSuppressionThreshold
    copy.minFacePresenceConfidence = minFacePresenceConfidence
    copy.minPoseDetectionConfidence = minPoseDetectionConfidence
    copy.minPoseSuppressionThreshold = minPoseSuppressionThreshold
    copy.minPosePresenceConfidence = minPosePresenceConfidence
    copy.minHandLandmarksConfidence = minHandLandmarksConfidence
    copy.outputFaceBlendshapes = outputFaceBlendshapes
    copy.outputPoseSegmentationMasks = outputPoseSegmentationMasks
    copy.keepsStateBetweenImages = keepsStateBetweenImages
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.HolisticLandmarkerOptions {
    var outputs: HolisticLandmarkerOutputs = []
    if outputFaceBlendshapes { outputs.insert(.blendshapes) }
    if outputPoseSegmentationMasks { outputs.insert(.segmentationMask) }
    return .init(
      baseOptions: try baseOptions.values(),
      minFaceDetectionConfidence: minFaceDetectionConfidence,
      minFaceSuppressionThreshold: minFaceSuppressionThreshold, minFacePresenceConfidence: minFacePresenceConfidence,
      minPoseDetectionConfidence: minPoseDetectionConfidence,
      minPoseSuppressionThreshold: minPoseSuppressionThreshold, minPosePresenceConfidence: minPosePresenceConfidence,
      minHandLandmarksConfidence: minHandLandmarksConfidence, outputs: outputs)
  }
}
