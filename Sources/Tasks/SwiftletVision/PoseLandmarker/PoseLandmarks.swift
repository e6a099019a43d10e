/// What the points of a ``Pose`` are, and which of them belong together.
public enum PoseLandmarks {
  /// The points of a pose by their numbers; left and right are the person's own.
  public enum Point: Int, Sendable, Hashable, CaseIterable {
    case nose = 0
    case leftEyeInner
    case leftEye
    case leftEyeOuter
    case rightEyeInner
    case rightEye
    case rightEyeOuter
    case leftEar
    case rightEar
    case mouthLeft
    case mouthRight
    case leftShoulder
    case rightShoulder
    case leftElbow
    case rightElbow
    case leftWrist
    case rightWrist
    case leftPinky
    case rightPinky
    case leftIndex
    case rightIndex
    case leftThumb
    case rightThumb
    case leftHip
    case rightHip
    case leftKnee
    case rightKnee
    case leftAnkle
    case rightAnkle
    case leftHeel
    case rightHeel
    case leftFootIndex
    case rightFootIndex
  }

  /// The lines of a skeleton.
  public static let connections = LandmarkConnection.pairs([
    0, 1, 1, 2, 2, 3, 3, 7, 0, 4, 4, 5, 5, 6, 6, 8, 9, 10, 11, 12, 11, 13, 13, 15, 15, 17, 15, 19,
    15, 21, 17, 19, 12, 14, 14, 16, 16, 18, 16, 20, 16, 22, 18, 20, 11, 23, 12, 24, 23, 24, 23, 25,
    24, 26, 25, 27, 26, 28, 27, 29, 28, 30, 29, 31, 30, 32, 27, 31, 28, 32,
  ])
}
