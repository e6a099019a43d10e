import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of detection")
struct DetectionRefusalTests {
  private static let options: [String: FlexMap.Value] = [
    "max_detections": .int(3), "max_classes_per_detection": .int(1), "num_classes": .int(2),
    "nms_score_threshold": .float(0.2), "nms_iou_threshold": .float(0.5), "y_scale": .float(10), "x_scale": .float(10),
    "h_scale": .float(5), "w_scale": .float(5), "use_regular_nms": .bool(true),
  ]

  private static func detection(
    _ key: String = "num_classes", _ value: FlexMap.Value = .int(2), encodings: [Int] = [1, 4, 4],
    scores: [Int] = [1, 4, 2], anchors: [Int] = [4, 4]
  ) -> Probe {
    Probe(
      custom: "TFLite_Detection_PostProcess", [.floats(encodings), .floats(scores), .floats(anchors)],
      [.floats(), .floats(), .floats(), .floats()], FlexMap.bytes(options.merging([key: value]) { $1 }))
  }

  private static let detections: [Refusal] = [
    Refusal(
      "option max_detections must be at least 0, got -1", detection("max_detections", .int(-1)),
      but: detection("max_detections", .int(0))),
    Refusal(
      "option max_classes_per_detection must be at least 1, got 0", detection("max_classes_per_detection", .int(0)),
      but: detection("max_classes_per_detection", .int(1))),
    Refusal(
      "option detections_per_class must be at least 1, got 0", detection("detections_per_class", .int(0)),
      but: detection("detections_per_class", .int(1))),
    Refusal(
      "option num_classes must be at least 1, got 0", detection("num_classes", .int(0)),
      but: detection("num_classes", .int(1))),
    Refusal(
      "option nms_iou_threshold must be above 0 and at most 1, got 0.0", detection("nms_iou_threshold", .float(0)),
      but: detection("nms_iou_threshold", .float(0.01))),
    Refusal(
      "option nms_iou_threshold must be above 0 and at most 1, got 1.01", detection("nms_iou_threshold", .float(1.01)),
      but: detection("nms_iou_threshold", .float(1))),
    Refusal(
      "option nms_iou_threshold must be above 0 and at most 1, got nan", detection("nms_iou_threshold", .float(.nan))),
    Refusal(
      "option y_scale must be finite and not 0, got 0.0", detection("y_scale", .float(0)),
      but: detection("y_scale", .float(-1))),
    Refusal(
      "option x_scale must be finite and not 0, got inf", detection("x_scale", .float(.infinity)),
      but: detection("x_scale", .float(1))),
    Refusal("option h_scale must be finite and not 0, got nan", detection("h_scale", .float(.nan))),
    Refusal("option w_scale must be finite and not 0, got 0.0", detection("w_scale", .float(0))),
    Refusal("must have the shape [1×boxes×4 or more]", detection(encodings: [4, 4])),
    Refusal("must have the shape [1×boxes×4 or more]", detection(encodings: [2, 4, 4])),
    Refusal(
      "must have the shape [1×boxes×4 or more]", detection(encodings: [1, 4, 3]), but: detection(encodings: [1, 4, 5])),
    Refusal("must have the shape [1×4×2, or one more", detection(scores: [1, 3, 2])),
    Refusal("or one more for the background", detection(scores: [4, 2])),
    Refusal("or one more for the background", detection(scores: [2, 4, 2])),
    Refusal("or one more for the background", detection(scores: [1, 4, 1]), but: detection(scores: [1, 4, 2])),
    Refusal("or one more for the background", detection(scores: [1, 4, 4]), but: detection(scores: [1, 4, 3])),
    Refusal(
      "anchors 't2' float32[3×4] must have the shape [4×4]", detection(anchors: [3, 4]),
      but: detection(anchors: [5, 4])),
    Refusal("must have the shape [4×4]", detection(anchors: [4, 5])),
    Refusal("must have the shape [4×4]", detection(anchors: [16])),
  ]

  private static func suppression(
    _ boxes: [Int], _ scores: [Int], limit: ProbeTensor = .scalar(2), overlap: [Int] = [], threshold: [Int] = [],
    sigma: ProbeTensor? = nil
  ) -> Probe {
    let inputs: [ProbeTensor] = [.floats(boxes), .floats(scores), limit, .floats(overlap), .floats(threshold)]
    guard let sigma else { return Probe(.nonMaxSuppressionV4, inputs, [.of(.int32), .of(.int32)]) }
    return Probe(.nonMaxSuppressionV5, inputs + [sigma], [.of(.int32), .floats(), .of(.int32)])
  }

  private static let suppressions: [Refusal] = [
    Refusal(
      "requests at most -1 boxes", suppression([3, 4], [3], limit: .scalar(-1)),
      but: suppression([3, 4], [3], limit: .scalar(0))),
    Refusal("must have the shapes [n×4] and [n]", suppression([12], [3])),
    Refusal("must have the shapes [n×4] and [n]", suppression([3, 5], [3]), but: suppression([3, 4], [3])),
    Refusal("must have the shapes [n×4] and [n]", suppression([3, 4], [4])),
    Refusal("must have the shapes [n×4] and [n]", suppression([3, 4], [3, 1])),
    Refusal("input 't3' float32[2] must contain one number", suppression([3, 4], [3], overlap: [2])),
    Refusal(
      "input 't4' float32[2] must contain one number", suppression([3, 4], [3], threshold: [2]),
      but: suppression([3, 4], [3], overlap: [1], threshold: [1, 1])),
    Refusal(
      "input 't5' float32[2] must contain one number", suppression([3, 4], [3], sigma: .floats([2])),
      but: suppression([3, 4], [3], sigma: .floats())),
    Refusal(
      "sigma must not be negative, got -0.5", suppression([3, 4], [3], sigma: .values([Float(-0.5)], [])),
      but: suppression([3, 4], [3], sigma: .values([Float(0)], [])), code: .invalidInput),
    Refusal(
      "sigma must not be negative, got nan", suppression([3, 4], [3], sigma: .values([Float.nan], [])),
      code: .invalidInput),
  ]

  @Test("unsupported options and shapes", arguments: detections)
  func refusesDetections(refusal: Refusal) { refusal.check() }

  @Test("inconsistent boxes, scores, and thresholds", arguments: suppressions)
  func refusesSuppressions(refusal: Refusal) { refusal.check() }

  @Test("anchors with a negative size", arguments: [true, false])
  func refusesAnchors(isPerClass: Bool) {
    func anchored(_ sizes: (Float, Float)) -> Probe {
      var probe = Self.detection("use_regular_nms", .bool(isPerClass))
      probe.inputs[2] = .values([0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, sizes.0, sizes.1] as [Float], [4, 4])
      return probe
    }
    let words = "anchor 3 has the size"
    Refusal(words, anchored((-0.5, 1)), but: anchored((0, 1)), code: .invalidInput).check()
    Refusal(words, anchored((1, -0.5)), but: anchored((1, 0)), code: .invalidInput).check()
  }
}

/// Checks which side exact threshold values belong to.
@Suite("Thresholds of detection")
struct DetectionThresholdTests {
  /// Box 0 and box 1 share a third of their union; box 2 is elsewhere.
  private static let corners: [Float] = [0, 0, 2, 2, 0, 1, 2, 3, 10, 10, 11, 11]

  private func select(
    scores: [Float] = [0.9, 0.8, 0.7], overlap: Float, threshold: Float = 0, limit: Int32 = 3, sigma: Float? = nil
  ) throws -> (indices: [Int32], scores: [Float], count: Int32) {
    let inputs: [ProbeTensor] = [
      .values(Self.corners, [3, 4]), .values(scores), .scalar(limit), .values([overlap], []), .values([threshold], []),
    ]
    guard let sigma else {
      let results = try Probe(.nonMaxSuppressionV4, inputs, [.of(.int32), .of(.int32)]).run()
      return (try results[0].values(), [], try results[1].values()[0])
    }
    let results = try Probe(
      .nonMaxSuppressionV5, inputs + [.values([sigma], [])], [.of(.int32), .floats(), .of(.int32)]
    ).run()
    return (try results[0].values(), try results[1].values(), try results[2].values()[0])
  }

  @Test("a box with exactly the overlap is suppressed, and a score of exactly the threshold is insufficient")
  func hard() throws {
    // 2 of 6 squares are shared.
    let shared = Float(2) / 6
    #expect(try select(overlap: shared).indices == [0, 2, 0])
    #expect(try select(overlap: shared.nextUp).indices == [0, 1, 2])
    #expect(try select(overlap: 1, threshold: 0.7).count == 2)
    #expect(try select(overlap: 1, threshold: Float(0.7).nextDown).count == 3)
    #expect(try select(overlap: 1, limit: 2).indices == [0, 1])
    #expect(try select(overlap: 1, limit: 0).count == 0)
    #expect(try select(scores: [0.5, 0.5, 0.5], overlap: 1).indices == [0, 1, 2])
    #expect(try select(scores: [0.1, 0.5, 0.5], overlap: 1).indices == [1, 2, 0])
  }

  @Test("soft suppression lowers scores of overlapping boxes by a Gaussian until they are below the threshold")
  func soft() throws {
    let shared = 1.0 / 3, sigma = 0.25
    let lowered = Float(0.8 * exp(-0.5 * shared * shared / sigma))
    let result = try select(overlap: 1, sigma: Float(sigma))
    #expect(result.count == 3)
    // 0.8 × exp(-2/9) = 0.64 ranks after 0.7.
    #expect(result.indices == [0, 2, 1])
    #expect(abs(result.scores[2] - lowered) < 1e-6)
    #expect(result.scores.prefix(2) == [0.9, 0.7])
    #expect(try select(overlap: 1, threshold: lowered + 1e-4, sigma: Float(sigma)).count == 2)
    #expect(try select(overlap: 1, threshold: lowered - 1e-4, sigma: Float(sigma)).count == 3)
    // Boxes that overlap by at least the limit are suppressed, soft or not.
    #expect(try select(overlap: Float(shared) - 1e-6, sigma: Float(sigma)).indices == [0, 2, 0])
    #expect(try select(overlap: 1, limit: 2, sigma: Float(sigma)).indices == [0, 2])
    let plain = try select(overlap: 1, sigma: 0)
    #expect(plain.indices == [0, 1, 2] && plain.scores == [0.9, 0.8, 0.7])
  }

  @Test("a score of exactly the threshold and a box with exactly the overlap are accepted", arguments: [true, false])
  func detection(isPerClass: Bool) throws {
    func count(score: Float, overlap: Float) throws -> Float {
      let options: [String: FlexMap.Value] = [
        "max_detections": .int(3), "max_classes_per_detection": .int(1), "num_classes": .int(1),
        "nms_score_threshold": .float(score), "nms_iou_threshold": .float(overlap), "y_scale": .float(1),
        "x_scale": .float(1), "h_scale": .float(1), "w_scale": .float(1), "use_regular_nms": .bool(isPerClass),
      ]
      // The boxes of `corners` as centers and sizes.
      let anchors: [Float] = [1, 1, 2, 2, 1, 2, 2, 2, 10.5, 10.5, 1, 1]
      let probe = Probe(
        custom: "TFLite_Detection_PostProcess",
        [.floats([1, 3, 4]), .values([0.9, 0.8, 0.5] as [Float], [1, 3, 1]), .constant(anchors, [3, 4])],
        [.floats(), .floats(), .floats(), .floats()], FlexMap.bytes(options))
      return try probe.run()[3].values(as: Float.self)[0]
    }
    #expect(try count(score: 0.5, overlap: 1) == 3)
    #expect(try count(score: Float(0.5).nextUp, overlap: 1) == 2)
    #expect(try count(score: 0.5, overlap: Float(2) / 6) == 3)
    #expect(try count(score: 0.5, overlap: (Float(2) / 6).nextDown) == 2)
  }

  @Test("a class has at most 100 detections, unless options say otherwise", arguments: [nil, 7, 120] as [Int32?])
  func detectionsPerClass(count: Int32?) throws {
    var options: [String: FlexMap.Value] = [
      "max_detections": .int(150), "max_classes_per_detection": .int(1), "num_classes": .int(1),
      "nms_score_threshold": .float(0.1), "nms_iou_threshold": .float(0.5), "y_scale": .float(1), "x_scale": .float(1),
      "h_scale": .float(1), "w_scale": .float(1), "use_regular_nms": .bool(true),
    ]
    if let count { options["detections_per_class"] = .int(count) }
    // Boxes side by side.
    let anchors: [Float] = (0..<140).flatMap { index -> [Float] in [0, Float(2 * index), 1, 1] }
    let scores: [Float] = (0..<140).map { 0.9 - Float($0) / 1000 }
    let results = try Probe(
      custom: "TFLite_Detection_PostProcess",
      [.floats([1, 140, 4]), .values(scores, [1, 140, 1]), .constant(anchors, [140, 4])],
      [.floats(), .floats(), .floats(), .floats()], FlexMap.bytes(options)
    ).run()
    #expect(try results[3].values() == [Float(count ?? 100)])
    #expect(results[0].shape == [1, 150, 4] && results[2].shape == [1, 150])
  }

  @Test("the overlap of boxes is their intersection, which is empty for boxes without area and for separate boxes")
  func overlaps() {
    func box(_ minY: Float, _ minX: Float, _ maxY: Float, _ maxX: Float) -> CornerBox {
      CornerBox(minY: minY, minX: minX, maxY: maxY, maxX: maxX)
    }
    let base = box(0, 0, 2, 4)
    #expect(base.area == 8)
    #expect(base.intersectionOverUnion(with: base) == 1)
    #expect(base.intersectionOverUnion(with: box(1, 2, 3, 8)) == 2.0 / 18)
    #expect(base.intersectionOverUnion(with: box(2, 0, 3, 4)) == 0)
    #expect(base.intersectionOverUnion(with: box(3, 5, 4, 6)) == 0)
    #expect(base.intersectionOverUnion(with: box(1, 1, 1, 3)) == 0)
    #expect(box(1, 1, 1, 3).intersectionOverUnion(with: base) == 0)
    #expect(base.intersectionOverUnion(with: box(1, 3, 2, 1)) == 0)
    #expect(CornerBox(corner: 3, 1, and: 2, 5) == box(2, 1, 3, 5))
    #expect(CornerBox(corner: 2, 5, and: 3, 1) == box(2, 1, 3, 5))
  }

  @Test("more classes than a selection supports are rejected")
  func refusesManyClasses() {
    func detection(_ classes: Int) -> Probe {
      let options: [String: FlexMap.Value] = [
        "max_detections": .int(1 << 10), "max_classes_per_detection": .int(1), "num_classes": .int(Int32(classes)),
        "detections_per_class": .int(1 << 10), "nms_score_threshold": .float(0.5), "nms_iou_threshold": .float(0.5),
        "y_scale": .float(1), "x_scale": .float(1), "h_scale": .float(1), "w_scale": .float(1),
        "use_regular_nms": .bool(true),
      ]
      return Probe(
        custom: "TFLite_Detection_PostProcess",
        [
          .of(.uint8, [1, 1 << 10, 4], scale: 1), .of(.uint8, [1, 1 << 10, classes], scale: 1),
          .of(.uint8, [1 << 10, 4], scale: 1),
        ],
        [.floats(), .floats(), .floats(), .floats()], FlexMap.bytes(options))
    }
    Refusal(
      "2097152 classes of 1024 detections are too many", detection(1 << 21), code: .limitExceeded, isUnread: true
    ).check()
  }
}
