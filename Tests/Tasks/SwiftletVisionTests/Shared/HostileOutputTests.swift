import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// Checks hostile counts and numbers in a model's metadata and outputs.
@Suite("Hostile outputs")
struct HostileOutputTests {
  private func decoder(boxes: Int, classes: Int, coordinates: Int = 4) -> BoxDecoder {
    BoxDecoder(
      anchors: [Anchor](repeating: Anchor(centerX: 0.5, centerY: 0.5, width: 1, height: 1), count: boxes),
      classCount: classes, coordinateCount: coordinates,
      format: .centerYXHeightWidth, xScale: 1, yScale: 1, widthScale: 1, heightScale: 1, appliesSigmoid: false)
  }

  @Test(
    "classes and boxes without outputs of the same size are rejected",
    arguments: [
      (0, 1 << 31 - 1, 4), (0, 1, 4), (0, .max, 4), (1, .max, 4), (3, .max, 4), (3, 1 << 62, 4), (1, 5, .max),
      (2, 5, 4),
    ])
  func counts(boxes: Int, classes: Int, coordinates: Int) {
    func output(_ perBox: Int) -> TensorSpec { TensorSpec(name: "o", elementType: .float32, shape: [1, 0, perBox]) }
    #expect(throws: TaskError.self) {
      try RawDetectionOutputs.find(
        [output(coordinates), output(classes)],
        decoder: decoder(boxes: boxes, classes: classes, coordinates: coordinates), task: "object")
    }
  }

  @Test("outputs of the declared size are found")
  func found() throws {
    let outputs = [
      TensorSpec(name: "b", elementType: .float32, shape: [1, 2, 4]),
      TensorSpec(name: "s", elementType: .float32, shape: [1, 2, 7]),
    ]
    let found = try RawDetectionOutputs.find(outputs, decoder: decoder(boxes: 2, classes: 7), task: "object")
    #expect(found == (0, 1))
  }

  @Test(
    "an anchor layout is counted before it is created",
    arguments: [(1 << 30, 2000, 2000), (8, 2000, 1), (1, 1, 1), (nil, 3000, 1000)] as [(Int?, Int, Int)])
  func layouts(stride: Int?, layers: Int, ratios: Int) {
    let strides = stride.map { [Int](repeating: $0, count: layers) } ?? Array(1...layers)
    let layout = SSDAnchorLayout(
      inputWidth: 1 << 31, inputHeight: 1 << 31, strides: strides, minimumScale: 0.1, maximumScale: 0.9,
      aspectRatios: [Float](repeating: 1, count: ratios),
      interpolatedAspectRatio: 1, hasFixedSize: false)
    #expect(throws: TaskError.self) { try layout.anchors() }
  }

  @Test("inputs and strides of any size have a layout or none", arguments: [1, 1 << 20, 1 << 31, .max])
  func extremeLayouts(size: Int) {
    for stride in [Int.min, 0, 1, 1 << 31, .max] {
      let layout = SSDAnchorLayout(
        inputWidth: size, inputHeight: size, strides: [stride], minimumScale: .nan, maximumScale: .infinity,
        aspectRatios: [.nan, -1], interpolatedAspectRatio: .nan,
        hasFixedSize: false)
      #expect((try? layout.anchors().count) ?? 0 <= SSDAnchorLayout.maximumCount)
    }
  }

  @Test("suppression only processes the best candidates")
  func suppression() throws {
    var list = DetectionList()
    let count = NonMaximumSuppression.maximumCandidates + 100
    // All at the same position, so that few comparisons are needed.
    for index in 0..<count {
      list.append(RelativeBox(x: 0, y: 0, width: 1, height: 1))
      list.appendClass(.init(index: index, score: Float(index)))
    }
    var kept = DetectionList()
    var suppression = NonMaximumSuppression()
    try suppression.greedy(list, threshold: 1, limit: 200, into: &kept)
    #expect(kept.count == 200 && kept.classes(0).first?.index == count - 1)
    try suppression.weighted(list, threshold: 0.5, into: &kept)
    #expect(kept.count == 1)
  }

  /// Returns a detector with these outputs for every image.
  private static func detector(giving outputs: [(values: [Float], shape: [Int])]) -> BaseOptions {
    let graph = TestGraph.giving(outputs, forImageOf: 1, by: 1)
    return BaseOptions(
      model: .bytes(TestGraph.bytes([graph])), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1])
    )
  }

  @Test(
    "any output value is handled without a crash",
    arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e30, 1e10, 16_777_216, -0.0])
  func numbers(value: Float) throws {
    // All boxes, classes, and scores, and the count, are this number.
    let outputs = [[1, 2, 4], [1, 2], [1, 2], [1]].map { shape in
      ([Float](repeating: value, count: shape.reduce(1, *)), shape)
    }
    let base = Self.detector(giving: outputs)
    let image = try InputImage(rgb: [1, 2, 3], width: 1, height: 1)
    let detector = try ObjectDetector(options: ObjectDetectorOptions(baseOptions: base, scoreThreshold: -.infinity))
    for detection in try detector.objects(in: image) {
      #expect(detection.box.width.isFinite && detection.box.height.isFinite)
    }
    let localizer = try ObjectLocalizer(ModelContext(base), scoreThreshold: 0, overlapThreshold: 0.5)
    for finding in try localizer.findings(in: image) { #expect(finding.right > finding.left) }
  }

  @Test("very many separate boxes don't take quadratic time")
  func manyBoxes() throws {
    let count = 200_000
    var boxes: [Float] = []
    for index in 0..<count {
      let (height, width) = (Float(index / 1000 + 1), Float(index % 1000 + 1))
      boxes += [0, 0, height / 1000, width / 1000]
    }
    let base = Self.detector(giving: [
      (boxes, [1, count, 4]), ([Float](repeating: 1, count: count), [1, count]),
      ([Float](repeating: 0.5, count: count), [1, count]), ([Float(count)], [1]),
    ])
    let detector = try ObjectDetector(options: ObjectDetectorOptions(baseOptions: base))
    let image = try InputImage(rgb: [UInt8](repeating: 7, count: 3 * 1000 * 1000), width: 1000, height: 1000)
    // With quadratic time, this test would run for an hour.
    #expect(try detector.objects(in: image).count > 100_000)
  }
}
