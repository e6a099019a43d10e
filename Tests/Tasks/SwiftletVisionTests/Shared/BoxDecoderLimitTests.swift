import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Limits of box decoders")
struct BoxDecoderLimitTests {
  /// A decoder for boxes of ten numbers: an unused one, four of the box, an unused one, and two keypoints.
  private static let decoder = BoxDecoder(
    anchors: [
      Anchor(centerX: 0.25, centerY: 0.5, width: 0.5, height: 2),
      Anchor(centerX: 0.75, centerY: 0.125, width: 0.25, height: 1),
    ], classCount: 2, coordinateCount: 10, boxOffset: 1, keypointOffset: 6, keypointCount: 2,
    format: .centerXYWidthHeight, xScale: 2, yScale: 4, widthScale: 8, heightScale: 16, appliesSigmoid: false)

  private func decode(
    _ boxes: [Float], _ scores: [Float], threshold: Float = 0, classes: [Int] = [0, 1], by decoder: BoxDecoder = decoder
  ) throws -> DetectionList {
    var list = DetectionList()
    try boxes.withUnsafeBufferPointer { boxes in
      try scores.withUnsafeBufferPointer { scores in
        try decoder.decode(boxes: boxes, scores: scores, threshold: threshold, classes: classes, into: &list)
      }
    }
    return list
  }

  private static let boxes: [Float] = [
    99, 1, 2, 4, 8, 99, 1, -2, 0, 4, 99, 0, 0, 8, 16, 99, 2, 4, -1, -2,
  ]

  @Test("every box has its own anchor, scores, and keypoints")
  func boxes() throws {
    let list = try decode(Self.boxes, [0.25, 0.5, 0.75, 0.125])
    // Centers (0.25 + 1/2 · 0.5, 0.5 + 2/4 · 2), sizes (4/8 · 0.5, 8/16 · 2); then the anchor itself.
    #expect(
      list.boxes == [
        RelativeBox(x: 0.375, y: 1, width: 0.25, height: 1), RelativeBox(x: 0.625, y: -0.375, width: 0.25, height: 1),
      ])
    #expect(list.classes(0) == [.init(index: 1, score: 0.5)] && list.classes(1) == [.init(index: 0, score: 0.75)])
    #expect(list.keypoints(0).map { [$0.x, $0.y] } == [[0.5, -0.5], [0.25, 2.5]])
    #expect(list.keypoints(1).map { [$0.x, $0.y] } == [[1, 1.125], [0.625, -0.375]])
    #expect(list.score(0) == 0.5 && list.score(1) == 0.75 && list.count == 2)
  }

  @Test("a score at the threshold passes, the first of equal classes wins, and only requested classes count")
  func scores() throws {
    let scores: [Float] = [0.5, 0.5, Float(0.5).nextDown, 0.25]
    let list = try decode(Self.boxes, scores, threshold: 0.5)
    #expect(list.count == 1 && list.classes(0) == [.init(index: 0, score: 0.5)])
    #expect(try decode(Self.boxes, scores, threshold: 0.5, classes: [1]).classes(0) == [.init(index: 1, score: 0.5)])
    #expect(try decode(Self.boxes, scores, threshold: 0.5, classes: []).count == 0)
  }

  @Test("logits are clipped on both sides before the sigmoid")
  func clip() throws {
    var decoder = Self.decoder
    decoder.appliesSigmoid = true
    decoder.scoreClip = 2
    let list = try decode(Self.boxes, [5, 2, -7, -9], by: decoder)
    // 1 / (1 + e^-2), and 1 / (1 + e^2).
    #expect(abs(list.score(0) - 0.880_797_1) < 1e-6 && abs(list.score(1) - 0.119_202_9) < 1e-6)
    decoder.scoreClip = nil
    let whole = try decode(Self.boxes, [5, 2, -7, -9], by: decoder)
    #expect(abs(whole.score(0) - 0.993_307_1) < 1e-6 && abs(whole.score(1) - 0.000_911_05) < 1e-6)
  }

  // MARK: Validation

  private func error(_ change: (inout BoxDecoder) -> Void) -> TaskError? {
    var decoder = Self.decoder
    change(&decoder)
    return thrownError { try decoder.validate() }
  }

  @Test("numbers at the limits are accepted")
  func fitting() {
    #expect(error { _ in } == nil)
    #expect(error { $0.boxOffset = 0 } == nil && error { $0.boxOffset = 6 } == nil)
    #expect(error { $0.classCount = 1 } == nil)
    #expect(error { ($0.coordinateCount, $0.boxOffset, $0.keypointCount) = (4, 0, 0) } == nil)
    #expect(error { ($0.keypointOffset, $0.keypointCount) = (0, 5) } == nil)
    #expect(error { ($0.keypointOffset, $0.keypointCount) = (8, 1) } == nil)
    #expect(error { ($0.keypointOffset, $0.keypointCount, $0.valuesPerKeypoint) = (0, 1, 10) } == nil)
    // Without keypoints, their offset doesn't matter.
    #expect(error { ($0.keypointOffset, $0.keypointCount, $0.valuesPerKeypoint) = (99, 0, 0) } == nil)
    #expect(error { $0.xScale = -1 } == nil)
  }

  private static let changes: [(message: String, change: @Sendable (inout BoxDecoder) -> Void)] = [
    ("has 0 classes and 10 numbers per box", { $0.classCount = 0 }),
    ("has 2 classes and 3 numbers per box", { ($0.coordinateCount, $0.boxOffset) = (3, 0) }),
    ("numbers per box", { $0.boxOffset = -1 }), ("numbers per box", { $0.boxOffset = 7 }),
    ("has -1 keypoints in 10 numbers per box", { $0.keypointCount = -1 }),
    ("has 11 keypoints in 10 numbers per box", { $0.keypointCount = 11 }),
    ("2 keypoints of 2 numbers are inconsistent with 10 numbers per box", { $0.keypointOffset = 7 }),
    ("2 keypoints of 2 numbers are inconsistent with", { $0.keypointOffset = -1 }),
    ("3 keypoints of 2 numbers are inconsistent with", { $0.keypointCount = 3 }),
    ("1 keypoints of 1 numbers are inconsistent with", { ($0.keypointCount, $0.valuesPerKeypoint) = (1, 1) }),
    (
      "1 keypoints of 11 numbers are inconsistent with",
      { ($0.keypointOffset, $0.keypointCount, $0.valuesPerKeypoint) = (0, 1, 11) }
    ),
    ("a scale of 0 or one that is not finite", { $0.xScale = 0 }), ("a scale of 0", { $0.yScale = .nan }),
    ("a scale of 0", { $0.widthScale = .infinity }), ("a scale of 0", { $0.heightScale = 0 }),
  ]

  @Test("numbers beyond the limits are rejected, and the message names them", arguments: 0..<15)
  func refused(index: Int) {
    let (message, change) = Self.changes[index]
    let error = error(change)
    #expect(error?.code == .invalidModel && error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test("outputs with other lengths are rejected", arguments: [(19, 4), (21, 4), (20, 3), (20, 5), (10, 2)])
  func lengths(boxes: Int, scores: Int) {
    let error: TaskError? = thrownError {
      try decode([Float](repeating: 1, count: boxes), [Float](repeating: 1, count: scores))
    }
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message
        == "the model gave \(boxes) numbers of boxes and \(scores) scores for 2 boxes of 10 numbers and 2 classes")
  }

  // MARK: Outputs

  private func spec(_ shape: Shape) -> TensorSpec { TensorSpec(name: "t", elementType: .float32, shape: shape) }

  @Test("the two outputs are identified by shape, in either order")
  func outputs() {
    func find(_ shapes: [Shape]) -> [Int]? {
      let found = try? RawDetectionOutputs.find(shapes.map(spec), decoder: Self.decoder, task: "face")
      return found.map { [$0.boxes, $0.scores] }
    }
    #expect(find([[1, 2, 10], [1, 2, 2]]) == [0, 1] && find([[1, 2, 2], [1, 2, 10]]) == [1, 0])
    #expect(find([[2, 10], [2, 2]]) == [0, 1])
    for shapes in [
      [[1, 2, 10]], [[1, 2, 10], [1, 2, 2], [1]], [[1, 2, 10], [1, 4]], [[20], [1, 2, 2]], [[1, 3, 10], [1, 2, 2]],
      [[1, 2, 10], [1, 3, 2]], [[1, 2, 10], [1, 2, 10]], [[1, 10, 2], [1, 2, 2]], [],
    ] as [[Shape]] { #expect(find(shapes) == nil, "\(shapes)") }
    let error: TaskError? = thrownError {
      try RawDetectionOutputs.find([spec([1, 2])], decoder: Self.decoder, task: "face")
    }
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message.hasPrefix(
        "this is not a face detection model of a known form: expected outputs [1 × 2 × 10] and [1 × 2 × 2], found ")
        == true)
  }

  // MARK: Confidences

  @Test("confidences are in 0...1, including both ends", arguments: [0, 1, 0.5, -0.001, 1.001, .nan] as [Float])
  func confidences(value: Float) {
    let error: TaskError? = thrownError { try ConfidenceOption.check(value, "minTrackingConfidence") }
    #expect((error == nil) == (value >= 0 && value <= 1))
    guard let error else { return }
    #expect(error == TaskError(.invalidOption, "minTrackingConfidence must be in 0...1, got \(value)"))
  }

  // MARK: Anchors

  private func layout(
    width: Int = 8, height: Int = 4, strides: [Int] = [4], ratios: [Float] = [1], interpolated: Float = 0,
    isFixed: Bool = true
  ) -> SSDAnchorLayout {
    SSDAnchorLayout(
      inputWidth: width, inputHeight: height, strides: strides, minimumScale: 0.25, maximumScale: 0.75,
      aspectRatios: ratios, interpolatedAspectRatio: interpolated, hasFixedSize: isFixed)
  }

  @Test("anchors are in row-major order, also for wide inputs and partial cells")
  func grid() throws {
    let anchors = try layout(width: 9, height: 4).anchors()
    #expect(
      anchors.map(\.centerX) == [0.5, 1.5, 2.5].map { Float($0) / 3 } && anchors.allSatisfy { $0.centerY == 0.5 })
    #expect(anchors.allSatisfy { $0.width == 1 && $0.height == 1 })
    let high = try layout(width: 4, height: 5, ratios: [1, 2]).anchors()
    #expect(high.map(\.centerY) == [0.25, 0.25, 0.75, 0.75] && high.allSatisfy { $0.centerX == 0.5 })
    var shifted = layout()
    (shifted.offsetX, shifted.offsetY) = (0.25, 0.75)
    #expect(try shifted.anchors().map { [$0.centerX, $0.centerY] } == [[0.125, 0.75], [0.625, 0.75]])
  }

  @Test("sizes follow from scale and ratio, and a layout with one stride has the middle scale")
  func sizes() throws {
    let single = try layout(width: 4, height: 4, ratios: [4, 0.25], interpolated: 1, isFixed: false).anchors()
    // Between 0.5 and 1.
    #expect(single.map(\.width) == [1, 0.25, Float(0.5).squareRoot()])
    #expect(single.map(\.height) == [0.25, 1, Float(0.5).squareRoot()])
    let three = try layout(width: 4, height: 4, strides: [4, 4, 4], interpolated: 4, isFixed: false).anchors()
    // Scales 0.25, 0.5, and 0.75, with interpolated scales between each and the next; the interpolated anchors are four
    // times as wide as high.
    let between = [Float(0.125), 0.375, 0.75].map { $0.squareRoot() }
    #expect(three.map(\.width) == [0.25, between[0] * 2, 0.5, between[1] * 2, 0.75, between[2] * 2])
    #expect(three.map(\.height) == [0.25, between[0] / 2, 0.5, between[1] / 2, 0.75, between[2] / 2])
  }

  @Test("a million anchors are the limit")
  func anchorLimit() throws {
    #expect(SSDAnchorLayout.maximumCount == 1_048_576)
    func error(_ layout: SSDAnchorLayout) -> TaskError? { thrownError { try layout.anchors().count } }
    #expect(try layout(width: 1024, height: 512, strides: [1], ratios: [1, 2]).anchors().count == 1_048_576)
    for layout in [
      layout(width: 1024, height: 512, strides: [1], ratios: [1, 2], interpolated: 1),
      layout(width: 1025, height: 512, strides: [1], ratios: [1, 2]), layout(width: 1 << 21, height: 1, strides: [1]),
      layout(width: 1, height: 1 << 21, strides: [1]), layout(width: 1024, height: 1024, strides: [1, 1024]),
    ] {
      let error = error(layout)
      #expect(error?.code == .invalidModel)
      #expect(error?.message == "the detector's anchor layout has more than 1048576 anchors")
    }
    for layout in [
      layout(width: 0), layout(height: 0), layout(strides: []), layout(strides: [4, 0]), layout(strides: [-1]),
    ] {
      let error = error(layout)
      #expect(error?.code == .invalidModel)
      #expect(error?.message == "the detector's anchor strides \(layout.strides) must be positive")
    }
  }

  @Test("MediaPipe's detectors have documented constants")
  func blaze() throws {
    let decoder = try BoxDecoder.blaze(inputWidth: 32, inputHeight: 16, strides: [8, 16], keypointCount: 3)
    #expect(decoder.anchors.count == 4 * 2 * 2 + 2 * 1 * 2 && decoder.classCount == 1)
    #expect(decoder.coordinateCount == 10 && decoder.keypointCount == 3 && decoder.keypointOffset == 4)
    #expect(decoder.valuesPerKeypoint == 2 && decoder.boxOffset == 0 && decoder.format == .centerXYWidthHeight)
    #expect([decoder.xScale, decoder.yScale, decoder.widthScale, decoder.heightScale] == [32, 32, 32, 32])
    #expect(decoder.appliesSigmoid && !decoder.appliesExponential && decoder.scoreClip == 100)
    #expect(decoder.anchors.allSatisfy { $0.width == 1 && $0.height == 1 })
    let other = try BoxDecoder.blaze(
      inputWidth: 32, inputHeight: 16, strides: [8], keypointCount: 0, interpolatedAspectRatio: 0, scale: 5)
    #expect(other.anchors.count == 8 && other.xScale == 5 && other.heightScale == 5 && other.coordinateCount == 4)
  }
}
