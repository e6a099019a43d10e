import Foundation
import SwiftletImage
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// Checks detectors with raw boxes and scores that the metadata describes how to decode.
@Suite("Raw object detections")
struct RawOutputTests {
  /// The custom metadata of a detector, with all numbers distinct.
  struct Metadata {
    /// Centers and sizes, x first.
    var anchors: [[Float]]? = [[0.25, 0.5, 0.5, 0.25], [0.75, 0.5, 0.25, 0.5]]
    var hasDecoding = true
    var (classCount, boxCount, coordinateCount): (Int32, Int32, Int32) = (3, 2, 6)
    var (keypointOffset, keypointCount): (Int32, Int32) = (4, 1)
    /// The scales of x, y, width, and height.
    var scales: [Float] = [2, 4, 8, 16]
    var (isExponential, isSigmoid) = (false, false)

    var root: [Int: FlatValue] {
      var root: [Int: FlatValue] = [0: .string("1.0.0")]
      if let anchors {
        let tables = anchors.map { anchor in
          Dictionary(uniqueKeysWithValues: anchor.enumerated().map { ($0, FlatValue.float($1)) })
        }
        root[1] = .table([0: .table([0: .tables(tables)])])
      }
      guard hasDecoding else { return root }
      root[2] = .table([
        0: .int(classCount), 1: .int(boxCount), 2: .int(coordinateCount), 3: .int(keypointOffset),
        4: .int(keypointCount), 5: .int(2), 6: .float(scales[0]), 7: .float(scales[1]), 8: .float(scales[2]),
        9: .float(scales[3]), 10: .bool(isExponential), 11: .bool(isSigmoid),
      ])
      return root
    }
  }

  /// The y, x, height, and width, and a keypoint of each box.
  private static let boxes: [Float] = [1, 0.5, 8, 4, 2, 1, 0, 0, 16, 8, 0, 0]
  private static let scores: [Float] = [0.25, 0.75, 0.5, 0.5, 0.25, 0.625]

  private func model(
    _ metadata: Metadata = Metadata(), boxes: [Float] = boxes, scores: [Float] = scores, isSwapped: Bool = false
  ) -> GivingModel {
    var outputs: [(values: [Float], shape: [Int])] = [
      (boxes, [1, boxes.count / 6, 6]), (scores, [1, scores.count / 3, 3]),
    ]
    if isSwapped { outputs.reverse() }
    var model = GivingModel(outputs)
    model.custom = ("DETECTOR_METADATA", metadata.root)
    return model
  }

  private func detect(
    _ model: GivingModel, _ change: (inout ObjectDetectorOptions) -> Void = { _ in }
  ) throws -> [ObjectDetection] {
    var options = ObjectDetectorOptions(baseOptions: model.base)
    change(&options)
    return try ObjectDetector(options: options).objects(in: GivingModel.image())
  }

  private func error(_ model: GivingModel) -> TaskError? { thrownError { try detect(model) } }

  @Test("every scale and anchor has its position, in any order of the outputs", arguments: [false, true])
  func decoding(isSwapped: Bool) throws {
    let found = try detect(model(isSwapped: isSwapped))
    try #require(found.count == 2)
    // The center is (0.25 + 0.5/2 · 0.5, 0.5 + 1/4 · 0.25) and the size (4/8 · 0.5, 8/16 · 0.25), relative to 256 ×
    // 128.
    #expect(found[0].box == PixelRect(x: 64, y: 64, width: 64, height: 16))
    // The anchor's own center, and size (8/8 · 0.25, 16/16 · 0.5).
    #expect(found[1].box == PixelRect(x: 160, y: 32, width: 64, height: 64))
    #expect(found.map(\.categories) == [[.init(index: 1, score: 0.75)], [.init(index: 2, score: 0.625)]])
    // (0.25 + 1/2 · 0.5, 0.5 + 2/4 · 0.25).
    let keypoints = found.map(\.keypoints)
    #expect(keypoints == [[NormalizedPoint(x: 0.5, y: 0.625)], [NormalizedPoint(x: 0.75, y: 0.5)]])
  }

  @Test("sizes may be exponents, and scores logits")
  func activations() throws {
    var metadata = Metadata()
    (metadata.isExponential, metadata.isSigmoid) = (true, true)
    let found = try detect(
      model(metadata, boxes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], scores: [0, -1, -1, -5, -5, 1]))
    #expect(
      found.map(\.box) == [
        PixelRect(x: 160, y: 32, width: 64, height: 64), PixelRect(x: 0, y: 48, width: 128, height: 32),
      ])
    #expect(abs(found[0].categories[0].score - 0.731_058_6) < 1e-6 && found[1].categories[0].score == 0.5)
  }

  @Test("results are filtered by score, count, and class")
  func options() throws {
    #expect(try detect(model()) { $0.scoreThreshold = 0.625 }.count == 2)
    #expect(try detect(model()) { $0.scoreThreshold = Float(0.625).nextUp }.count == 1)
    #expect(try detect(model()) { $0.maxResults = 1 }.map { $0.categories[0].index } == [1])
    var labeled = model()
    labeled.described = [[:], [6: .tables([[0: .string("labels.txt"), 2: .byte(2)]])]]
    labeled.files = [("labels.txt", "a\nb\nc\n")]
    #expect(try detect(labeled).map { $0.categories[0].categoryName } == ["b", "c"])
    let allowed = try detect(labeled) { $0.categoryAllowlist = ["a", "c"] }
    #expect(
      allowed.map { $0.categories[0].score } == [0.625, 0.5] && allowed.map { $0.categories[0].index } == [2, 2])
    labeled.described = [[0: .string("score"), 6: .tables([[0: .string("labels.txt"), 2: .byte(2)]])], [:]]
    #expect(try detect(labeled).map { $0.categories[0].categoryName } == ["b", "c"])
  }

  @Test("the best of boxes with an overlap above 0.3 is kept", arguments: [(0.5, 1), (0.5625, 2)] as [(Float, Int)])
  func suppression(shift: Float, count: Int) throws {
    var metadata = Metadata()
    metadata.scales = [1, 1, 1, 1]
    // Two boxes of the same size that are offset by a share of their width: they share (1 - s) / (1 + s), 0.333 and
    // 0.28.
    metadata.anchors = [[0.5, 0.5, 0.5, 1], [0.5 + 0.5 * shift, 0.5, 0.5, 1]]
    let unit: [Float] = [0, 0, 1, 1, 0, 0]
    let found = try detect(model(metadata, boxes: unit + unit))
    #expect(found.count == count && found[0].categories[0].score == 0.75)
  }

  @Test("metadata must be present, complete, and consistent")
  func refusals() {
    var bare = model()
    bare.custom = nil
    let none = error(bare)
    #expect(none?.code == .invalidModel && none?.message.contains("has no DETECTOR_METADATA that describes") == true)
    var metadata = Metadata()
    metadata.anchors = nil
    #expect(
      error(model(metadata))?.message.hasSuffix("DETECTOR_METADATA lacks anchors or the decoding of boxes") == true)
    metadata = Metadata()
    metadata.hasDecoding = false
    #expect(
      error(model(metadata))?.message.hasSuffix("DETECTOR_METADATA lacks anchors or the decoding of boxes") == true)
    metadata = Metadata()
    metadata.anchors?.append([0, 0, 1, 1])
    #expect(error(model(metadata))?.message == "the model's metadata announces 2 boxes and lists 3 anchors")
    metadata = Metadata()
    metadata.scales[2] = 0
    #expect(error(model(metadata))?.message.contains("a scale of 0") == true)
    metadata = Metadata()
    metadata.classCount = 2
    let other = error(model(metadata))
    #expect(other?.code == .invalidModel)
    #expect(
      other?.message.contains(
        "not a object detection model of a known form: expected outputs [1 × 2 × 6] and [1 × 2 × 2]")
        == true, "\(String(describing: other))")
    var damaged = model()
    damaged.custom?.root = [2: .table([0: .int(-1)])]
    #expect(error(damaged)?.code == .invalidModel)
  }
}

/// Checks the detector results that an object tracker uses.
@Suite("Object localizer")
struct ObjectLocalizerTests {
  private static let outputs: [(values: [Float], shape: [Int])] = [
    ([0.125, 0.25, 0.5, 0.75, 0.5, -0.25, 1.25, 0.5, 0.25, 1.25, 0.5, 1.5], [1, 3, 4]), ([3, 7, 1], [1, 3]),
    ([0.75, 0.5, 0.625], [1, 3]), ([3], [1]),
  ]

  private func findings(
    _ outputs: [(values: [Float], shape: [Int])] = outputs, score: Float = 0, overlap: Float = 0.5,
    orientation: ImageOrientation = .up
  ) throws -> [ObjectLocalizer.Finding] {
    var image = try GivingModel.image()
    image.orientation = orientation
    return try ObjectLocalizer(
      ModelContext(GivingModel(outputs).base), scoreThreshold: score, overlapThreshold: overlap
    )
    .findings(in: image)
  }

  @Test("boxes are in the upright image, clipped, best first, and none are outside")
  func boxes() throws {
    let expected: [ObjectLocalizer.Finding] = [
      .init(left: 0.25, top: 0.125, right: 0.75, bottom: 0.5, score: 0.75),
      .init(left: 0, top: 0.5, right: 0.5, bottom: 1, score: 0.5),
    ]
    #expect(try findings() == expected)
    for orientation in [ImageOrientation.right, .down, .left] {
      for (found, wanted) in zip(try findings(orientation: orientation), expected) {
        #expect(abs(found.left - wanted.left) < 1e-5 && abs(found.top - wanted.top) < 1e-5)
        #expect(abs(found.right - wanted.right) < 1e-5 && abs(found.bottom - wanted.bottom) < 1e-5)
      }
    }
    #expect(try findings(score: 0.75).count == 1 && findings(score: Float(0.75).nextUp).isEmpty)
  }

  @Test("boxes of different classes that overlap by more than the threshold are one object")
  func overlaps() throws {
    var outputs = Self.outputs
    // 0.5 of 1.5.
    outputs[0].values = [0, 0, 1, 0.5, 0, 0.25, 1, 0.75, 0, 0.5, 0, 0.5]
    #expect(try findings(outputs, overlap: 0.34).map(\.score) == [0.75, 0.5])
    #expect(try findings(outputs, overlap: 0.33).map(\.score) == [0.75])
  }
}
