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

  convenience init(_ value: SwiftletVision.FaceLandmarkerResult) {
    self.init(
      faceLandmarks: value.faces.map { $0.landmarks.map { NormalizedLandmark($0) } },
      faceBlendshapes: value.faces.compactMap(\.blendshapes).map { scores in
        Classifications(headIndex: 0, headName: "", categories: scores.map { .init($0) })
      },
      facialTransformationMatrixes: value.faces.compactMap(\.transformationMatrix).map { TransformMatrix($0) },
      timestampInMilliseconds: value.timestamp.inMilliseconds)
  }
}
