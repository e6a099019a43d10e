/// Models in the form of a pose bundle that return the same results for every image and for regions of any size.
package struct SyntheticPoseModels: Sendable {
  /// The side of the detector's input and of the landmark model's input.
  package static let side = 32
  /// The number of boxes: two per cell of 4 · 4 and 2 · 2 grids, and six of a single cell.
  package static let boxCount = 2 * 16 + 2 * 4 + 6

  /// For every person, the logit of the score and, relative to the image, the center of the hips and the upward extent.
  package var bodies: [(score: Float, x: Float, y: Float, reach: Float)] = [(10, 0.5, 0.5, 0.25)]
  /// The presence score of the region.
  package var presence: Float = 0.75
  /// The x, y, and z of every landmark in pixels of the input, and the logits of visibility and presence.
  package var points = [[Float]](repeating: [16, 24, 8, 0, 10], count: 33)
  /// The center of the hips and the highest point, in pixels of the input.
  package var ends: [[Float]] = [[16, 16], [16, 4]]
  package var maskLogits = [Float](repeating: 2, count: 8 * 8)
  package var heatLogits = [Float](repeating: -10, count: 8 * 8 * 39)
  /// Whether the models' metadata contains a normalization, which leaves pixel values unscaled.
  package var hasNormalization = false
  package var worldPoints = [[Float]](repeating: [0.25, 0.5, -0.125], count: 39)

  package init() {}

  package var detector: [UInt8] {
    // The last boxes belong to the only cell of the coarsest layer, whose center is the image's.
    var boxes = [Float](repeating: 0, count: Self.boxCount * 12)
    var scores = [Float](repeating: -10, count: Self.boxCount)
    for (index, body) in bodies.enumerated() {
      let box = Self.boxCount - 1 - index
      let (x, y) = (32 * (body.x - 0.5), 32 * (body.y - 0.5))
      for (offset, value) in [x, y, 4, 4, x, y, x, y - 32 * body.reach].enumerated() {
        boxes[12 * box + offset] = value
      }
      scores[box] = body.score
    }
    return Self.model(
      [(boxes, [1, Self.boxCount, 12]), (scores, [1, Self.boxCount, 1])], hasNormalization: hasNormalization)
  }

  package var landmarks: [UInt8] {
    let ends = ends.map { $0 + [0, 0, 0] }
    let values = (points + ends + [[Float]](repeating: [0, 0, 0, 0, 0], count: 39)).prefix(39).flatMap { $0 }
    return Self.model(
      [
        (values, [1, 195]), ([presence], [1, 1]), (maskLogits, [1, 8, 8, 1]), (heatLogits, [1, 8, 8, 39]),
        (worldPoints.flatMap { $0 }, [1, 117]),
      ], hasNormalization: hasNormalization)
  }

  package var bundle: [UInt8] {
    Self.bundle([("pose_detector.tflite", detector), ("pose_landmarks_detector.tflite", landmarks)])
  }

  package static func bundle(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    RawArchive(members.map { .init($0.name, $0.bytes) }).bytes
  }

  package static func model(
    _ outputs: [(values: [Float], shape: [Int])], hasNormalization: Bool = false
  ) -> [UInt8] {
    let graph = TestGraph.giving(outputs, forImageOf: side, by: side)
    return hasNormalization
      ? TestGraph.bytes([graph], metadata: TestGraph.normalization) : TestGraph.bytes([graph])
  }
}
