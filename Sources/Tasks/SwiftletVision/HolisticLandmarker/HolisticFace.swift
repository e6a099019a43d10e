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

  private let finder: RegionFinder
  private let model: FaceLandmarkModel
  private let blendshapes: BlendshapeModel?

  init(_ options: HolisticLandmarkerOptions, _ context: ModelContext) throws(TaskError) {
    finder = try RegionFinder(
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

extension RegionFinder.Recipe {
  /// Faces around their key points, by the way between the eyes.
  static func holisticFaces(overlapThreshold: Float) -> RegionFinder.Recipe {
    var recipe = RegionFinder.Recipe.faces
    recipe.overlapThreshold = overlapThreshold
    recipe.extent = .keypoints
    recipe.adjustment = .init(scale: 2)
    return recipe
  }
}
