import SwiftletSchema
import SwiftletTestSupport
package import SwiftletVision

/// Bundles of models that don't recognize real gestures, but return the results that a test needs.
package enum SyntheticGestures {
  /// Returns an embedder whose embedding is its input: the landmarks, the handedness, and the world landmarks (in
  /// meters).
  package static func embedder(pointCount: Int = 21, handednessCount: Int = 1) -> [UInt8] {
    var graph = TestGraph()
    let counts = [3 * pointCount, handednessCount, 3 * pointCount]
    let shapes = [[1, pointCount, 3], [1, handednessCount], [1, pointCount, 3]]
    var parts: [Int] = []
    for (count, shape) in zip(counts, shapes) {
      let flat = graph.tensor(.float32, [1, count])
      graph.add(.reshape, [graph.input(.float32, shape), graph.constant([Int32(1), Int32(count)])], [flat])
      parts.append(flat)
    }
    let embedding = graph.output(.float32, [1, counts.reduce(0, +)])
    graph.add(.concatenation, parts, [embedding], options: ConcatenationOptions.with { [$0.axis(1)] })
    return TestGraph.bytes([graph])
  }

  /// Returns a classifier that accepts any embedding of 127 numbers and returns scores by name.
  package static func classifier(
    _ scores: KeyValuePairs<String, Float>, embeddingCount: Int = 127, hasLabels: Bool = true
  )
    -> [UInt8]
  {
    var graph = TestGraph()
    let embedding = graph.input(.float32, [1, embeddingCount])
    let one = graph.tensor(.float32, [1, 1])
    graph.add(
      .slice, [embedding, graph.constant([Int32(0), 0]), graph.constant([Int32(1), 1])], [one])
    let zero = graph.tensor(.float32, [1, 1])
    graph.add(.mul, [one, graph.constant([Float(0)], shape: [1, 1])], [zero], options: MulOptions.empty)
    let result = graph.output(.float32, [1, scores.count])
    graph.add(
      .add, [graph.constant(scores.map(\.value), shape: [1, scores.count]), zero], [result], options: AddOptions.empty)
    guard hasLabels else { return TestGraph.bytes([graph]) }
    let output: [Int: FlatValue] = [6: .tables([[0: .string("labels.txt"), 2: .byte(2)]])]
    let metadata = FlatValue.file(
      root: [3: .tables([[2: .tables([[0: .string("embedding")]]), 3: .tables([output])]])], identifier: "M001")
    var archive = RawArchive([.init("labels.txt", Array(scores.map(\.key).joined(separator: "\n").utf8))])
    archive.prefix = TestGraph.bytes([graph], metadata: metadata)
    return archive.bytes
  }

  package static let canned = classifier(["None": 0.2, "Fist": 0.5, "Thumb": 0.3])

  package static func bundle(
    hands: [UInt8] = SyntheticHands.bundle(), embedder: [UInt8]? = embedder(), canned: [UInt8] = canned,
    custom: [UInt8]? = nil
  ) -> [UInt8] {
    var gestures: [RawArchive.Member] = [.init("canned_gesture_classifier.tflite", canned)]
    if let embedder { gestures.append(.init("gesture_embedder.tflite", embedder)) }
    if let custom { gestures.append(.init("custom_gesture_classifier.tflite", custom)) }
    return RawArchive([
      .init("hand_landmarker.task", hands), .init("hand_gesture_recognizer.task", RawArchive(gestures).bytes),
    ]).bytes
  }

  package static func recognizer(
    _ bundle: [UInt8] = bundle(), _ change: (inout GestureRecognizerOptions) -> Void = { _ in }
  ) throws -> GestureRecognizer {
    var options = GestureRecognizerOptions(
      baseOptions: SyntheticHands.base(bundle), minDetectionConfidence: 0.6)
    change(&options)
    return try GestureRecognizer(options: options)
  }
}
