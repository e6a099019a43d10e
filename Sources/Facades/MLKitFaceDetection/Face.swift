import SwiftletImage
import SwiftletVision

/// The parts of a face that a detector returns.
struct FaceParts: Sendable {
  var hasLandmarks: Bool
  var hasContours: Bool
  var hasProbabilities: Bool
  /// The minimum width, as a fraction of the width of the upright image.
  var minimumSize: CGFloat
}

/// The mesh landmarks of a face, in pixels of the stored image.
struct FaceMesh {
  private let landmarks: [NormalizedLandmark]
  private let width: CGFloat
  private let height: CGFloat

  init(_ landmarks: [NormalizedLandmark], in image: InputImage) {
    self.landmarks = landmarks
    (width, height) = (CGFloat(image.width), CGFloat(image.height))
  }

  /// The positions of some landmarks.
  subscript(indices: [Int]) -> [VisionPoint] {
    indices.map { VisionPoint(x: CGFloat(landmarks[$0].x) * width, y: CGFloat(landmarks[$0].y) * height) }
  }
}

/// A face in an image.
///
/// Left and right are the subject's own: the left eye is on the right of an image that is not mirrored.
public final class Face: NSObject, Sendable {
  /// The bounding box of the face from the forehead to the chin, in pixels of the stored image, with the origin at the
  /// top left and y down; inside the image.
  public let frame: CGRect
  /// The landmarks; empty unless `landmarkMode` is `all`.
  public let landmarks: [FaceLandmark]
  /// The contours; empty unless `contourMode` is `all`.
  public let contours: [FaceContour]
  private let id: Int?
  private let rotation: HeadRotation?
  private let expression: FaceExpression?

  /// Creates a face from a task's result; `nil` if it is smaller than requested, or outside the image.
  init?(_ face: SwiftletVision.Face, id: Int?, in image: InputImage, _ parts: FaceParts) {
    let box = face.box(in: image)
    let size =
      image.orientation.swapsWidthAndHeight
      ? box.height / Double(image.height) : box.width / Double(image.width)
    let bounds = PixelRect(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
    let visible = box.intersection(with: bounds)
    guard CGFloat(size) >= parts.minimumSize, visible.area > 0 else { return nil }
    frame = CGRect(x: visible.x, y: visible.y, width: visible.width, height: visible.height)
    self.id = id
    let mesh = FaceMesh(face.landmarks, in: image)
    landmarks = parts.hasLandmarks ? FaceLandmarkType.allTypes.map { FaceLandmark($0, of: mesh) } : []
    contours = parts.hasContours ? FaceContourType.allTypes.map { FaceContour($0, of: mesh) } : []
    rotation = face.transformationMatrix.flatMap { HeadRotation($0, orientation: image.orientation) }
    expression = parts.hasProbabilities ? face.blendshapes.map { FaceExpression($0) } : nil
  }

  /// Returns the landmark of a type; `nil` if the face has none.
  public func landmark(ofType type: FaceLandmarkType) -> FaceLandmark? { landmarks.first { $0.type == type } }

  /// Returns the contour of a type; `nil` if the face has none.
  public func contour(ofType type: FaceContourType) -> FaceContour? { contours.first { $0.type == type } }

  // MARK: Tracking

  /// A Boolean value that indicates whether the face has a tracking ID.
  public var hasTrackingID: Bool { id != nil }
  /// The ID of the face, the same in every frame of a stream; 0 without an ID. IDs start at 0 and are never reused in
  /// the process.
  public var trackingID: Int { id ?? 0 }

  // MARK: Rotation

  /// A Boolean value that indicates whether the rotation about the horizontal axis is known.
  public var hasHeadEulerAngleX: Bool { rotation != nil }
  /// The rotation about the horizontal axis of the upright image, in degrees, −180…180. It is positive if the face looks
  /// up; 0 if it is not known.
  public var headEulerAngleX: CGFloat { rotation?.x ?? 0 }
  /// A Boolean value that indicates whether the rotation about the vertical axis is known.
  public var hasHeadEulerAngleY: Bool { rotation != nil }
  /// The rotation about the vertical axis of the upright image, in degrees, −90…90. It is positive if the face looks to
  /// the right of the image; 0 if it is not known.
  public var headEulerAngleY: CGFloat { rotation?.y ?? 0 }
  /// A Boolean value that indicates whether the rotation in the plane of the image is known.
  public var hasHeadEulerAngleZ: Bool { rotation != nil }
  /// The rotation in the plane of the upright image, in degrees, −180…180. It is positive if the face is rotated
  /// counterclockwise; 0 if it is not known.
  public var headEulerAngleZ: CGFloat { rotation?.z ?? 0 }

  // MARK: Classification

  /// A Boolean value that indicates whether the probability of smiling is known.
  public var hasSmilingProbability: Bool { expression != nil }
  /// The probability that the face smiles, 0…1; 0 if it is not known.
  ///
  /// It is `1 / (1 + exp(−12 · (score − 0.35)))`, where the score is the mean of the blendshapes `mouthSmileLeft` and
  /// `mouthSmileRight`.
  public var smilingProbability: CGFloat { expression?.smiling ?? 0 }
  /// A Boolean value that indicates whether the probability that the left eye is open is known.
  public var hasLeftEyeOpenProbability: Bool { expression != nil }
  /// The probability that the left eye is open, 0…1; 0 if it is not known.
  ///
  /// It is `1 / (1 + exp(12 · (score − 0.5)))`, where the score is the blendshape `eyeBlinkLeft`.
  public var leftEyeOpenProbability: CGFloat { expression?.leftEyeOpen ?? 0 }
  /// A Boolean value that indicates whether the probability that the right eye is open is known.
  public var hasRightEyeOpenProbability: Bool { expression != nil }
  /// The probability that the right eye is open, 0…1; 0 if it is not known.
  ///
  /// It is `1 / (1 + exp(12 · (score − 0.5)))`, where the score is the blendshape `eyeBlinkRight`.
  public var rightEyeOpenProbability: CGFloat { expression?.rightEyeOpen ?? 0 }
}
