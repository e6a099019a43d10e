public import Foundation
import SwiftletVision

/// How faces and their points are looked for.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerOptions) @objcMembers
#endif
open class FaceLandmarkerOptions: TaskOptions {
  /// How pictures come to the task.
  open var runningMode = RunningMode.image
  /// Receives the results of a live stream. Must be set in that mode, and only in that mode.
  open weak var faceLandmarkerLiveStreamDelegate: (any FaceLandmarkerLiveStreamDelegate)?
  /// The most faces that are looked for; 1 or more. The points of more than one are not smoothed.
  open var numFaces = 1
  /// Faces that the detector is less sure of are not looked at; 0…1.
  open var minFaceDetectionConfidence: Float = 0.5
  /// Only places where the model sees a face with more than this confidence count; 0…1.
  open var minFacePresenceConfidence: Float = 0.5
  /// In videos, faces whose regions overlap by more are taken to be one; intersection over union, 0…1.
  open var minTrackingConfidence: Float = 0.5
  /// Whether every face has its blendshapes; the bundle has to hold their model.
  open var outputFaceBlendshapes = false
  /// Whether every face has the matrix that says where it is in space; the bundle has to hold a canonical face.
  open var outputFacialTransformationMatrixes = false

  /// Independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = FaceLandmarkerOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.faceLandmarkerLiveStreamDelegate = faceLandmarkerLiveStreamDelegate
    copy.numFaces = numFaces
    copy.minFaceDetectionConfidence = minFaceDetectionConfidence
    copy.minFacePresenceConfidence = minFacePresenceConfidence
    copy.minTrackingConfidence = minTrackingConfidence
    copy.outputFaceBlendshapes = outputFaceBlendshapes
    copy.outputFacialTransformationMatrixes = outputFacialTransformationMatrixes
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model, and with MediaPipe's texts for what it refuses.
  func values() throws(TasksFailure) -> SwiftletVision.FaceLandmarkerOptions {
    let base = try baseOptions.values()
    try LandmarkOptionCheck.check(count: numFaces, presence: minFacePresenceConfidence)
    var outputs: FaceLandmarkerOutputs = []
    if outputFaceBlendshapes { outputs.insert(.blendshapes) }
    if outputFacialTransformationMatrixes { outputs.insert(.transformationMatrices) }
    return .init(
      baseOptions: base, maxFaces: numFaces,
      minDetectionConfidence: minFaceDetectionConfidence, minPresenceConfidence: minFacePresenceConfidence,
      minTrackingConfidence: minTrackingConfidence, outputs: outputs)
  }
}
