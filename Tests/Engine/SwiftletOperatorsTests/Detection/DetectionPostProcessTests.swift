import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Boxes that decode to themselves: centers and sizes equal the anchors', and all encodings are 0.
private struct Scene {
  var anchors: [Float]
  var scores: [Float]
  var columns: Int
  var options: [String: FlexMap.Value] = [
    "max_detections": .int(3), "max_classes_per_detection": .int(1), "num_classes": .int(1),
    "nms_score_threshold": .float(0.2), "nms_iou_threshold": .float(0.5), "y_scale": .float(10),
    "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
  ]

  func run(encodings: [Float]? = nil, threads: Int = 1) throws -> [[Float]] {
    let count = anchors.count / 4
    var graph = TestGraph()
    let boxes = graph.input(.float32, [1, count, 4])
    let classes = graph.input(.float32, [1, count, columns])
    let constant = graph.constant(anchors, shape: [count, 4])
    let results = (0..<4).map { _ in graph.output(.float32, []) }
    graph.add(
      custom: "TFLite_Detection_PostProcess", [boxes, classes, constant], results, options: FlexMap.bytes(options))
    let session = try graph.session(options: RuntimeOptions(threads: threads))
    return try session.run([
      Tensor(encodings ?? Array(repeating: 0, count: 4 * count), shape: [1, count, 4]),
      Tensor(scores, shape: [1, count, columns]),
    ]).map { try $0.values() }
  }
}

@Suite("TFLite_Detection_PostProcess")
struct DetectionPostProcessTests {
  /// Two boxes that nearly coincide, and one elsewhere.
  private let pair = Scene(
    anchors: [0.5, 0.5, 0.2, 0.4, 0.51, 0.5, 0.2, 0.4, 0.1, 0.1, 0.1, 0.1], scores: [0.6, 0.9, 0.3], columns: 1)

  @Test("keeps the best of overlapping boxes, and fills the rest with zeros")
  func suppresses() throws {
    let result = try pair.run()
    #expect(result[3] == [2])
    #expect(result[2] == [0.9, 0.3, 0])
    #expect(result[1] == [0, 0, 0])
    let expected: [Float] = [0.41, 0.3, 0.61, 0.7, 0.05, 0.05, 0.15, 0.15, 0, 0, 0, 0]
    #expect(zip(result[0], expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("decodes offsets in units of the anchor and sizes as exponents")
  func decodes() throws {
    var scene = pair
    scene.anchors = [0.5, 0.4, 0.2, 0.1]
    scene.scores = [1]
    let box = try scene.run(encodings: [1, -2, 0, 5])[0].prefix(4)
    // Center (0.5 + 0.1 × 0.2, 0.4 - 0.2 × 0.1), half size (0.1, 0.05 e).
    let expected: [Float] = [0.42, 0.38 - 0.135_914_1, 0.62, 0.38 + 0.135_914_1]
    #expect(zip(box, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("omits the background class and numbers classes from 0", arguments: [false, true])
  func skipsBackground(perClass: Bool) throws {
    var scene = pair
    scene.columns = 3
    scene.scores = [0.9, 0.1, 0.4, 0.9, 0.5, 0.3, 0.9, 0.0, 0.0]
    scene.options["num_classes"] = .int(2)
    scene.options["use_regular_nms"] = .bool(perClass)
    let result = try scene.run()
    #expect(result[1] == (perClass ? [0, 1, 0] : [0, 0, 0]))
    #expect(result[2] == (perClass ? [0.5, 0.4, 0] : [0.5, 0, 0]))
    #expect(result[3] == [perClass ? 2 : 1])
  }

  @Test("reports several classes per box")
  func reportsSeveralClasses() throws {
    var scene = pair
    scene.columns = 3
    scene.scores = [0.5, 0.9, 0.5, 0.1, 0.2, 0.3, 0, 0, 0]
    scene.options["num_classes"] = .int(3)
    scene.options["max_classes_per_detection"] = .int(2)
    let result = try scene.run()
    #expect(result[1] == [1, 0, 0, 0, 0, 0])
    #expect(result[2] == [0.9, 0.5, 0, 0, 0, 0])
    #expect(Array(result[0].prefix(4)) == Array(result[0].dropFirst(4).prefix(4)))
    #expect(result[3] == [1])
  }

  @Test("prefers earlier boxes and classes among equal scores")
  func breaksTies() throws {
    var scene = pair
    scene.anchors = [0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.5, 0.5, 0.1, 0.1]
    scene.columns = 2
    scene.scores = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    scene.options["num_classes"] = .int(2)
    #expect(try scene.run()[0][0] > 0.8)
    #expect(try scene.run()[1] == [0, 0, 0])
    scene.options["use_regular_nms"] = .bool(true)
    scene.options["detections_per_class"] = .int(2)
    let result = try scene.run()
    #expect(result[1] == [0, 0, 1])
    #expect(result[0][0] > 0.8)
  }

  @Test("finds nothing without boxes, or if no score reaches the threshold")
  func findsNothing() throws {
    var scene = pair
    scene.scores = [0.1, 0.1, .nan]
    #expect(try scene.run()[3] == [0])
    scene.options["use_regular_nms"] = .bool(true)
    #expect(try scene.run()[3] == [0])
    #expect(try Scene(anchors: [], scores: [], columns: 1, options: pair.options).run()[2] == [0, 0, 0])
  }

  @Test("survives boxes of any size", arguments: [Float.infinity, -.infinity, .nan, 1e30, -1e30])
  func survivesAnyBox(value: Float) throws {
    let result = try pair.run(encodings: Array(repeating: value, count: 12))
    #expect((0...3).contains(result[3][0]))
  }

  @Test("gives the same bytes for every thread count", arguments: [false, true])
  func isDeterministic(perClass: Bool) throws {
    var generator = SplitMix64(state: 7)
    let count = 3000
    var scene = pair
    scene.columns = 4
    scene.anchors = (0..<(4 * count)).map { _ in Float.random(in: 0.05...0.9, using: &generator) }
    scene.scores = (0..<(4 * count)).map { _ in Float(Int.random(in: 0...9, using: &generator)) / 10 }
    scene.options["num_classes"] = .int(4)
    scene.options["max_detections"] = .int(50)
    scene.options["use_regular_nms"] = .bool(perClass)
    #expect(try scene.run(threads: 3) == scene.run())
  }

  @Test("rejects an anchor of negative size")
  func refusesNegativeAnchor() {
    var scene = pair
    scene.anchors[2] = -0.2
    #expect(throws: RuntimeError.self) { try scene.run() }
  }

  @Test(
    "rejects invalid options",
    arguments: [
      ("max_detections", FlexMap.Value.int(-1)), ("max_classes_per_detection", .int(0)), ("num_classes", .int(0)),
      ("num_classes", .int(3)), ("nms_iou_threshold", .float(0)), ("nms_iou_threshold", .float(1.5)),
      ("nms_iou_threshold", .float(.nan)), ("y_scale", .float(0)), ("h_scale", .float(.nan)),
      ("detections_per_class", .int(0)), ("max_detections", .int(.max)),
    ])
  func refusesOptions(key: String, value: FlexMap.Value) {
    var scene = pair
    scene.options[key] = value
    #expect(throws: RuntimeError.self) { try scene.run() }
  }

  @Test("rejects options that are not a FlexBuffer")
  func refusesGarbage() {
    var graph = TestGraph()
    let boxes = graph.input(.float32, [1, 1, 4])
    let classes = graph.input(.float32, [1, 1, 1])
    let constant = graph.constant([Float](repeating: 1, count: 4), shape: [1, 4])
    let results = (0..<4).map { _ in graph.output(.float32, []) }
    graph.add(
      custom: "TFLite_Detection_PostProcess", [boxes, classes, constant], results, options: [1, 2, 3, 0xFF, 0xFF])
    #expect(throws: (any Error).self) { try graph.session() }
  }
}
