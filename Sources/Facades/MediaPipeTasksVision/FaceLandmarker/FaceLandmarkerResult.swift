public import class MediaPipeTasksCommon.Classifications
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The faces in a picture.
#if canImport(ObjectiveC)
  @objc(MPPFaceLandmarkerResult) @objcMembers
#endif
open class FaceLandmarkerResult: TaskResult, @unchecked Sendable {
  /// 478 points for every face, best first; empty when there is none.
  public let faceLandmarks: [[NormalizedLandmark]]
  /// What every face does, 52 scores each; empty when it was not asked for.
  public let faceBlendshapes: [Classifications]
  /// Where every face is in space; empty when it was not asked for. A face whose points are none in space is left out.
  public let facialTransformationMatrixes: [TransformMatrix]

  /// A result of these faces.
  public init(
    faceLandmarks: [[NormalizedLandmark]], faceBlendshapes: [Classifications],
    facialTransformationMatrixes: [TransformMatrix], timestampInMilliseconds: Int
  ) {
    self.faceLandmarks = faceLandmarks
    self.faceBlendshapes = faceBlendshapes
    self.facialTransformationMatrixes = facialTransformationMatrixes
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [Face], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [Face], at time: Duration) {
    self.init(
      faceLandmarks: value.map { $0.landmarks.map { NormalizedLandmark($0) } },
      faceBlendshapes: value.compactMap(\.blendshapes).map { scores in
        Classifications(blendshapes: scores)
      },
      facialTransformationMatrixes: value.compactMap(\.transformationMatrix).map { TransformMatrix($0) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
