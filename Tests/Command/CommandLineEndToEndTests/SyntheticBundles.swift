import SwiftletTestSupport

/// Bundles of models without weights that return the same results for every image of any size.
enum SyntheticBundles {
  /// One hand in the center of the image, with all landmarks but the wrist at the same position of the region.
  static let hands: [UInt8] = {
    let fingers = (1..<21).flatMap { (index: Int) -> [Float] in [16, 4 + Float(index) / 2, 0] }
    let pixels = [Float](repeating: 16, count: 3) + fingers
    let meters = (0..<63).map { Float($0) / 64 }
    return bundle([
      ("hand_detector.tflite", model([(boxes(14, values: 18), [1, 14, 18]), (scores(14), [1, 14, 1])], side: 16)),
      (
        "hand_landmarks_detector.tflite",
        model([(pixels, [1, 63]), ([1], [1, 1]), ([0.75], [1, 1]), (meters, [1, 63])], side: 32)
      ),
    ])
  }()

  /// One face in the center of the image.
  static let faces: [UInt8] = {
    let points = (0..<478).flatMap { (index: Int) -> [Float] in [8 + Float(index % 16), 8 + Float(index / 30), 0] }
    return bundle([
      ("face_detector.tflite", model([(boxes(14, values: 16), [1, 14, 16]), (scores(14), [1, 14, 1])], side: 16)),
      ("face_landmarks_detector.tflite", model([(points, [1, 1434]), ([4], [1, 1])], side: 32)),
    ])
  }()

  /// One pose in the center of the image with all landmarks visible.
  static let poses: [UInt8] = {
    let ends: [[Float]] = [[16, 16, 0, 0, 0], [16, 4, 0, 0, 0]]
    let points = (0..<33).map { (index: Int) -> [Float] in [8 + Float(index % 4), 8 + Float(index / 2), 0, 10, 10] }
    let rest = [[Float]](repeating: [0, 0, 0, 0, 0], count: 4)
    let landmarks: [(values: [Float], shape: [Int])] = [
      ((points + ends + rest).flatMap(\.self), [1, 195]), ([0.75], [1, 1]),
      ([Float](repeating: 4, count: 64), [1, 8, 8, 1]), ([Float](repeating: -10, count: 64 * 39), [1, 8, 8, 39]),
      ([Float](repeating: 0.25, count: 117), [1, 117]),
    ]
    return bundle([
      ("pose_detector.tflite", model([(boxes(46, values: 12), [1, 46, 12]), (scores(46), [1, 46, 1])], side: 32)),
      ("pose_landmarks_detector.tflite", model(landmarks, side: 32)),
    ])
  }()

  static func bundle(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    RawArchive(members.map { .init($0.name, $0.bytes) }).bytes
  }

  /// Returns a model of a square image with constant outputs, and metadata with its normalization.
  static func model(_ outputs: [(values: [Float], shape: [Int])], side: Int) -> [UInt8] {
    let unit: [Int: FlatValue] = [0: .byte(1), 1: .table([0: .floats([0]), 1: .floats([255])])]
    let input: [Int: FlatValue] = [0: .string("image"), 4: .tables([unit])]
    let metadata = FlatValue.file(root: [3: .tables([[2: .tables([input])]])], identifier: "M001")
    return TestGraph.bytes([.giving(outputs, forImageOf: side, by: side)], metadata: metadata)
  }

  /// Returns a detector's boxes. The last one is centered, upright, and half as large as the image.
  private static func boxes(_ count: Int, values: Int) -> [Float] {
    var boxes = [Float](repeating: 0, count: count * values)
    for (offset, value) in ([0, 0, 8, 8, 0, 4, 0, -4, 0, -4] as [Float]).enumerated() {
      boxes[(count - 1) * values + offset] = value
    }
    return boxes
  }

  private static func scores(_ count: Int) -> [Float] { [Float](repeating: -10, count: count - 1) + [10] }
}
