import SwiftletImage
import SwiftletTasks

/// The face of a person whose body is known.
///
/// One caller at a time.
final class HolisticFace {
  /// How many points of a body are those of its face; they come first.
  private static let bodyPointCount = 11
  /// From the body's points to a region that holds the face somewhere.
  private static let roughly = RegionGeometry.Adjustment(scale: 3)
  /// How much larger than the face its region in the next frame is.
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

  /// Returns the face of a body in a frame; `nil` if it is not seen.
  ///
  /// - Parameter memory: The face in the frame before, and then in this frame.
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
  /// Faces around their keypoints, by the way between the eyes.
  static func holisticFaces(overlapThreshold: Float) -> RegionDetector.Recipe {
    var recipe = RegionDetector.Recipe.faces
    recipe.overlapThreshold = overlapThreshold
    recipe.extent = .keypoints
    recipe.adjustment = .init(scale: 2)
    return recipe
  }
}

/// Decides whether a thing is still where it was in the frame before, so that its region need not jump.
///
/// - Source: the region tracking of MediaPipe's holistic task.
struct TrackingCheck: Sendable, Hashable {
  /// The most that the region may have turned.
  var degrees: Float
  /// The most that its middle may have moved, in parts of its size.
  var translation: Float
  /// The most that its sides may have changed, in parts of their own.
  var scale: Float
  /// By how much the region is enlarged in which all points of the frame before have to lie.
  var margin: Float

  /// For faces.
  static let face = TrackingCheck(degrees: 15, translation: 0.1, scale: 0.3, margin: -0.2)
  /// For hands.
  static let hand = TrackingCheck(degrees: 40, translation: 0.2, scale: 0.4, margin: -0.1)

  /// What is known of a thing from the frame before.
  struct Past: Sendable {
    var region: NormalizedRect
    var points: [NormalizedLandmark]
  }

  /// The region of the frame before where the thing has hardly moved, else the new one.
  func region(_ found: NormalizedRect, past: Past?, _ geometry: RegionGeometry) -> NormalizedRect {
    guard let past, isSame(found, past, geometry) else { return found }
    return past.region
  }

  private func isSame(_ found: NormalizedRect, _ past: Past, _ geometry: RegionGeometry) -> Bool {
    let size = SIMD2(found.width * geometry.width, found.height * geometry.height)
    let pastSize = SIMD2(past.region.width * geometry.width, past.region.height * geometry.height)
    let turn = Self.degrees(past.region.rotation) - Self.degrees(found.rotation)
    // In −180…180.
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

  /// The axes of a region, about the upper left corner of the image, in pixels.
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
