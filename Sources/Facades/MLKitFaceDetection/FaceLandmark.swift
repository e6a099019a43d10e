/// A landmark of a face.
public final class FaceLandmark: NSObject, Sendable {
  /// The part of the face.
  public let type: FaceLandmarkType
  /// The position, in pixels of the stored image.
  public let position: VisionPoint

  init(_ type: FaceLandmarkType, of mesh: FaceMesh) {
    self.type = type
    let points = mesh[type.meshPoints]
    position = VisionPoint(
      x: points.reduce(0) { $0 + $1.x } / CGFloat(points.count),
      y: points.reduce(0) { $0 + $1.y } / CGFloat(points.count))
  }
}

/// A part of the face at one point.
///
/// Left and right are the subject's own: the left eye is on the right of an image that is not mirrored.
public struct FaceLandmarkType: RawRepresentable, Sendable, Hashable {
  /// The name of the part.
  public let rawValue: String

  /// Creates a type with a name. Faces have only the types below.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ rawValue: String) { self.rawValue = rawValue }

  /// The center of the lower lip.
  public static let mouthBottom = FaceLandmarkType("MouthBottom")
  /// The right corner of the mouth.
  public static let mouthRight = FaceLandmarkType("MouthRight")
  /// The left corner of the mouth.
  public static let mouthLeft = FaceLandmarkType("MouthLeft")
  /// The center of the right eye.
  public static let rightEye = FaceLandmarkType("RightEye")
  /// The center of the left eye.
  public static let leftEye = FaceLandmarkType("LeftEye")
  /// The edge of the face in front of the right ear.
  public static let rightEar = FaceLandmarkType("RightEar")
  /// The edge of the face in front of the left ear.
  public static let leftEar = FaceLandmarkType("LeftEar")
  /// The center of the right cheek.
  public static let rightCheek = FaceLandmarkType("RightCheek")
  /// The center of the left cheek.
  public static let leftCheek = FaceLandmarkType("LeftCheek")
  /// The point between the nostrils where the nose meets the face.
  public static let noseBase = FaceLandmarkType("NoseBase")

  /// All types. This is an addition to ML Kit's API.
  public static let allTypes: [FaceLandmarkType] = [
    .mouthBottom, .mouthRight, .mouthLeft, .rightEye, .leftEye, .rightEar, .leftEar, .rightCheek, .leftCheek, .noseBase,
  ]

  /// The indices of the mesh landmarks whose mean is the position.
  var meshPoints: [Int] {
    switch self {
    case .mouthBottom: [14, 17]
    case .mouthRight: [61]
    case .mouthLeft: [291]
    case .rightEye: FaceContourType.rightEye.meshPoints
    case .leftEye: FaceContourType.leftEye.meshPoints
    case .rightEar: [234]
    case .leftEar: [454]
    case .rightCheek: FaceContourType.rightCheek.meshPoints
    case .leftCheek: FaceContourType.leftCheek.meshPoints
    default: [2]
    }
  }
}
