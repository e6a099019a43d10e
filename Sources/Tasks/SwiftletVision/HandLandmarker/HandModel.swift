import SwiftletImage

/// The second model of hands: what it says of the region that it has looked at.
///
/// - Source: MediaPipe's hand landmark graph.
struct HandModel {
  static let memberName = "hand_landmarks_detector.tflite"
  private static let outputs: [RegionModel.Output] = [
    .init(name: "landmarks", count: 3 * HandLandmarks.count), .init(name: "presence", count: 1),
    .init(name: "handedness", count: 1), .init(name: "world landmarks", count: 3 * HandLandmarks.count),
  ]
  /// Depths are larger than they look: the model was trained on depths of this part.
  private static let depthScale: Float = 0.4

  private let model: RegionModel
  private let minPresence: Float

  /// - Parameter base: the model, and how it is run.
  /// - Throws: `TaskError` when the model is missing or its outputs are others.
  init(_ base: BaseOptions, minPresence: Float) throws(TaskError) {
    model = try RegionModel(base, outputs: Self.outputs)
    self.minPresence = minPresence
  }

  /// The hand in a region of a picture; `nil` where the model sees none.
  func hand(in region: NormalizedRect, of image: MPImage) throws -> Hand? {
    try model.look(at: region, in: image)
    guard try model.value(1) > minPresence else { return nil }
    return Hand(
      landmarks: try model.landmarks(0, depthScale: Self.depthScale), worldLandmarks: try model.worldLandmarks(3),
      handedness: Self.handedness(right: try model.value(2)))
  }

  /// - Parameter right: how probable it is that the hand is a right one.
  private static func handedness(right: Float) -> ResultCategory {
    right >= 0.5
      ? ResultCategory(index: 0, score: right, categoryName: "Right", displayName: "Right")
      : ResultCategory(index: 1, score: 1 - right, categoryName: "Left", displayName: "Left")
  }
}
