import Foundation
import SwiftletImage
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// Checks detectors with the four outputs boxes, classes, scores, and count.
@Suite("Postprocessed object detections")
struct PostprocessedOutputTests {
  /// Two boxes as top, left, bottom, and right, with their classes and scores.
  private static let outputs: [(values: [Float], shape: [Int])] = [
    ([0.125, 0.25, 0.5, 0.75, 0.5, 0.25, 0.75, 0.5], [1, 2, 4]), ([3, 7], [1, 2]), ([0.75, 0.5], [1, 2]), ([2], [1]),
  ]

  private func detect(
    _ model: GivingModel, _ change: (inout ObjectDetectorOptions) -> Void = { _ in }
  ) throws -> [ObjectDetection] {
    var options = ObjectDetectorOptions(baseOptions: model.base)
    change(&options)
    return try ObjectDetector(options: options).objects(in: GivingModel.image())
  }

  private func frames(_ model: GivingModel) throws -> [PixelRect] { try detect(model).map(\.box) }

  private func error(_ model: GivingModel) -> TaskError? { thrownError { try detect(model) } }

  private static let first = PixelRect(x: 64, y: 16, width: 128, height: 48)
  private static let second = PixelRect(x: 64, y: 64, width: 64, height: 32)

  // MARK: Output order

  @Test("without metadata and operator, the outputs are boxes, classes, scores, and count in image pixels")
  func order() throws {
    let found = try detect(GivingModel(Self.outputs))
    #expect(found.map(\.box) == [Self.first, Self.second] && found.allSatisfy { $0.keypoints.isEmpty })
    #expect(
      found.map(\.categories) == [[ResultCategory(index: 3, score: 0.75)], [ResultCategory(index: 7, score: 0.5)]])
  }

  /// Returns the outputs in another order, each with a name.
  private func named(_ names: [String]) -> GivingModel {
    let order = [2, 0, 3, 1]
    var described: [[Int: FlatValue]] = names.map { [0: .string($0)] }
    described[1][3] = GivingModel.boxes()
    return GivingModel(order.map { Self.outputs[$0] }, described: described)
  }

  @Test("four names in the metadata identify the outputs")
  func names() throws {
    let model = named(["score", "location", "number of detections", "category"])
    #expect(try detect(model) == detect(GivingModel(Self.outputs)))
  }

  @Test("three names are ignored", arguments: 0..<4)
  func otherNames(index: Int) throws {
    var names = ["score", "location", "number of detections", "category"]
    names[index] += "s"
    var model = named(names)
    // Output 0, which now counts as boxes, has box metadata.
    model.described?[0][3] = GivingModel.boxes()
    #expect(try detect(model) != detect(GivingModel(Self.outputs)))
  }

  @Test("names after the fourth output are ignored")
  func farNames() throws {
    var model = GivingModel(Self.outputs)
    model.described = [[3: GivingModel.boxes()], [:], [:], [:]]
    model.described? += ["location", "category", "score", "number of detections"].map { [0: .string($0)] }
    #expect(try frames(model) == [Self.first, Self.second])
  }

  /// Returns a graph whose detection operator returns boxes, classes, scores, and count, in the order of `outputs`.
  private func operatorModel(_ order: [Int], options: [String: FlexMap.Value] = [:], metadata: [UInt8]? = nil)
    -> [UInt8]
  {
    var graph = TestGraph()
    let image = graph.input(.float32, [1, 1, 1, 3])
    let flat = graph.tensor(.float32, [3])
    graph.add(.reshape, [image, graph.constant([Int32(3)])], [flat])
    let one = graph.tensor(.float32, [1])
    graph.add(.slice, [flat, graph.constant([Int32(0)]), graph.constant([Int32(1)])], [one])
    let zero = graph.tensor(.float32, [1])
    graph.add(.mul, [one, graph.constant([Float(0)])], [zero], options: MulOptions.empty)
    let (boxes, scores) = (graph.tensor(.float32, [1, 2, 4]), graph.tensor(.float32, [1, 2, 3]))
    graph.add(
      .add, [graph.constant([Float](repeating: 0, count: 8), shape: [1, 2, 4]), zero], [boxes],
      options: AddOptions.empty)
    // The background and two classes.
    graph.add(
      .add, [graph.constant([Float(0), 0.25, 0.75, 0, 0.625, 0.5], shape: [1, 2, 3]), zero], [scores],
      options: AddOptions.empty)
    // Centers and sizes, y first.
    let anchors = graph.constant([Float(0.25), 0.5, 0.5, 0.25, 0.75, 0.25, 0.25, 0.5], shape: [2, 4])
    let results = (0..<4).map { _ in graph.tensor(.float32, []) }
    var all: [String: FlexMap.Value] = [
      "max_detections": .int(2), "max_classes_per_detection": .int(1), "num_classes": .int(2),
      "nms_score_threshold": .float(0.1), "nms_iou_threshold": .float(0.5), "y_scale": .float(10),
      "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
    ]
    all.merge(options) { $1 }
    graph.add(custom: "TFLite_Detection_PostProcess", [boxes, scores, anchors], results, options: FlexMap.bytes(all))
    for index in order { graph.addOutput(results[index]) }
    return TestGraph.bytes([graph], metadata: metadata)
  }

  private func detect(operatorModel bytes: [UInt8]) throws -> [ObjectDetection] {
    let base = BaseOptions(
      model: .bytes(bytes), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1]))
    return try ObjectDetector(options: ObjectDetectorOptions(baseOptions: base)).objects(in: GivingModel.image())
  }

  @Test(
    "without metadata, the detection operator identifies the outputs",
    arguments: [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1]])
  func operatorOrder(order: [Int]) throws {
    let found = try detect(operatorModel: operatorModel(order))
    #expect(
      found.map(\.box) == [
        PixelRect(x: 96, y: 0, width: 64, height: 64), PixelRect(x: 0, y: 80, width: 128, height: 32),
      ])
    #expect(found.map(\.categories) == [[.init(index: 1, score: 0.75)], [.init(index: 0, score: 0.625)]])
  }

  @Test("boxes of the detection operator need no description; others do")
  func undescribedBoxes() throws {
    let outputs = FlatValue.tables((0..<4).map { _ in [:] })
    let metadata = FlatValue.file(
      root: [3: .tables([[2: .tables([[0: .string("image")]]), 3: outputs]])], identifier: "M001")
    #expect(try detect(operatorModel: operatorModel([0, 1, 2, 3], metadata: metadata)).count == 2)
    let error = error(GivingModel(Self.outputs, described: [[:], [:], [:], [:]]))
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message == "the model's metadata does not describe the boxes of output 0 (BoundingBoxProperties)")
    // Metadata without outputs describes nothing.
    #expect(try frames(GivingModel(Self.outputs, described: [])) == [Self.first, Self.second])
  }

  @Test("the operator's options set the number of classes per box")
  func operatorClasses() throws {
    let found = try detect(operatorModel: operatorModel([0, 1, 2, 3], options: ["max_classes_per_detection": .int(2)]))
    #expect(found.map { $0.categories.map(\.index) } == [[1, 0], [0, 1]])
    #expect(found.map { $0.categories.map(\.score) } == [[0.75, 0.25], [0.625, 0.5]])
  }

  // MARK: Boxes

  private func sides(_ content: FlatValue) -> GivingModel {
    GivingModel(Self.outputs, described: [[3: content], [:], [:], [:]])
  }

  @Test(
    "metadata orders the sides: left, top, right, bottom, unless it says otherwise",
    arguments: [
      // The box 0.5, 0.25, 0.75, and 0.5 in this order.
      ([1, 0, 3, 2], PixelRect(x: 64, y: 64, width: 64, height: 32)),
      ([0, 1, 2, 3], PixelRect(x: 128, y: 32, width: 64, height: 32)),
      ([], PixelRect(x: 128, y: 32, width: 64, height: 32)), (nil, PixelRect(x: 128, y: 32, width: 64, height: 32)),
      ([1, 0, 2, 3], PixelRect(x: 64, y: 64, width: 128, height: 0)),
      ([1, 3, 0, 2], PixelRect(x: 64, y: 64, width: 64, height: 32)),
    ] as [([Int32]?, PixelRect)])
  func sideOrder(index: [Int32]?, expected: PixelRect) throws {
    #expect(try frames(sides(GivingModel.boxes(index: index))).last == expected)
  }

  @Test(
    "boxes of another kind or unit, and invalid orders, are rejected",
    arguments: [
      (GivingModel.boxes(kind: 2), "the model's boxes are upperLeft in ratio units"),
      (GivingModel.boxes(kind: 3), "the model's boxes are center in ratio units"),
      (GivingModel.boxes(coordinates: 1), "the model's boxes are boundaries in pixel units"),
      (GivingModel.boxes(index: [0, 1, 2]), "orders the sides of a box as [0, 1, 2], expected each of 0 to 3 once"),
      (GivingModel.boxes(index: [0, 1, 2, 2]), "as [0, 1, 2, 2]"),
      (GivingModel.boxes(index: [1, 2, 3, 4]), "as [1, 2, 3, 4]"),
      (GivingModel.boxes(index: [0, 1, 2, 3, 3]), "as [0, 1, 2, 3, 3]"),
    ])
  func otherBoxes(content: FlatValue, message: String) {
    let error = error(sides(content))
    #expect(error?.code == .invalidModel && error?.message.contains(message) == true, "\(String(describing: error))")
  }

  @Test("invalid boxes are dropped, and empty ones are kept")
  func undefinedBoxes() throws {
    var model = GivingModel(Self.outputs)
    for (side, value, count) in [
      (0, Float.nan, 1), (1, .infinity, 1), (2, 0.1249, 1), (3, 0.2499, 1), (2, 0.125, 2), (3, 0.25, 2),
    ] {
      model.outputs[0].values = Self.outputs[0].values
      model.outputs[0].values[side] = value
      #expect(try detect(model).count == count, "\(side) \(value)")
    }
  }

  // MARK: Counts

  @Test(
    "the declared number of boxes is read, truncated to an integer, and limited to the existing boxes",
    arguments: [
      (-1, 0), (0, 0), (0.9, 0), (1, 1), (1.9, 1), (2, 2), (3, 2), (.infinity, 2), (-.infinity, 0), (.nan, 0),
    ]
      as [(Float, Int)])
  func announced(number: Float, expected: Int) throws {
    var model = GivingModel(Self.outputs)
    model.outputs[3].values = [number]
    #expect(try detect(model).count == expected)
  }

  @Test("the shortest of boxes, classes, and scores determines the end", arguments: [0, 1, 2])
  func shortest(output: Int) throws {
    var model = GivingModel(Self.outputs)
    model.outputs[output] = (
      Array(Self.outputs[output].values.prefix(output == 0 ? 7 : 1)), output == 0 ? [7] : [1, 1]
    )
    #expect(try detect(model).map(\.box) == [Self.first])
  }

  // MARK: Several classes per box

  private func decode(
    _ outputs: [(values: [Float], shape: [Int])], classesPerBox: Int, _ change: (inout ObjectDetectorOptions) -> Void
  ) throws -> DetectionList {
    let base = GivingModel(outputs).base
    var options = ObjectDetectorOptions(baseOptions: base)
    change(&options)
    let names = try LabelMap(labels: ["a", "b", "c", "d", "e"], displayNames: nil)
    let decoder = PostprocessedOutputDecoder(
      outputs: .init(boxes: 0, classes: 1, scores: 2, count: 3), boxOrder: .topLeftBottomRight,
      classesPerBox: classesPerBox, calibrator: nil,
      filter: try CategoryFilter(
        allow: options.categoryAllowlist, deny: options.categoryDenylist, labels: names), options: options)
    let model = try VisionModel(ModelContext(base), input: .stretched)
    _ = try model.run(GivingModel.image())
    var list = DetectionList()
    list.append(RelativeBox(x: 9, y: 9, width: 9, height: 9))
    try decoder.decode(model, into: &list)
    return list
  }

  /// Returns three rows per box; the box comes from the first row.
  private static func rows(_ count: Float, of rows: Int = 6) -> [(values: [Float], shape: [Int])] {
    let boxes: [Float] = (0..<rows).flatMap { [0, Float($0) / 8, 1, 1] as [Float] }
    return [
      (boxes, [1, rows, 4]), ([Float]([0, 1, 2, 3, 4, 0].prefix(rows)), [1, rows]),
      ([Float]([0.9, 0.5, 0.25, 0.75, 0.5, 0.25].prefix(rows)), [1, rows]), ([count], [1]),
    ]
  }

  private func classes(_ list: DetectionList) -> [[Int]] { list.boxes.indices.map { list.classes($0).map(\.index) } }

  @Test(
    "rows of several classes belong to the box of the first; boxes are counted, not rows",
    arguments: [
      (0, 6, []), (1, 6, [[0, 1, 2]]), (1.9, 6, [[0, 1, 2]]), (2, 6, [[0, 1, 2], [3, 4, 0]]),
      (3, 6, [[0, 1, 2], [3, 4, 0]]), (.infinity, 6, [[0, 1, 2], [3, 4, 0]]),
      // Outputs that end within a box.
      (2, 5, [[0, 1, 2], [3, 4]]), (1, 5, [[0, 1, 2]]), (2, 4, [[0, 1, 2], [3]]), (2, 3, [[0, 1, 2]]),
      (2, 2, [[0, 1]]),
    ] as [(Float, Int, [[Int]])])
  func severalClasses(count: Float, rows: Int, expected: [[Int]]) throws {
    let list = try decode(Self.rows(count, of: rows), classesPerBox: 3) { _ in }
    #expect(classes(list) == expected)
    #expect(list.boxes.map(\.x) == Array([Float(0), 0.375].prefix(expected.count)))
  }

  @Test("more classes per box than rows leave one box")
  func manyClasses() throws {
    #expect(classes(try decode(Self.rows(2), classesPerBox: .max) { _ in }) == [[0, 1, 2, 3, 4, 0]])
    #expect(classes(try decode(Self.rows(2), classesPerBox: 7) { _ in }) == [[0, 1, 2, 3, 4, 0]])
  }

  @Test("a box without a passing class is dropped, and does not count for maxResults")
  func filtered() throws {
    func found(_ change: (inout ObjectDetectorOptions) -> Void) throws -> [[Int]] {
      classes(try decode(Self.rows(6), classesPerBox: 3, change))
    }
    #expect(try found { $0.scoreThreshold = 0.5 } == [[0, 1], [3, 4]])
    #expect(try found { $0.scoreThreshold = 0.8 } == [[0]])
    #expect(try found { ($0.categoryAllowlist, $0.maxResults) = (["d", "e"], 1) } == [[3, 4]])
    #expect(try found { $0.maxResults = 1 } == [[0, 1, 2]] && found { $0.maxResults = 2 }.count == 2)
    #expect(try found { $0.categoryDenylist = ["a", "b"] } == [[2], [3, 4]])
  }

  @Test("a NaN class is dropped, and the other classes of its box are kept")
  func undefinedClasses() throws {
    var outputs = Self.rows(6)
    outputs[1].values = [.nan, 1.9, 1e9, -.infinity, -1, 1e30]
    #expect(classes(try decode(outputs, classesPerBox: 3) { _ in }) == [[1], [-1]])
    outputs[1].values[2] = 9e8
    #expect(classes(try decode(outputs, classesPerBox: 3) { _ in })[0] == [1, 900_000_000])
    outputs[2].values = [1, .nan, 1, 1, 1, 1]
    #expect(classes(try decode(outputs, classesPerBox: 3) { _ in })[0] == [900_000_000])
  }

  // MARK: Names

  @Test("labels come from the class output, and indices are unchanged")
  func labels() throws {
    var described: [[Int: FlatValue]] = [[3: GivingModel.boxes()], [:], [:], [:]]
    described[1][6] = .tables([
      [0: .string("labels.txt"), 2: .byte(3)], [0: .string("de.txt"), 2: .byte(3), 3: .string("de")],
      [0: .string("axis.txt"), 2: .byte(2)],
    ])
    var model = GivingModel(Self.outputs, described: described)
    model.files = [("labels.txt", "a\nb\nc\nd\n"), ("de.txt", "A\nB\nC\nD\n"), ("axis.txt", "w\nx\ny\nz\n")]
    let found = try detect(model) { $0.displayNamesLocale = "de" }
    #expect(
      found.map(\.categories) == [
        [ResultCategory(index: 3, score: 0.75, categoryName: "d", displayName: "D")],
        [ResultCategory(index: 7, score: 0.5)],
      ])
    let detector = try ObjectDetector(options: ObjectDetectorOptions(baseOptions: model.base))
    #expect(detector.categoryNames == ["a", "b", "c", "d"])
    #expect(try ObjectDetector(options: .init(baseOptions: GivingModel(Self.outputs).base)).categoryNames.isEmpty)
    // If outputs have names, the class output can be at any position.
    var other = model
    other.described = [[3: GivingModel.boxes()], [:], [:], described[1].merging([0: .string("category")]) { $1 }]
    #expect(try ObjectDetector(options: .init(baseOptions: other.base)).categoryNames == ["a", "b", "c", "d"])
  }

  @Test("equal boxes are one object with several classes, and adjacent boxes are other objects")
  func twins() throws {
    var model = GivingModel(Self.outputs)
    model.outputs[0].values = [0.125, 0.25, 0.5, 0.75, 0.125, 0.25, 0.5, 0.75]
    let found = try detect(model)
    #expect(found.map(\.box) == [Self.first])
    #expect(found.first?.categories.map(\.index) == [3, 7])
    for side in 4..<8 {
      var moved = model
      moved.outputs[0].values[side] += 0.0625
      #expect(try detect(moved).count == 2, "\(side)")
    }
  }

  @Test("scores are calibrated by the class in the row")
  func calibration() throws {
    var described: [[Int: FlatValue]] = [[3: GivingModel.boxes()], [:], [:], [:]]
    described[2][4] = .tables([[0: .byte(2), 1: .table([0: .byte(0), 1: .float(0.125)])]])
    described[2][6] = .tables([[0: .string("scores.txt"), 2: .byte(4)]])
    var model = GivingModel(Self.outputs, described: described)
    model.files = [("scores.txt", "\n\n\n1,0,0\n\n\n\n0.5,0,0\n")]
    #expect(try detect(model).map { $0.categories[0].score } == [0.5, 0.25])
  }

  @Test("other numbers of outputs are rejected, with the actual outputs", arguments: [1, 3, 5])
  func otherOutputs(count: Int) {
    let error = error(GivingModel((0..<count).map { Self.outputs[$0 % 4] }))
    #expect(error?.code == .invalidModel)
    #expect(
      error?.message.contains(
        "has 4 outputs (boxes, classes, scores, count) or 2 (raw boxes and scores), this one has \(count): ") == true)
  }
}
