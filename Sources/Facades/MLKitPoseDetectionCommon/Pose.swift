import SwiftletVision

/// The pose of a person: 33 landmarks of the body.
public final class Pose: NSObject, Sendable {
  /// All landmarks, in the order of ``PoseLandmarkType/allTypes``.
  public let landmarks: [PoseLandmark]

  /// Creates a pose from a task's result.
  ///
  /// - Parameter image: The image, whose size converts fractions to pixels.
  init(_ pose: SwiftletVision.Pose, in image: InputImage) {
    landmarks = zip(PoseLandmarkType.allTypes, pose.landmarks).map { PoseLandmark($0, $1, in: image) }
  }

  /// Returns the landmark of a type.
  ///
  /// For a type that ML Kit doesn't have, the first landmark is returned, whose type tells the difference.
  public func landmark(ofType type: PoseLandmarkType) -> PoseLandmark {
    landmarks.first { $0.type == type } ?? landmarks[0]
  }
}

/// A landmark of a pose.
public final class PoseLandmark: NSObject, Sendable {
  /// The part of the body.
  public let type: PoseLandmarkType
  /// The position, in pixels of the stored image. The depth is in the same scale; it is smaller for points closer to
  /// the camera than the center of the hips.
  public let position: Vision3DPoint
  /// The likelihood that the landmark is inside the image, 0…1.
  public let inFrameLikelihood: Float

  init(_ type: PoseLandmarkType, _ landmark: NormalizedLandmark, in image: InputImage) {
    let (width, height) = (CGFloat(image.width), CGFloat(image.height))
    self.type = type
    position = Vision3DPoint(
      x: CGFloat(landmark.x) * width, y: CGFloat(landmark.y) * height, z: CGFloat(landmark.z) * width)
    inFrameLikelihood = landmark.presence ?? landmark.visibility ?? 0
  }
}

/// A part of the body.
public struct PoseLandmarkType: RawRepresentable, Sendable, Hashable {
  /// The name of the part.
  public let rawValue: String

  /// Creates a type with a name. Poses have only the types below.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ rawValue: String) { self.rawValue = rawValue }

  /// The tip of the nose.
  public static let nose = PoseLandmarkType("Nose")
  /// The inner corner of the left eye.
  public static let leftEyeInner = PoseLandmarkType("LeftEyeInner")
  /// The left eye.
  public static let leftEye = PoseLandmarkType("LeftEye")
  /// The outer corner of the left eye.
  public static let leftEyeOuter = PoseLandmarkType("LeftEyeOuter")
  /// The inner corner of the right eye.
  public static let rightEyeInner = PoseLandmarkType("RightEyeInner")
  /// The right eye.
  public static let rightEye = PoseLandmarkType("RightEye")
  /// The outer corner of the right eye.
  public static let rightEyeOuter = PoseLandmarkType("RightEyeOuter")
  /// The left ear.
  public static let leftEar = PoseLandmarkType("LeftEar")
  /// The right ear.
  public static let rightEar = PoseLandmarkType("RightEar")
  /// The left corner of the mouth.
  public static let mouthLeft = PoseLandmarkType("MouthLeft")
  /// The right corner of the mouth.
  public static let mouthRight = PoseLandmarkType("MouthRight")
  /// The left shoulder.
  public static let leftShoulder = PoseLandmarkType("LeftShoulder")
  /// The right shoulder.
  public static let rightShoulder = PoseLandmarkType("RightShoulder")
  /// The left elbow.
  public static let leftElbow = PoseLandmarkType("LeftElbow")
  /// The right elbow.
  public static let rightElbow = PoseLandmarkType("RightElbow")
  /// The left wrist.
  public static let leftWrist = PoseLandmarkType("LeftWrist")
  /// The right wrist.
  public static let rightWrist = PoseLandmarkType("RightWrist")
  /// The little finger of the left hand.
  public static let leftPinkyFinger = PoseLandmarkType("LeftPinkyFinger")
  /// The little finger of the right hand.
  public static let rightPinkyFinger = PoseLandmarkType("RightPinkyFinger")
  /// The index finger of the left hand.
  public static let leftIndexFinger = PoseLandmarkType("LeftIndexFinger")
  /// The index finger of the right hand.
  public static let rightIndexFinger = PoseLandmarkType("RightIndexFinger")
  /// The thumb of the left hand.
  public static let leftThumb = PoseLandmarkType("LeftThumb")
  /// The thumb of the right hand.
  public static let rightThumb = PoseLandmarkType("RightThumb")
  /// The left hip.
  public static let leftHip = PoseLandmarkType("LeftHip")
  /// The right hip.
  public static let rightHip = PoseLandmarkType("RightHip")
  /// The left knee.
  public static let leftKnee = PoseLandmarkType("LeftKnee")
  /// The right knee.
  public static let rightKnee = PoseLandmarkType("RightKnee")
  /// The left ankle.
  public static let leftAnkle = PoseLandmarkType("LeftAnkle")
  /// The right ankle.
  public static let rightAnkle = PoseLandmarkType("RightAnkle")
  /// The left heel.
  public static let leftHeel = PoseLandmarkType("LeftHeel")
  /// The right heel.
  public static let rightHeel = PoseLandmarkType("RightHeel")
  /// The toes of the left foot.
  public static let leftToe = PoseLandmarkType("LeftToe")
  /// The toes of the right foot.
  public static let rightToe = PoseLandmarkType("RightToe")

  /// All types, in the order of the models' landmarks. This is an addition to ML Kit's API.
  public static let allTypes: [PoseLandmarkType] = [
    .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar, .rightEar,
    .mouthLeft, .mouthRight, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
    .leftPinkyFinger, .rightPinkyFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb, .leftHip,
    .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftToe, .rightToe,
  ]
}
