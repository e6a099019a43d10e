import SwiftletImage
import SwiftletTasks

/// The face step of the holistic task, for a person whose body is known.
///
/// - Thread safety: one caller at a time.
final class HolisticFace {
  /// The number of face landmarks in a pose; they come first.
  private static let bodyPointCount = 11
  /// The adjustment from the pose's face landmarks to a region that contains the face.
  private static let roughly = RegionGeometry.Adjustment(scale: 3)
  /// The scale factor from the face to its region in the next frame.
  private static let pastScale: Float = 1.5

  private let finder: RegionDetector
  private let model: FaceLandmarkModel
  private let blendshapes: BlendshapeModel?

  init(_ options: HolisticLandmarkerOptions, _ context: ModelContext) throws(TaskError) {
    finder = try RegionDetector(
      context.member("face_detector.tflite"),
      recipe: .holisticFaces(overlapThreshold: options.minFaceSuppressionThreshold),
      minConfidence: options.minFaceDetectionConfidence)
    model = try FaceLandmarkModel(
      context, minPresence: options.minFacePresenceConfidence)
    blendshapes = options.outputs.contains(.blendshapes) ? try BlendshapeModel(context) : nil
  }

  /// Returns the face of a body in a frame; `nil` if no face is detected.
  ///
  /// - Parameter memory: The face in the previous frame. On return, the face in this frame.
  func face(
    _ memory: inout TrackingCheck.Past?, of pose: Pose, in image: InputImage, _ geometry: RegionGeometry
  ) throws -> Face? {
    let past = memory
    memory = nil
    guard let left = pose[.leftEye], let right = pose[.rightEye] else { return nil }
    var rough = geometry.box(around: pose.landmarks[..<Self.bodyPointCount].lazy.map(\.point))
    rough.rotation = geometry.rotation(from: right.point, to: left.point, direction: 0)
    rough = geometry.adjusted(rough, by: Self.roughly)
    var stored = image
    stored.orientation = .up
    guard geometry.isUsable(rough), let found = try finder.regions(in: stored, within: rough).first else { return nil }
    let region = TrackingCheck.face.region(found, past: past, geometry)
    guard let landmarks = try model.landmarks(in: region, of: image) else { return nil }
    var next = FaceLandmarkModel.box(of: landmarks, geometry)
    next.width *= Self.pastScale
    next.height *= Self.pastScale
    if geometry.isUsable(next) { memory = .init(region: next, points: landmarks) }
    return Face(landmarks: landmarks, blendshapes: try blendshapes?.blendshapes(of: landmarks, in: geometry))
  }
}

extension RegionDetector.Recipe {
  /// Returns the recipe for regions around the keypoints of faces, rotated by the line between the eyes.
  static func holisticFaces(overlapThreshold: Float) -> RegionDetector.Recipe {
    var recipe = RegionDetector.Recipe.faces
    recipe.overlapThreshold = overlapThreshold
    recipe.extent = .keypoints
    recipe.adjustment = .init(scale: 2)
    return recipe
  }
}

/// Checks whether a subject has hardly moved since the previous frame, so that its region can stay the same.
///
/// - Source: the region tracking of MediaPipe's holistic task.
struct TrackingCheck: Sendable, Hashable {
  /// The maximum rotation of the region.
  var degrees: Float
  /// The maximum movement of its center, as a fraction of its size.
  var translation: Float
  /// The maximum change of its sides, as a fraction of their lengths.
  var scale: Float
  /// The enlargement of the region that must contain all landmarks of the previous frame, as a fraction; negative to
  /// shrink it.
  var margin: Float

  /// The check for faces.
  static let face = TrackingCheck(degrees: 15, translation: 0.1, scale: 0.3, margin: -0.2)
  /// The check for hands.
  static let hand = TrackingCheck(degrees: 40, translation: 0.2, scale: 0.4, margin: -0.1)

  /// The region and the landmarks of a subject in the previous frame.
  struct Past: Sendable {
    var region: NormalizedRect
    var points: [NormalizedLandmark]
  }

  /// Returns the region of the previous frame if the subject has hardly moved, otherwise the new region.
  func region(_ found: NormalizedRect, past: Past?, _ geometry: RegionGeometry) -> NormalizedRect {
    guard let past, isSame(found, past, geometry) else { return found }
    return past.region
  }

  private func isSame(_ found: NormalizedRect, _ past: Past, _ geometry: RegionGeometry) -> Bool {
    let size = SIMD2(found.width * geometry.width, found.height * geometry.height)
    let pastSize = SIMD2(past.region.width * geometry.width, past.region.height * geometry.height)
    let turn = Self.degrees(past.region.rotation) - Self.degrees(found.rotation)
    // Wrap to −180…180.
    let wrapped = turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    let axes = Axes(of: found, geometry)
    let middle = axes.place(found.center)
    let moved = axes.place(past.region.center) - middle
    let change = pastSize - size
    guard abs(wrapped) <= degrees, abs(moved.x) <= size.x * translation, abs(moved.y) <= size.y * translation,
      abs(change.x) <= size.x * scale, abs(change.y) <= size.y * scale
    else { return false }
    let reach = size * (1 + margin) * 0.5
    let (low, high) = (middle - reach, middle + reach)
    return past.points.allSatisfy { point in
      let place = axes.place(point.point)
      return low.x < place.x && place.x < high.x && low.y < place.y && place.y < high.y
    }
  }

  private static func degrees(_ rotation: Float) -> Float { Float(Double(rotation) / Double.pi * 180) }

  /// The axes of a region, with their origin at the upper left corner of the image, in pixels.
  private struct Axes {
    let geometry: RegionGeometry
    let cosine: Float
    let sine: Float

    init(of region: NormalizedRect, _ geometry: RegionGeometry) {
      self.geometry = geometry
      (cosine, sine) = (RoundedFunctions.cosine(-region.rotation), RoundedFunctions.sine(-region.rotation))
    }

    func place(_ point: NormalizedPoint) -> SIMD2<Float> {
      let pixels = geometry.pixels(point)
      return SIMD2(pixels.x * cosine - pixels.y * sine, pixels.x * sine + pixels.y * cosine)
    }
  }
}
