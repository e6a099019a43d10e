/// A contour of a face.
public final class FaceContour: NSObject, Sendable {
  /// The part of the face.
  public let type: FaceContourType
  /// The points, in pixels of the stored image.
  public let points: [VisionPoint]

  init(_ type: FaceContourType, of mesh: FaceMesh) {
    self.type = type
    points = mesh[type.meshPoints]
  }
}

/// A part of the face with an outline.
///
/// Left and right are the subject's own: the left eye is on the right of an image that is not mirrored. The directions
/// below are those of an upright face in an image that is not mirrored.
public struct FaceContourType: RawRepresentable, Sendable, Hashable {
  /// The name of the part.
  public let rawValue: String

  /// Creates a type with a name. Faces have only the types below.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ rawValue: String) { self.rawValue = rawValue }

  /// The outline of the face: 36 points, clockwise from the middle of the forehead.
  public static let face = FaceContourType("Face")
  /// The top of the left eyebrow: five points from left to right.
  public static let leftEyebrowTop = FaceContourType("LeftEyebrowTop")
  /// The bottom of the left eyebrow: five points from left to right.
  public static let leftEyebrowBottom = FaceContourType("LeftEyebrowBottom")
  /// The top of the right eyebrow: five points from left to right.
  public static let rightEyebrowTop = FaceContourType("RightEyebrowTop")
  /// The bottom of the right eyebrow: five points from left to right.
  public static let rightEyebrowBottom = FaceContourType("RightEyebrowBottom")
  /// The outline of the left eye: 16 points, clockwise from the corner on the left.
  public static let leftEye = FaceContourType("LeftEye")
  /// The outline of the right eye: 16 points, clockwise from the corner on the left.
  public static let rightEye = FaceContourType("RightEye")
  /// The top of the upper lip: eleven points from left to right, with the corners of the mouth.
  public static let upperLipTop = FaceContourType("UpperLipTop")
  /// The bottom of the upper lip: nine points from left to right.
  public static let upperLipBottom = FaceContourType("UpperLipBottom")
  /// The top of the lower lip: nine points from right to left.
  public static let lowerLipTop = FaceContourType("LowerLipTop")
  /// The bottom of the lower lip: nine points from right to left.
  public static let lowerLipBottom = FaceContourType("LowerLipBottom")
  /// The bridge of the nose: two points, from between the eyes to the tip.
  public static let noseBridge = FaceContourType("NoseBridge")
  /// The bottom of the nose: three points from left to right.
  public static let noseBottom = FaceContourType("NoseBottom")
  /// The center of the left cheek: one point.
  public static let leftCheek = FaceContourType("LeftCheek")
  /// The center of the right cheek: one point.
  public static let rightCheek = FaceContourType("RightCheek")

  /// All types. This is an addition to ML Kit's API.
  public static let allTypes: [FaceContourType] = [
    .face, .leftEyebrowTop, .leftEyebrowBottom, .rightEyebrowTop, .rightEyebrowBottom, .leftEye, .rightEye,
    .upperLipTop, .upperLipBottom, .lowerLipTop, .lowerLipBottom, .noseBridge, .noseBottom, .leftCheek, .rightCheek,
  ]

  /// The indices of the mesh landmarks on the contour.
  var meshPoints: [Int] { Self.meshPoints[self] ?? [] }

  private static let meshPoints: [FaceContourType: [Int]] = [
    .face: [
      10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150,
      136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
    ],
    .leftEyebrowTop: [336, 296, 334, 293, 300],
    .leftEyebrowBottom: [285, 295, 282, 283, 276],
    .rightEyebrowTop: [70, 63, 105, 66, 107],
    .rightEyebrowBottom: [46, 53, 52, 65, 55],
    .leftEye: [362, 398, 384, 385, 386, 387, 388, 466, 263, 249, 390, 373, 374, 380, 381, 382],
    .rightEye: [33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7],
    .upperLipTop: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
    .upperLipBottom: [191, 80, 81, 82, 13, 312, 311, 310, 415],
    .lowerLipTop: [324, 318, 402, 317, 14, 87, 178, 88, 95],
    .lowerLipBottom: [375, 321, 405, 314, 17, 84, 181, 91, 146],
    .noseBridge: [168, 4],
    .noseBottom: [98, 2, 327],
    .leftCheek: [425],
    .rightCheek: [205],
  ]
}
