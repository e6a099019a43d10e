import SwiftletImage

/// The model that sees the region of a face and gives its points.
///
/// One caller at a time.
final class FaceLandmarkModel {
  /// The member of bundles.
  static let memberName = "face_landmarks_detector.tflite"
  /// The corners of both eyes that lie outside, from the left of an upright picture to the right.
  private static let eyeCorners = (33, 263)
  /// The largest number of a point; larger ones, infinite ones and those that are none are no places in a picture.
  private static let mostExtent: Float = 1e6

  private let model: RegionModel
  private let minPresence: Float

  /// - Parameter minPresence: only what the model takes for a face with more than this confidence is one.
  /// - Throws: `TaskError` when the model is missing or its outputs are others.
  init(_ base: BaseOptions, minPresence: Float) throws(TaskError) {
    model = try RegionModel(
      base,
      outputs: [
        .init(name: "\(FaceLandmarks.count) landmarks", count: 3 * FaceLandmarks.count),
        .init(name: "presence", count: 1),
      ],
      advice:
        "face landmarkers take one list of all 478 points; models of 468 points, and those with lips, eyes and irises in outputs of their own, are older ones"
    )
    self.minPresence = minPresence
  }

  /// The points of the face in a region of the stored picture; `nil` where there is none.
  ///
  /// - Throws: `TaskError` for regions that ``RegionGeometry/isUsable(_:)`` refuses, and when the model cannot run.
  func landmarks(in region: NormalizedRect, of image: MPImage) throws -> [NormalizedLandmark]? {
    try model.look(at: region, in: image)
    let presence = RoundedFunctions.sigmoid(try model.value(1))
    guard presence > minPresence else { return nil }
    let points = try model.landmarks(0, placing: .projection)
    // A comparison with what is not a number is false.
    let areUsable = points.allSatisfy {
      abs($0.x) <= Self.mostExtent && abs($0.y) <= Self.mostExtent && abs($0.z) <= Self.mostExtent
    }
    return areUsable ? points : nil
  }

  /// The smallest box around a face that stands as the way between the eyes does.
  ///
  /// The box itself is not turned, as MediaPipe's is not.
  ///
  /// - Parameter landmarks: the points of a face.
  static func box(of landmarks: [NormalizedLandmark], _ geometry: RegionGeometry) -> NormalizedRect {
    var box = geometry.box(around: landmarks.lazy.map(\.point))
    guard landmarks.count == FaceLandmarks.count else { return box }
    box.rotation = geometry.rotation(
      from: landmarks[eyeCorners.0].point, to: landmarks[eyeCorners.1].point, direction: 0)
    return box
  }
}

extension RegionFinder.Recipe {
  /// Heads, by the way between the eyes.
  static let faces = RegionFinder.Recipe(
    strides: [8, 16, 16, 16], keypointCount: 6, overlapThreshold: 0.5, start: 0, end: 1, direction: 0,
    adjustment: .init(scale: 1.5, isSquare: false))
}
