public import class MediaPipeTasksCommon.Classifications
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The person in a picture.
#if canImport(ObjectiveC)
  @objc(MPPHolisticLandmarkerResult) @objcMembers
#endif
open class HolisticLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 478 points of the face in the picture; empty when it is not seen.
  public let faceLandmarks: [NormalizedLandmark]
  /// What the face does; `nil` when it is not seen, and unless asked for.
  public let faceBlendshapes: Classifications?
  /// 33 points of the body in the picture, all with visibility and presence; empty when there is nobody.
  public let poseLandmarks: [NormalizedLandmark]
  /// The same points in metres, from the middle of the hips.
  public let poseWorldLandmarks: [Landmark]
  /// How sure the model is that a pixel is the person's; `nil` when there is nobody, and unless asked for.
  public let poseSegmentationMask: Mask?
  /// 21 points of the person's own left hand in the picture; empty when it is not seen.
  public let leftHandLandmarks: [NormalizedLandmark]
  /// The same points in metres, from the middle of the hips.
  public let leftHandWorldLandmarks: [Landmark]
  /// 21 points of the person's own right hand in the picture; empty when it is not seen.
  public let rightHandLandmarks: [NormalizedLandmark]
  /// The same points in metres, from the middle of the hips.
  public let rightHandWorldLandmarks: [Landmark]

  convenience init(_ timed: (output: Person?, time: Duration)) { self.init(timed.output, at: timed.time) }

  init(_ value: Person?, at time: Duration) {
    faceLandmarks = value?.face?.landmarks.map { NormalizedLandmark($0) } ?? []
    faceBlendshapes = value?.face?.blendshapes.map { Classifications(blendshapes: $0) }
    poseLandmarks = value?.pose.landmarks.map { NormalizedLandmark($0) } ?? []
    poseWorldLandmarks = value?.pose.worldLandmarks.map { Landmark($0) } ?? []
    poseSegmentationMask = value?.pose.segmentationMask.map { Mask($0) }
    leftHandLandmarks = value?.leftHand?.landmarks.map { NormalizedLandmark($0) } ?? []
    leftHandWorldLandmarks = value?.leftHand?.worldLandmarks.map { Landmark($0) } ?? []
    rightHandLandmarks = value?.rightHand?.landmarks.map { NormalizedLandmark($0) } ?? []
    rightHandWorldLandmarks = value?.rightHand?.worldLandmarks.map { Landmark($0) } ?? []
    super.init(timestampInMilliseconds: time.inMilliseconds)
  }
}
