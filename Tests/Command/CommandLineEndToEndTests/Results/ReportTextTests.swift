import Foundation
import Swiftlet
import SwiftletImage
import SwiftletMeasurement
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletSchema
@testable import SwiftletTool
@testable import SwiftletTracking

@Suite("Reports of models, measurements, and tracks")
struct ReportTextTests {
  // MARK: inspect

  private func report(_ bytes: [UInt8]) throws -> ModelReport { ModelReport("m\n.tflite", try Model(bytes: bytes)) }

  @Test("a model in text has operators with their number, ports, signatures, and sizes")
  func modelText() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [2, 3])
    let codes = graph.input(.int8, [2], scale: 0.5, zeroPoint: 3)
    let channels = graph.constant([Int8(1), 2])
    graph.quantize(channels, QuantizationParameters(scales: [0.5, 2], zeroPoints: [0, 0], axis: 0))
    let middle = graph.tensor(.float32, [2, 3]), output = graph.output(.float32, [2, 3])
    graph.add(.abs, [input], [middle])
    graph.add(.abs, [middle], [output])
    let real = graph.output(.float32, [2]), other = graph.output(.float32, [2])
    graph.add(.dequantize, [codes], [real])
    graph.add(.dequantize, [channels], [other])
    graph.addOutput(channels)
    graph.addSignature("run", inputs: [("x", input), ("c", codes)], outputs: [("y", output)])
    let bytes = TestGraph.bytes([graph])
    let report = try report(bytes)
    let lines = report.text.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(11) == [
        "m .tflite: \(bytes.count) bytes, schema version 3", "subgraph 0 '': 4 operators, 7 tensors",
        "  input  't0' float32[2×3]", "  input  't1' int8[2] scale 0.5 zero point 3", "  output 't4' float32[2×3]",
        "  output 't5' float32[2]", "  output 't6' float32[2]", "  output 't2' int8[2] per channel along axis 0",
        "  2 × ABS version 1", "  2 × DEQUANTIZE version 1", "signature 'run': (x, c) → (y)",
      ], "\(lines)")
    #expect(lines[11] == "constants: 2 bytes" && lines[12].hasPrefix("supported: yes; arena "))
    let kernels = lines.dropFirst(13).compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(!kernels.isEmpty && kernels.reduce(0, +) <= 4 && kernels.reduce(0, +) >= 3)
    let json = report.json.text
    #expect(
      json.contains(
        #""signatures":[{"key":"run","subgraph":0,"inputs":[{"name":"x","tensor":"t0"},{"name":"c","tensor":"t1"}],"#
          + #""outputs":[{"name":"y","tensor":"t4"}]}],"subgraphs":[{"name":"","inputs":[{"name":"t0","shape":[2,3],"#
          + #""dtype":"float32","scale":[],"zero_point":[],"quantized_dimension":0},{"name":"t1","shape":[2],"#
          + #""dtype":"int8","scale":[0.5],"zero_point":[3],"quantized_dimension":0}]"#))
    #expect(
      json.contains(
        #""operators":[{"op":"ABS","version":1,"count":2},{"op":"DEQUANTIZE","version":1,"count":2}],"#
          + #""tensor_count":7,"operator_count":4}],"metadata":null,"labels":[],"supported":true,"unsupported":[],"#
          + #""error":null,"#))
    #expect(json.contains(#""weights_bytes":2,"kernels":[{"#) && report.constantByteCount == 2)
  }

  @Test("items are counted in order of first appearance")
  func counted() {
    let counts = ModelReport.counted(["b", "a", "b", "c", "b", "a"])
    #expect(counts.map(\.item) == ["b", "a", "c"] && counts.map(\.count) == [3, 2, 1])
    #expect(ModelReport.counted([Int]()).isEmpty)
  }

  @Test("constants that share a buffer count once")
  func sharedConstants() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [2])
    for _ in 0..<2 {
      graph.add(
        .add, [input, graph.constant([Float(1), 2])], [graph.output(.float32, [2])], options: AddOptions.empty)
    }
    var report = try report(TestGraph.bytes([graph]))
    #expect(report.constantByteCount == 16)
    var file = report.model.file
    file.subgraphs[0].tensors[3].bufferIndex = file.subgraphs[0].tensors[1].bufferIndex
    report = try self.report(TestGraph.bytes([graph]))
    #expect(file.subgraphs[0].tensors.filter { $0.data != nil }.count == 2)
  }

  @Test("metadata, labels, and normalization are listed")
  func metadata() throws {
    var model = PassingModel(
      width: 2, height: 1, outputs: [.init(shape: [1, 6], name: "scores", labels: ["a", "b", "c", "d", "e", "f"])],
      normalization: (127.5, 63))
    let report = try report(model.bytes)
    let lines = report.text.split(separator: "\n").map(String.init)
    #expect(lines.contains("metadata: unnamed") && lines.contains("labels: 6, from 'a' to 'f'"))
    #expect(lines.contains("  input 'image': mean [127.5], standard deviation [63.0]"), "\(lines)")
    let metadata = try #require(report.metadata)
    #expect(
      report.metadataJSON(metadata).text
        == #"{"name":null,"description":null,"version":null,"author":null,"license":null,"min_parser_version":null,"#
        + #""inputs":[{"name":"image","description":null,"mean":[127.5],"std":[63.0],"score_threshold":null,"files":[]}],"#
        + #""outputs":[{"name":"scores","description":null,"mean":null,"std":null,"score_threshold":null,"#
        + #""files":[{"name":"labels0.txt","locale":""}]}],"associated_files":[],"custom_metadata":[]}"#)
    #expect(report.labels == ["a", "b", "c", "d", "e", "f"])
    model.outputs[0].scoreThresholds = [0.25]
    let limited = try self.report(model.bytes)
    #expect(try limited.metadataJSON(#require(limited.metadata)).text.contains(#""score_threshold":0.25"#))
    let named = FlatValue.file(
      root: [0: .string("N"), 1: .string("D"), 2: .string("V"), 4: .string("A"), 5: .string("L"), 7: .string("P")],
      identifier: "M001")
    let whole = try self.report(TestGraph.bytes([.binary(.add)], metadata: named))
    #expect(whole.text.contains("\nmetadata: N by A\n"))
    #expect(
      try whole.metadataJSON(#require(whole.metadata)).text.hasPrefix(
        #"{"name":"N","description":"D","version":"V","author":"A","license":"L","min_parser_version":"P""#))
  }

  @Test("a model that cannot run has a reason")
  func unsupported() throws {
    let report = try report(SmallModels.unknownOperator)
    #expect(!report.isSupported && report.compiled == nil && report.compileError == nil)
    #expect(report.text.contains("\nsupported: no\n  ") && report.text.contains("NobodyKnowsThis"))
    #expect(
      report.json.text.contains(
        #""supported":false,"unsupported":[{"op":"NobodyKnowsThis","code":32,"version":1,"subgraph":0,"index":0,"#
          + #""inputs":[{"name":"t0","shape":[1],"dtype":"float32""#))
    #expect(report.description.unsupported.map(\.name) == ["NobodyKnowsThis"] && !report.description.isSupported)
    // Known operators with incompatible shapes.
    var graph = TestGraph()
    let (left, right) = (graph.input(.float32, [2]), graph.input(.float32, [3]))
    graph.add(.add, [left, right], [graph.output(.float32, [2])], options: AddOptions.empty)
    let broken = try self.report(TestGraph.bytes([graph]))
    if let reason = broken.compileError {
      #expect(!broken.isSupported && broken.text.contains("\nsupported: no: ") && broken.description.problem == reason)
    }
  }

  @Test("tensors of a page have their properties and storage")
  func pageTensors() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [2])
    let weights = graph.constant([Int8(1), 2], scale: 0.5, zeroPoint: 1)
    let state = graph.variable(.float32, [2])
    graph.add(.abs, [input], [graph.output(.float32, [2])])
    graph.add(.dequantize, [weights], [graph.output(.float32, [2])])
    graph.add(.abs, [state], [graph.output(.float32, [2])])
    graph.leaveOpen(input, [-1])
    let scales = graph.constant([Float(1)])
    let blocks = graph.constant(bytes: [1], of: .int4, shape: [1, 2])
    graph.quantize(blocks, inBlocksOf: 2, scales: scales)
    let description = try report(TestGraph.bytes([graph])).description
    let tensors = description.subgraphs[0].tensors
    #expect(tensors[input].role == .computed && tensors[input].signature == [-1] && tensors[input].byteCount == 8)
    #expect(tensors[weights].role == .constant && tensors[weights].values == "1, 2" && tensors[weights].byteCount == 2)
    #expect(tensors[weights].quantization?.medianScale == 0.5 && tensors[weights].quantization?.largestZeroPoint == 1)
    #expect(tensors[state].role == .variable && tensors[state].quantization == nil && tensors[state].note == nil)
    #expect(tensors[blocks].note == "quantized in blocks of 2, with the scales in tensor \(scales)")
    #expect(tensors[blocks].quantization == nil && description.name == "m\n.tflite" && description.schemaVersion == 3)
    #expect(description.subgraphs[0].operators.map(\.name) == ["ABS", "DEQUANTIZE", "ABS"])
  }

  @Test("operators of a page have the kernels that compute them, and the arena has their blocks")
  func pageArena() throws {
    var graph = TestGraph.binary(.add)
    graph.addSignature("key", inputs: [("a", 0), ("b", 1)], outputs: [("c", 2)])
    let description = try report(TestGraph.bytes([graph])).description
    #expect(!description.subgraphs[0].operators[0].implementation.isEmpty)
    #expect(description.signatures.map(\.key) == ["key"] && description.signatures[0].inputs.map(\.tensor) == [0, 1])
    #expect(description.signatures[0].outputs.map(\.name) == ["c"] && description.signatures[0].subgraph == 0)
    let arena = try #require(description.arena)
    #expect(arena.operators.map(\.name) == ["ADD"] && arena.operators[0].index == 0 && arena.deferredCount == 0)
    #expect(!arena.blocks.isEmpty && arena.blocks.allSatisfy { $0.byteCount > 0 && $0.last >= $0.first })
    #expect(arena.blocks.flatMap(\.tensors).allSatisfy { (0..<3).contains($0) })
  }

  // MARK: Summaries

  private func summary(
    _ kind: BuiltinOperator, _ options: [(String, String)] = [], weights: [Int]? = nil
  ) -> String {
    var tensors = [TensorDescription(name: "x", type: .float32, shape: [1, 9, 9, 3])]
    if let weights { tensors.append(TensorDescription(name: "w", type: .float32, shape: weights)) }
    let graph = Subgraph(tensors: tensors, inputs: [0], outputs: [], operators: [])
    let operation = OperatorDescription(
      code: OperatorCode(kind: .builtin(kind), version: 1), inputs: weights == nil ? [0] : [0, 1], outputs: [])
    return OperatorSummary.text(
      operation, options.map { OperatorDescription.Option(name: $0.0, value: $0.1) }, in: graph)
  }

  @Test("operators are distinguished by window, stride, dilation, axis, block, and activation")
  func summaries() {
    #expect(summary(.conv2D, weights: [8, 3, 5, 3]) == "3×5" && summary(.conv2D, weights: [8, 3, 5]) == "")
    #expect(
      summary(.depthwiseConv2D, weights: [1, 5, 3, 8]) == "5×3"
        && summary(.transposeConv, weights: [8, 2, 4, 3]) == "2×4")
    #expect(
      summary(.fullyConnected, weights: [10, 64]) == "64 → 10" && summary(.fullyConnected, weights: [1, 10, 64]) == "")
    #expect(summary(.conv2D) == "" && summary(.add, weights: [8, 3, 5, 3]) == "")
    #expect(summary(.maxPool2D, [("filter_height", "2"), ("filter_width", "3")]) == "2×3")
    #expect(summary(.maxPool2D, [("filter_height", "2")]) == "")
    #expect(summary(.conv2D, [("stride_h", "2"), ("stride_w", "2")]) == "stride 2")
    #expect(summary(.conv2D, [("stride_h", "2"), ("stride_w", "1")]) == "stride 2×1")
    #expect(
      summary(.conv2D, [("stride_h", "1"), ("stride_w", "1")]) == ""
        && summary(.conv2D, [("stride_h", "0"), ("stride_w", "0")]) == "")
    #expect(summary(.conv2D, [("stride_w", "2")]) == "")
    #expect(summary(.conv2D, [("dilation_h_factor", "3"), ("dilation_w_factor", "4")]) == "dilation 3×4")
    #expect(
      summary(.concatenation, [("axis", "-1")]) == "axis -1"
        && summary(.depthToSpace, [("block_size", "2")]) == "block 2")
    #expect(
      summary(.add, [("fused_activation_function", "NONE")]) == ""
        && summary(.add, [("fused_activation_function", "RELU6")]) == "RELU6")
    #expect(
      summary(
        .conv2D,
        [
          ("fused_activation_function", "RELU"), ("stride_h", "2"), ("stride_w", "2"), ("dilation_h_factor", "2"),
          ("dilation_w_factor", "2"), ("axis", "1"), ("block_size", "4"),
        ], weights: [8, 3, 3, 3]) == "3×3, stride 2, dilation 2, axis 1, block 4, RELU")
  }

  // MARK: bench

  private var measured: BenchResult {
    BenchResult(
      model: "d/m\n.tflite", threads: 3, numerics: .bitExact, isChecked: true, warmup: 4, load: 5, first: 6,
      times: Sample([1, 2, 30]), runs: [30, 1, 2], arenaBytes: 7, weightsBytes: 8, peakResidentBytes: 9, isa: "avx2",
      precision: .reduced, operators: nil)
  }

  @Test("a measurement has every field under its key")
  func benchJSON() {
    var result = measured
    let json =
      #"{"model":"d/m\n.tflite","threads":3,"load_ms":5.0,"first_ms":6.0,"median_ms":2.0,"min_ms":1.0,"p95_ms":30.0,"#
      + #""runs":3,"arena_bytes":7,"weights_bytes":8,"peak_rss_bytes":9,"isa":"avx2","precision":"reduced","#
      + #""numerics":"bit-exact","checked":true,"warmup":4,"runs_ms":[30.0,1.0,2.0]"#
    #expect(result.json.text == json + "}")
    result.operators = [
      .init(index: 1, op: "ADD", name: "y", microseconds: 2.5, share: 0.25, gops: 3, implementation: "vector")
    ]
    #expect(
      result.json.text
        == json
        + #","operators":[{"index":1,"op":"ADD","name":"y","median_us":2.5,"share":0.25,"gops":3.0,"kernel":"vector"}]}"#
    )
  }

  @Test("a measurement in text lists its operators, slowest first")
  func benchText() {
    var result = measured
    result.operators = [
      .init(index: 1, op: "ADD", name: "y", microseconds: 2.5, share: 0.25, gops: 3, implementation: "vector"),
      .init(index: 0, op: "MUL", name: "x\n", microseconds: 7.5, share: 0.75, gops: 0.5, implementation: "other"),
    ]
    #expect(
      result.text
        == "d/m .tflite: 3 threads, avx2, reduced precision\n  median 2.000 ms, min 1.000 ms, p95 30.000 ms of 3 runs\n"
        + "  load 5.000 ms, first run 6.000 ms, arena 7 bytes, packed constants 8 bytes, peak resident 9 bytes\n"
        + "        7.5 µs  75.0 %     0.5 Gop/s  MUL x  [other]\n        2.5 µs  25.0 %     3.0 Gop/s  ADD y [vector]\n"
    )
    result.precision = .full
    #expect(result.text.hasPrefix("d/m .tflite: 3 threads, avx2\n"))
  }

  @Test("the page of a measurement has all fields")
  func benchPage() {
    var result = measured
    result.operators = [
      .init(index: 1, op: "ADD", name: "y", microseconds: 2.5, share: 0.25, gops: 3, implementation: "vector"),
      .init(index: 2, op: "Own", name: "z", microseconds: 4, share: 0.75, gops: 5, implementation: "own"),
    ]
    let page = result.description
    #expect(page.name == "m\n.tflite" && page.threads == 3 && page.instructionSet == "avx2" && page.isReducedPrecision)
    #expect(page.loadMilliseconds == 5 && page.firstRunMilliseconds == 6 && page.runMilliseconds == [30, 1, 2])
    #expect(page.medianMilliseconds == 2 && page.smallestMilliseconds == 1 && page.slowMilliseconds == 30)
    #expect(page.arenaByteCount == 7 && page.packedByteCount == 8 && page.peakResidentByteCount == 9)
    #expect(page.operators.map(\.index) == [1, 2] && page.operators.map(\.name) == ["ADD", "Own"])
    #expect(page.operators.map(\.isCustom) == [false, true] && page.operators.map(\.output) == ["y", "z"])
    #expect(page.operators.map(\.microseconds) == [2.5, 4] && page.operators.map(\.gigaOperationsPerSecond) == [3, 5])
    #expect(page.operators.map(\.implementation) == ["vector", "own"])
  }

  @Test("a model is measured the requested number of times, after a warm-up")
  func measures() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(SmallModels.sum, to: "m.tflite")
    let plain = try BenchResult.measure(path, options: RuntimeOptions(threads: 1), warmup: 2, runs: 4)
    #expect(plain.runs.count == 4 && plain.times.count == 4 && plain.operators == nil && plain.warmup == 2)
    #expect(plain.threads == 1 && plain.numerics == .fast && !plain.isChecked && plain.model == path)
    #expect(plain.load > 0 && plain.first > 0 && plain.peakResidentBytes > 1 << 20)
    var options = RuntimeOptions(threads: 1, numerics: .bitExact)
    options.isProfiling = true
    let profiled = try BenchResult.measure(path, options: options, warmup: 0, runs: 3)
    let operators = try #require(profiled.operators)
    #expect(operators.map(\.op) == ["ADD"] && abs(operators.map(\.share).reduce(0, +) - 1) < 1e-6)
    #expect(operators[0].microseconds > 0 && operators[0].microseconds < profiled.times.quantile(1) * 2000)
    #expect(profiled.numerics == .bitExact && operators[0].index == 0 && !operators[0].implementation.isEmpty)
  }

  // MARK: track

  private func object(
    _ id: Int?, x: Double, y: Double = 40, width: Double = 20, height: Double = 10, labels: [ObjectLabel] = [],
    isPredicted: Bool = false
  ) -> TrackedObject {
    TrackedObject(
      box: PixelRect(x: x, y: y, width: width, height: height),
      geometry: ImageGeometry(width: 400, height: 200, orientation: .up), trackingID: id, labels: labels, score: 0.5,
      isPredicted: isPredicted)
  }

  private func frame(_ objects: [TrackedObject], index: Int = 0, path: String? = nil) throws -> TrackedFrameResult {
    TrackedFrameResult(
      frame: FrameSource.Frame(index: index, path: path, image: try grayImage(400, 200)),
      timestampInMilliseconds: 12.5, objects: objects)
  }

  @Test("a tracked frame has its objects with ID, position, and labels")
  func tracks() throws {
    let label = ObjectLabel(text: "cat\n", index: 3, confidence: 0.75)
    let unnamed = ObjectLabel(text: "", index: 4, confidence: 0.25)
    let result = try frame(
      [object(7, x: 10, labels: [label, unnamed]), object(nil, x: 30.5), object(8, x: 50, labels: [unnamed])],
      index: 5, path: "f\n.png")
    let json: String =
      #"{"frame":5,"timestamp_ms":12.5,"image":"f\n.png","width":400,"height":200,"objects":[{"tracking_id":7,"#
      + #""frame":{"x":10.0,"y":40.0,"width":20.0,"height":10.0},"labels":[{"index":3,"text":"cat\n","confidence":0.75},"#
      + #"{"index":4,"text":"","confidence":0.25}]},{"tracking_id":null,"frame":{"x":30.5,"y":40.0,"width":20.0,"#
      + #""height":10.0},"labels":[]},{"tracking_id":8,"frame":{"x":50.0,"y":40.0,"width":20.0,"height":10.0},"#
      + #""labels":[{"index":4,"text":"","confidence":0.25}]}]}"#
    #expect(result.json.text == json)
    #expect(
      result.text
        == "f .png: 3 objects\n  #7 cat  0.75 at 10,40 20×10\n   0.50 at 30,40 20×10\n  #8 class 4 0.25 at 50,40 20×10\n"
    )
    #expect(try frame([], index: 5).text == "frame 5: 0 objects\n")
  }

  @Test("objects are drawn in the color of their ID, with a trail")
  func trackDrawing() throws {
    var drawing = TrackDrawing()
    func pixels(_ objects: [TrackedObject]) throws -> (Int, Int) -> [UInt8] {
      let image = try drawing.drawn(frame(objects))
      let bytes = image.packedBytes()
      return { x, y in Array(bytes[(3 * (y * image.width + x))..<(3 * (y * image.width + x) + 3)]) }
    }
    let (blue, green): ([UInt8], [UInt8]) = ([29, 131, 220], [46, 160, 67])
    _ = try pixels([object(1, x: 10, y: 100), object(2, x: 200, y: 100)])
    let second = try pixels([object(1, x: 110, y: 100)])
    // The center of the box moved from (20, 105) to (120, 105).
    #expect(second(70, 105) == blue && second(70, 107) == [100, 100, 100] && second(110, 105) == blue)
    #expect(second(210, 105) == [100, 100, 100])
    // An object that was absent has no trail.
    let third = try pixels([object(2, x: 300, y: 100), object(1, x: 210, y: 100, isPredicted: true)])
    #expect(third(250, 105) == [100, 100, 100] && third(170, 105) == blue && third(300, 105) == green)
    // The box of a predicted object has a line width of one, the box of a detected one of two.
    #expect(third(301, 109) == green && third(211, 103) == [100, 100, 100])
    // A trail has sixty positions.
    var long = TrackDrawing()
    for step in 0..<61 { _ = try long.drawn(frame([object(3, x: Double(step * 4), y: 150)])) }
    let bytes = try long.drawn(frame([object(3, x: 244, y: 150)])).packedBytes()
    func orange(_ x: Int) -> Bool { Array(bytes[(3 * (155 * 400 + x))..<(3 * (155 * 400 + x) + 3)]) == [245, 166, 35] }
    #expect(orange(19) && !orange(15) && orange(200))
  }
}
