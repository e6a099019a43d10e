import SwiftletTestSupport

/// Face landmarker bundles whose models output arbitrary numbers, to test the data passed from one model to the next.
enum FaceBundles {
  /// Returns a bundle of models with small input images, so that the numbers of every step come from this case.
  static func bundle(_ random: inout FuzzRandom) -> [UInt8] {
    var boxes = [Float](repeating: 0, count: 896 * 16)
    var scores = [Float](repeating: -5, count: 896)
    for _ in 0..<random.within(1...4) {
      let box = random.below(896)
      scores[box] = random.oneIn(8) ? random.hostileFloat() : 4
      for offset in 0..<16 { boxes[16 * box + offset] = number(&random, scale: 100) }
    }
    let side = random.one(2, 3, 7)
    let points = (0..<random.one(1434, 1434, 1434, 1404)).map { _ in number(&random, scale: Float(side)) }
    let models: [(String, [UInt8])] = [
      ("face_detector.tflite", giving([(boxes, [1, 896, 16]), (scores, [1, 896, 1])], side: 128)),
      ("face_landmarks_detector.tflite", giving([(points, [1, points.count]), ([3], [1, 1])], side: side)),
      ("face_blendshapes.tflite", blendshapes(&random)),
      ("geometry_pipeline_metadata_landmarks.binarypb", canonicalFace(&random)),
    ]
    return RawArchive(models.map { .init($0.0, $0.1) }).bytes
  }

  private static func number(_ random: inout FuzzRandom, scale: Float) -> Float {
    random.oneIn(2000) ? random.hostileFloat() : Float(random.below(1 << 16)) / 65_536 * scale
  }

  private static func giving(_ outputs: [(values: [Float], shape: [Int])], side: Int) -> [UInt8] {
    TestGraph.bytes([TestGraph.giving(outputs, forImageOf: side, by: side)])
  }

  /// Returns a model that outputs some of its inputs.
  private static func blendshapes(_ random: inout FuzzRandom) -> [UInt8] {
    var graph = TestGraph()
    let points = graph.input(.float32, [1, 146, 2])
    let flat = graph.tensor(.float32, [292])
    graph.add(.reshape, [points, graph.constant([Int32(292)])], [flat])
    let count = random.one(52, 52, 52, 51)
    graph.add(
      .slice, [flat, graph.constant([Int32(random.below(200))]), graph.constant([Int32(count)])],
      [graph.output(.float32, [count])])
    return TestGraph.bytes([graph])
  }

  /// Returns the bytes of a canonical face, valid or nearly valid.
  private static func canonicalFace(_ random: inout FuzzRandom) -> [UInt8] {
    var face = SyntheticCanonicalFace()
    face.isPacked = random.oneIn(2)
    if random.oneIn(4) { face.points[random.below(468)].x = random.hostileFloat() }
    if random.oneIn(4) { face.weights[random.below(face.weights.count)].weight = random.hostileFloat() }
    var bytes = face.bytes
    if random.oneIn(3) {
      for _ in 0..<random.within(1...8) { bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
    }
    if random.oneIn(6) { bytes.removeLast(random.below(bytes.count)) }
    return bytes
  }
}
