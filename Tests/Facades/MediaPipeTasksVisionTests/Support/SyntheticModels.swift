import SwiftletSchema
import SwiftletTestSupport

/// Models for every task that return the same results for every image.
enum SyntheticModels {
  private static func model(_ outputs: [(values: [Float], shape: [Int])], side: Int) -> [UInt8] {
    TestGraph.bytes([.giving(outputs, forImageOf: side, by: side)], metadata: TestGraph.normalization)
  }

  /// A classifier of an image of one pixel: the scores of three classes.
  static let classes = PassingModel(
    type: .uint8, scale: 1 / 255, width: 1, height: 1,
    outputs: [.init(shape: [1, 3], name: "scores", labels: ["red", "green", "blue"])], normalization: nil
  ).bytes

  /// A segmentation model of an image of two pixels: one mask per channel.
  static let segments = segmenter(displayNames: [])

  /// Returns the same model with names in several languages.
  static func segmenter(displayNames: [(locale: String, names: [String])]) -> [UInt8] {
    PassingModel(
      width: 2, height: 1,
      outputs: [.init(shape: [1, 1, 2, 3], labels: ["sky", "sea", "land"], displayNames: displayNames)]
    ).bytes
  }

  /// A model of a face at the center of the image.
  static let face: [UInt8] = {
    var boxes = [Float](repeating: 0, count: 896 * 16)
    var scores = [Float](repeating: -10, count: 896)
    let box = 16 * 16 * 2 + 8 * 8 * 3 - 1
    for point in 0..<6 {
      boxes[16 * box + 4 + 2 * point] = point == 0 ? -16 : 16
      boxes[16 * box + 5 + 2 * point] = point > 1 ? 16 : 0
    }
    (boxes[16 * box + 2], boxes[16 * box + 3], scores[box]) = (64, 64, 5)
    return model([(boxes, [1, 896, 16]), (scores, [1, 896, 1])], side: 128)
  }()

  private static let facePoints: [UInt8] = {
    var points = [Float](repeating: 0, count: 1434)
    for index in 0..<478 {
      points[3 * index] = 0.5 + Float(index % 22) / 22
      points[3 * index + 1] = 0.5 + Float(index / 22) / 22
    }
    // The eyes are at the same height.
    (points[3 * 33], points[3 * 33 + 1]) = (0.6, 0.8)
    (points[3 * 263], points[3 * 263 + 1]) = (1.4, 0.8)
    return model([(points, [1, 1, 1, 1434]), ([5], [1, 1, 1, 1]), ([0], [1, 1])], side: 2)
  }()

  static let faces = RawArchive([
    .init("face_detector.tflite", face), .init("face_landmarks_detector.tflite", facePoints),
  ]).bytes

  private static let handPoints: [UInt8] = {
    var pixels: [Float] = [2, 3.2, 0]
    var meters: [Float] = [0, 0.3, 0.25]
    for index in 0..<20 {
      let x = 0.3 + 0.1 * Float(index / 4), y = 0.5 - 0.1 * Float(index % 4)
      pixels += [4 * x, 4 * y, 0]
      meters += [x - 0.5, y - 0.5, 0.25]
    }
    return model([(pixels, [1, 63]), ([1], [1, 1]), ([0.75], [1, 1]), (meters, [1, 63])], side: 4)
  }()

  static let hands: [UInt8] = {
    // The center of the ninth box is the image's.
    var boxes = [Float](repeating: 0, count: 14 * 18)
    boxes.replaceSubrange(8 * 18..<8 * 18 + 10, with: [0, 0, 4, 4, 0, 4, 0, 0, 0, 0])
    var scores = [Float](repeating: -10, count: 14)
    scores[8] = 10
    return RawArchive([
      .init("hand_detector.tflite", model([(boxes, [1, 14, 18]), (scores, [1, 14, 1])], side: 16)),
      .init("hand_landmarks_detector.tflite", handPoints),
    ]).bytes
  }()

  /// A bundle of hands whose gesture is always the second of three.
  static let gestures: [UInt8] = {
    var embedder = TestGraph()
    var parts: [Int] = []
    for shape in [[1, 21, 3], [1, 1], [1, 21, 3]] {
      let count = shape.reduce(1, *)
      let flat = embedder.tensor(.float32, [1, count])
      embedder.add(.reshape, [embedder.input(.float32, shape), embedder.constant([1, Int32(count)])], [flat])
      parts.append(flat)
    }
    embedder.add(
      .concatenation, parts, [embedder.output(.float32, [1, 127])],
      options: ConcatenationOptions.with { [$0.axis(1)] })
    var classifier = TestGraph()
    let one = classifier.tensor(.float32, [1, 1]), zero = classifier.tensor(.float32, [1, 1])
    let embedding = classifier.input(.float32, [1, 127])
    classifier.add(
      .slice, [embedding, classifier.constant([Int32(0), 0]), classifier.constant([Int32(1), 1])], [one])
    classifier.add(.mul, [one, classifier.constant([Float(0)], shape: [1, 1])], [zero], options: MulOptions.empty)
    classifier.add(
      .add, [classifier.constant([Float(0.2), 0.5, 0.3], shape: [1, 3]), zero],
      [classifier.output(.float32, [1, 3])], options: AddOptions.empty)
    let output: [Int: FlatValue] = [6: .tables([[0: .string("labels.txt"), 2: .byte(2)]])]
    var canned = RawArchive([.init("labels.txt", Array("None\nFist\nThumb".utf8))])
    canned.prefix = TestGraph.bytes(
      [classifier],
      metadata: FlatValue.file(
        root: [3: .tables([[2: .tables([[0: .string("embedding")]]), 3: .tables([output])]])], identifier: "M001"))
    return RawArchive([
      .init("hand_landmarker.task", hands),
      .init(
        "hand_gesture_recognizer.task",
        RawArchive([
          .init("canned_gesture_classifier.tflite", canned.bytes),
          .init("gesture_embedder.tflite", TestGraph.bytes([embedder])),
        ]).bytes),
    ]).bytes
  }()

  private static let body: SyntheticPoseModels = {
    var body = SyntheticPoseModels()
    body.hasNormalization = true
    // By landmark index: eyes, wrists, little fingers, and index fingers.
    let places: [Int: (Float, Float)] = [
      2: (18, 8), 5: (14, 8), 15: (24, 16), 17: (24, 18), 19: (25, 18), 16: (8, 16), 18: (8, 18), 20: (7, 18),
    ]
    body.points = (0..<33).map { index in
      let place = places[index] ?? (14 + Float(index % 3) * 2, 6 + Float(index % 4) * 2)
      return [place.0, place.1, 0, 5, 5]
    }
    return body
  }()

  static let poses: [UInt8] = {
    var models = SyntheticPoseModels()
    models.hasNormalization = true
    return models.bundle
  }()

  static let people = SyntheticPoseModels.bundle([
    ("pose_detector.tflite", body.detector), ("pose_landmarks_detector.tflite", body.landmarks),
    ("hand_roi_refinement.tflite", SyntheticPoseModels.model([([16, 8, 16, 24], [1, 4])], hasNormalization: true)),
    ("hand_landmarks_detector.tflite", handPoints), ("face_detector.tflite", face),
    ("face_landmarks_detector.tflite", facePoints),
  ])
}
