import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletGolden

@Suite("Model traits")
struct ModelTraitsTests {
  /// Returns an entry of a manifest without cases.
  private func golden(_ fields: String = "") throws -> GoldenModel {
    try JSONDecoder().decode(GoldenModel.self, from: Data(#"{"model":"m","cases":[]\#(fields)}"#.utf8))
  }

  private func traits(_ graphs: TestGraph..., golden fields: String = "") throws -> ModelTraits {
    ModelTraits(try Model(bytes: TestGraph.bytes(graphs)), try golden(fields))
  }

  @Test("the step of a dequantized output is the largest of its scales")
  func quantizationSteps() throws {
    var graph = TestGraph()
    let float = graph.input(.float32, [2])
    let codes = graph.input(.int8, [2], scale: 0.25)
    let channels = graph.input(.int8, [2])
    graph.quantize(channels, QuantizationParameters(scales: [0.5, 2], zeroPoints: [0, 0], axis: 0))
    let plain = graph.output(.float32, [2])
    graph.add(.abs, [float], [plain])
    let one = graph.output(.float32, [2]), other = graph.output(.float32, [2])
    graph.add(.dequantize, [codes], [one])
    graph.add(.dequantize, [channels], [other])
    let inner = graph.tensor(.float32, [2])
    graph.add(.dequantize, [codes], [inner])
    let traits = try traits(graph)
    #expect(traits.quantizationSteps == [1: 0.25, 2: 2] && traits.arithmetic == .integer && traits.detection == nil)
  }

  @Test("a model uses integer arithmetic if it has a quantized input or output with few bits")
  func arithmetic() throws {
    func arithmetic(_ type: ElementType, scale: Float?, isInput: Bool = true) throws -> Comparison.Arithmetic {
      var graph = TestGraph()
      let input = graph.input(isInput ? type : .float32, [1], scale: isInput ? scale : nil)
      graph.add(
        custom: "Any", [input, nil], [graph.output(isInput ? .float32 : type, [1], scale: isInput ? nil : scale)])
      return try traits(graph).arithmetic
    }
    for type in [ElementType.int8, .uint8, .int16, .int4] {
      #expect(try arithmetic(type, scale: 0.5) == .integer && arithmetic(type, scale: nil) == .float, "\(type)")
      #expect(try arithmetic(type, scale: 0.5, isInput: false) == .integer, "\(type)")
    }
    #expect(try arithmetic(.int32, scale: 0.5) == .float && arithmetic(.float32, scale: nil) == .float)
    var hybrid = TestGraph()
    let weights = hybrid.constant([Int8(1), 2], scale: 0.5)
    hybrid.add(.abs, [weights], [hybrid.output(.int8, [2])])
    #expect(try traits(TestGraph.binary(.add), hybrid).arithmetic == .integer, "also in another subgraph")
    #expect(try traits(hybrid, golden: #","arithmetic":"float""#).arithmetic == .float)
    #expect(try traits(TestGraph.binary(.add), golden: #","arithmetic":"hybrid""#).arithmetic == .integer)
    #expect(try traits(TestGraph.binary(.add), golden: #","arithmetic":"integer""#).arithmetic == .integer)
  }

  private func detector(
    _ order: [Int] = [0, 1, 2, 3], options: [String: FlexMap.Value] = [:],
    name: String = "TFLite_Detection_PostProcess",
    outputs: Int = 4
  ) -> TestGraph {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    let made = (0..<outputs).map { _ in graph.tensor(.float32, [1]) }
    for index in order { graph.addOutput(made[index]) }
    graph.add(custom: name, [input], made, options: FlexMap.bytes(options))
    return graph
  }

  @Test("outputs of a detection operator are identified in the model")
  func detections() throws {
    #expect(
      try traits(detector()).detection == DetectionOutputs(boxes: 0, classes: 1, scores: 2, count: 3, rowsPerBox: 1))
    #expect(
      try traits(detector([3, 0, 2, 1])).detection
        == DetectionOutputs(boxes: 1, classes: 3, scores: 2, count: 0, rowsPerBox: 1))
    #expect(try traits(detector([0, 1, 2])).detection == nil && traits(detector(name: "Other")).detection == nil)
    #expect(try traits(detector([0, 1, 2, 3, 4], outputs: 5)).detection == nil)
  }

  @Test("each box has rows for several classes, unless classes are suppressed separately")
  func rowsPerBox() throws {
    func rows(_ options: [String: FlexMap.Value]) throws -> Int? {
      try traits(detector(options: options)).detection?.rowsPerBox
    }
    #expect(try rows(["max_classes_per_detection": .int(3)]) == 3)
    #expect(try rows(["max_classes_per_detection": .int(3), "use_regular_nms": .bool(false)]) == 3)
    #expect(try rows(["max_classes_per_detection": .int(3), "use_regular_nms": .bool(true)]) == 1)
    #expect(try rows(["max_classes_per_detection": .int(0)]) == 1 && rows([:]) == 1)
  }

  @Test("the entry point determines the graph and the outputs")
  func signatures() throws {
    var main = TestGraph.binary(.add)
    main.addSignature("main", inputs: [], outputs: [(name: "o", tensor: 2)])
    var other = TestGraph()
    let codes = other.input(.int8, [1], scale: 0.25)
    let first = other.output(.float32, [1]), second = other.output(.float32, [1])
    other.add(.dequantize, [codes], [first])
    other.add(.dequantize, [codes], [second])
    other.addSignature("other", inputs: [], outputs: [(name: "b", tensor: second)])
    #expect(try traits(main, other).quantizationSteps == [:])
    #expect(try traits(main, other, golden: #","signature":"main""#).quantizationSteps == [:])
    #expect(try traits(main, other, golden: #","signature":"other""#).quantizationSteps == [0: 0.25])
    #expect(try traits(other, main).quantizationSteps == [0: 0.25, 1: 0.25])
  }

  // MARK: Runner

  /// Returns a suite of one model that adds `[1, 2]` and another vector of two.
  private func suite(
    _ folder: TemporaryFolder, cases: String, model: [UInt8]? = nil, more: String = ""
  ) throws -> GoldenSuite {
    try folder.write(model ?? SmallModels.sum, to: "models/m.tflite")
    let text = #"{"format":1,"models":[{"model":"m.tflite","cases":[\#(cases)]\#(more)}]}"#
    return try GoldenSuite(manifestPath: folder.write(Array(text.utf8), to: "golden/manifest.json"))
  }

  private func tensor(_ name: String, _ shape: String, offset: Int, bytes: Int = 8, index: Int = 0) -> String {
    #"{"index":\#(index),"name":"\#(name)","dtype":"float32","shape":\#(shape),"offset":\#(offset),"bytes":\#(bytes)}"#
  }

  private func write(_ values: [Float], _ folder: TemporaryFolder) throws {
    try folder.write(values.flatMap { Tensors.bytes($0.bitPattern) }, to: "golden/tensors.bin")
  }

  private func sum(_ name: String, output: Int) -> String {
    #"{"name":"\#(name)","inputs":[\#(tensor("a", "[2]", offset: 0)),\#(tensor("b", "[2]", offset: 8))],"#
      + #""outputs":[\#(tensor("c", "[2]", offset: output))]}"#
  }

  @Test("each case is run, and compared with its own outputs")
  func runs() throws {
    let folder = try TemporaryFolder()
    try write([1, 2, 10, 20, 11, 22, 11, 23], folder)
    let suite = try suite(folder, cases: sum("right", output: 16) + "," + sum("wrong", output: 24))
    let reports = GoldenRunner(suite, options: RuntimeOptions()).run(suite.manifest.models[0])
    #expect(reports.map(\.name) == ["right", "wrong"] && reports.map(\.model) == ["m.tflite", "m.tflite"])
    #expect(reports.map(\.isPassed) == [true, false] && reports[1].outputs[0].maxAbsError == 1)
    // The tolerance is relative to the largest magnitude: 1 of 23.
    let loose = GoldenRunner(suite, options: RuntimeOptions(), relativeTolerance: 1.01 / 23)
    #expect(loose.run(suite.manifest.models[0]).map(\.isPassed) == [true, true])
    let tight = GoldenRunner(suite, options: RuntimeOptions(), relativeTolerance: 0.99 / 23)
    #expect(tight.run(suite.manifest.models[0]).map(\.isPassed) == [true, false])
  }

  @Test("a model that doesn't load fails every case, and a case that doesn't run fails only itself")
  func failures() throws {
    let folder = try TemporaryFolder()
    try write([1, 2, 10, 20, 11, 22], folder)
    let broken = try suite(folder, cases: sum("a", output: 16) + "," + sum("b", output: 16), model: [1, 2, 3])
    let reports = GoldenRunner(broken, options: RuntimeOptions()).run(broken.manifest.models[0])
    #expect(reports.map(\.name) == ["a", "b"] && reports.allSatisfy { $0.failure != nil && !$0.isPassed })
    let cut = try suite(folder, cases: sum("beyond", output: 24) + "," + sum("good", output: 16))
    let mixed = GoldenRunner(cut, options: RuntimeOptions()).run(cut.manifest.models[0])
    #expect(
      mixed.map(\.isPassed) == [false, true] && mixed[0].failure?.contains("expected 8 bytes at offset 24") == true)
  }

  @Test("state is kept between cases only if the manifest requires it")
  func stateful() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [2])
    let state = graph.variable(.float32, [2])
    let sum = graph.output(.float32, [2])
    graph.add(.add, [state, input], [sum], options: AddOptions.empty)
    graph.add(.add, [state, input], [state], options: AddOptions.empty)
    guard (try? graph.session()) != nil else { return }
    let folder = try TemporaryFolder()
    try write([1, 2, 1, 2, 2, 4], folder)
    func item(_ name: String, _ output: Int) -> String {
      #"{"name":"\#(name)","inputs":[\#(tensor("a", "[2]", offset: 0))],"outputs":[\#(tensor("c", "[2]", offset: output))]}"#
    }
    for (more, second) in [(#","stateful":true"#, 16), ("", 8)] {
      let suite = try suite(
        folder, cases: item("1", 8) + "," + item("2", second), model: TestGraph.bytes([graph]), more: more)
      let reports = GoldenRunner(suite, options: RuntimeOptions()).run(suite.manifest.models[0])
      #expect(reports.map(\.isPassed) == [true, true], "\(more): \(reports.map(\.summary))")
    }
  }

  @Test("a model that doesn't support the shapes of the file is compiled for the first case")
  func shapes() throws {
    // Dynamic dimensions are 1 in the file, where they are incompatible.
    var graph = TestGraph()
    let (left, right) = (graph.input(.float32, [1, 3]), graph.input(.float32, [2, 1]))
    let joined = graph.output(.float32, [1, 4])
    graph.add(.concatenation, [left, right], [joined], options: ConcatenationOptions.with { [$0.axis(1)] })
    graph.leaveOpen(left, [-1, 3])
    let folder = try TemporaryFolder()
    try write([1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 7, 4, 5, 6, 8], folder)
    let cases =
      #"{"name":"c","inputs":[\#(tensor("a", "[2,3]", offset: 0, bytes: 24)),\#(tensor("b", "[2,1]", offset: 24))],"#
      + #""outputs":[\#(tensor("c", "[2,4]", offset: 32, bytes: 32))]}"#
    let suite = try suite(folder, cases: cases, model: TestGraph.bytes([graph]))
    let reports = GoldenRunner(suite, options: RuntimeOptions()).run(suite.manifest.models[0])
    #expect(reports.map(\.isPassed) == [true], "\(reports.map(\.summary))")
  }

  @Test("in checked mode, both runs must pass")
  func checked() throws {
    let folder = try TemporaryFolder()
    try write([1, 2, 10, 20, 11, 22, 11, 23], folder)
    let suite = try suite(folder, cases: sum("right", output: 16) + "," + sum("wrong", output: 24))
    let runner = GoldenRunner(suite, options: RuntimeOptions(isChecked: true))
    #expect(runner.run(suite.manifest.models[0]).map(\.isPassed) == [true, false])
  }

  @Test("bit-exact runs are compared bitwise")
  func bitExact() throws {
    let folder = try TemporaryFolder()
    let codes = try folder.write([10, 21], to: "golden/tensors.bin")
    #expect(codes.hasSuffix("tensors.bin"))
    var graph = TestGraph()
    let input = graph.input(.int8, [1], scale: 0.5)
    graph.add(.relu, [input], [graph.output(.int8, [1], scale: 0.5)])
    func item(_ name: String, _ offset: Int, _ extra: String = "") -> String {
      #"{"index":0,"name":"\#(name)","dtype":"int8","shape":[1],"offset":\#(offset),"bytes":1\#(extra)}"#
    }
    let quantization = #","quantization":{"scales":[0.5],"zero_points":[0],"axis":0},"xnnpack_max_abs_diff":6"#
    let suite = try suite(
      folder, cases: #"{"name":"c","inputs":[\#(item("a", 0))],"outputs":[\#(item("b", 1, quantization))]}"#,
      model: TestGraph.bytes([graph]))
    let model = suite.manifest.models[0]
    // A difference of eleven, twice the manifest's XNNPACK difference, is accepted in fast mode only.
    #expect(GoldenRunner(suite, options: RuntimeOptions(numerics: .fast)).run(model).map(\.isPassed) == [true])
    #expect(GoldenRunner(suite, options: RuntimeOptions(numerics: .bitExact)).run(model).map(\.isPassed) == [false])
  }
}
