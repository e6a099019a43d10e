import SwiftletBase
import SwiftletFuzzing
import SwiftletSchema
import SwiftletTestSupport

/// One small model for every kind of defect that fuzzing has found.
enum HostileModels {
  static let all: [(name: String, bytes: [UInt8])] = wiring + borders + state + indices + work + memory

  private static let composite = StableHLOCompositeOptions.with { [$0.name("x"), $0.decompositionSubgraphIndex(1)] }

  /// Returns a model whose main graph has a name that other runtimes skip.
  private static func validation(_ graphs: [TestGraph]) -> [UInt8] {
    guard var model = FuzzModel(reading: ByteRegion(TestGraph.bytes(graphs))) else { return [] }
    model.graphs[0].name = "VALIDATION:x"
    return model.bytes
  }

  // MARK: Writers

  private static let wiring: [(name: String, bytes: [UInt8])] = {
    func writesConstant(_ count: Int) -> TestGraph {
      var graph = TestGraph()
      let input = graph.input(.float32, [count]), constant = graph.constant([Float](repeating: 0, count: 4))
      graph.add(.exp, [input], [constant])
      graph.addOutput(constant)
      return graph
    }
    var loop = TestGraph()
    let input = loop.input(.float32, [4])
    loop.add(.stablehloComposite, [input], [input], options: composite)
    loop.add(.exp, [input], [loop.output(.float32, [4])])
    var through = TestGraph()
    through.addOutput(through.input(.float32, [4]))
    return [
      ("a constant is written in a graph for validation", validation([writesConstant(4)])),
      ("a constant is written that is too small", validation([writesConstant(1 << 18)])),
      ("a composite gives itself", validation([loop, through])),
      ("a transposed convolution in place", inPlaceConvolution([1, 8, 8, 4])),
      ("a larger transposed convolution in place", inPlaceConvolution([1, 64, 64, 4])),
      ("landmarks in place", inPlaceLandmarks),
    ]
  }()

  private static func inPlaceConvolution(_ shape: [Int]) -> [UInt8] {
    var graph = TestGraph()
    let data = graph.input(.float32, shape)
    let filter = graph.constant([Float](repeating: 1, count: 64), shape: [4, 2, 2, 4]),
      bias = graph.constant([Float](repeating: 1, count: 4))
    graph.add(
      custom: "Convolution2DTransposeBias", [data, filter, bias], [data], options: [1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0])
    graph.addOutput(data)
    return TestGraph.bytes([graph])
  }

  private static let inPlaceLandmarks: [UInt8] = {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 100_000_000, 3])
    let options = FlexMap.bytes([
      "left_rotation_idx": .int(99_999_998), "right_rotation_idx": .int(99_999_999), "output_height": .int(16),
      "output_width": .int(16),
      "scale_x": .float(1), "scale_y": .float(1), "target_rotation_radians": .float(0), "subset_idxs": .ints([0, 1]),
    ])
    graph.add(custom: "Landmarks2TransformMatrix", [data], [data], options: options, version: 2)
    graph.addOutput(data)
    return TestGraph.bytes([graph])
  }()

  // MARK: Callers and callees

  private static let borders: [(name: String, bytes: [UInt8])] = [64, 1 << 16].flatMap {
    count -> [(name: String, bytes: [UInt8])] in
    func caller(
      _ kind: BuiltinOperator, _ options: WrittenOptions, chooses: TestGraph.Choice = .nothing
    ) -> [UInt8] {
      var callee = TestGraph()
      callee.add(.neg, [callee.input(.float32, [count])], [callee.output(.float32, [count])])
      var main = TestGraph()
      let data = main.input(.int64, [count])
      let first: [Int] =
        switch chooses {
        case .nothing: []
        case .flag: [main.constant([true])]
        case .number: [main.constant([Int32(0)])]
        }
      main.add(kind, first + [data], [main.output(.int64, [count])], options: options)
      return TestGraph.bytes([main, callee])
    }
    return [
      ("a call takes \(count) numbers for others", caller(.call, CallOptions.with { [$0.subgraph(1)] })),
      (
        "a composite takes \(count) numbers for others",
        caller(.stablehloComposite, composite)
      ),
      (
        "a branch takes \(count) numbers for others",
        caller(.ifElse, IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] }, chooses: .flag)
      ),
      (
        "a case takes \(count) numbers for others",
        caller(.stablehloCase, StableHLOCaseOptions.with { [$0.branchSubgraphIndices([1])] }, chooses: .number)
      ),
    ]
  }

  // MARK: State

  private static let state: [(name: String, bytes: [UInt8])] = {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 1]), shape = graph.input(.int32, [2])
    let features = graph.constant([Float](repeating: 1, count: 64), shape: [64, 1])
    let time = graph.constant([Float](repeating: 1, count: 256), shape: [64, 4])
    let kept = graph.variable(.float32, [1, 256])
    let reshaped = graph.tensor(.float32, [1, 1])
    graph.add(.add, [kept, graph.constant([Float(1)])], [graph.output(.float32, [1, 256])], options: AddOptions.empty)
    graph.add(.reshape, [data, shape], [reshaped], options: ReshapeOptions.empty)
    graph.add(
      .svdf, [reshaped, features, time, nil, kept], [graph.output(.float32, [1, 64])],
      options: SVDFOptions.with { [$0.rank(1)] })
    graph.add(.whereNonzero, [kept], [graph.output(.int64, [0, 2])])
    return [("a variable is read for a shape and changed before it is read again", TestGraph.bytes([graph]))]
  }()

  // MARK: Indices

  private static let indices: [(name: String, bytes: [UInt8])] = {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 100_000])
    let places = graph.constant([Int32(1), 100_000], shape: [1, 2])
    graph.add(
      .stablehloGather, [data, places], [graph.output(.float32, [1])],
      options: StableHLOGatherOptions.with {
        [
          $0.offsetDimensions([]), $0.collapsedSliceDimensions([0, 1]), $0.startIndexMap([0, 1]),
          $0.indexVectorDimension(1), $0.sliceSizes([0, 0]),
        ]
      })
    return [("slices of nothing lie behind the end", TestGraph.bytes([graph]))]
  }()

  // MARK: Work

  private static let work: [(name: String, bytes: [UInt8])] = {
    var window = TestGraph(), sum = TestGraph()
    sum.add(.stablehloAdd, [sum.input(.float32, []), sum.input(.float32, [])], [sum.output(.float32, [])])
    window.add(
      .stablehloReduceWindow, [window.constant([Float(1)]), window.constant([Float(1)], shape: [])],
      [window.output(.float32, [1])],
      options: StableHLOReduceWindowOptions.with {
        [
          $0.windowDimensions([1 << 40]), $0.windowStrides([1]), $0.baseDilations([1]), $0.windowDilations([1]),
          $0.padding([1 << 40 - 1, 0]), $0.bodySubgraphIndex(1),
        ]
      })

    var phases = TestGraph()
    let size = phases.constant([Int32(1), 4096, 1, 1])
    let filter = phases.input(.float32, [1, 250_000_000, 1, 1]), data = phases.input(.float32, [1, 1, 1, 1])
    phases.add(
      .transposeConv, [size, filter, data], [phases.output(.float32, [1, 4096, 1, 1])],
      options: TransposeConvOptions.with { [$0.strideWidth(1), $0.strideHeight(4096)] })

    var windows = TestGraph()
    let bytes = windows.input(.int8, [262_148, 6]), first = windows.constant([Int8(0)], shape: [])
    let ones = windows.constant([Int64(1), 1])
    windows.add(
      .reduceWindow, [bytes, first, windows.constant([Int64(9986), 3]), ones, ones], [windows.output(.int8, [3, 4])],
      options: ReduceWindowOptions.with { [$0.reduceFunction(.maximum)] })

    var forever = TestGraph(), condition = TestGraph(), body = TestGraph()
    forever.add(
      .whileLoop, [forever.input(.float32, [1 << 20])], [forever.output(.float32, [1 << 20])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    _ = condition.input(.float32, [1 << 20])
    condition.addOutput(condition.constant([true], shape: []))
    body.add(.exp, [body.input(.float32, [1 << 20])], [body.output(.float32, [1 << 20])])
    return [
      ("a window of 2^40 over padding", TestGraph.bytes([window, sum])),
      ("phases times rows of a filter", TestGraph.bytes([phases])),
      ("windows that grow with the input", TestGraph.bytes([windows])),
      ("products of large constants", products),
      ("a loop that never ends", TestGraph.bytes([forever, condition, body])),
    ]
  }()

  private static let products: [UInt8] = {
    var graph = TestGraph()
    let one = graph.constant([Float(1)], shape: [1, 1])
    let left = graph.tensor(.float32, [512, 131_072]), right = graph.tensor(.float32, [131_072, 512])
    graph.add(.broadcastTo, [one, graph.constant([Int32(512), 131_072])], [left])
    graph.add(.broadcastTo, [one, graph.constant([Int32(131_072), 512])], [right])
    for _ in 0..<400 {
      graph.add(.batchMatMul, [left, right], [graph.output(.float32, [512, 512])], options: BatchMatMulOptions.empty)
    }
    return TestGraph.bytes([graph])
  }()

  // MARK: Memory

  private static let memory: [(name: String, bytes: [UInt8])] = {
    var folded = TestGraph()
    let one = folded.constant([Float(1)]), count = folded.constant([Int32(1 << 26)])
    for _ in 0..<15 { folded.add(.broadcastTo, [one, count], [folded.output(.float32, [1 << 26])]) }

    var words = TestGraph()
    let text = Array(repeating: "a", count: 200).joined(separator: " ")
    let start = withUnsafeBytes(
      of: (Int32(1).littleEndian, Int32(12).littleEndian, Int32(12 + text.utf8.count).littleEndian)
    ) { [UInt8]($0) }
    let source = words.constant(bytes: start + Array(text.utf8), of: .string, shape: [1])
    words.add(
      .skipGram, [source], [words.output(.string, [0])],
      options: SkipGramOptions.with { [$0.ngramSize(12), $0.maximumSkipSize(1000), $0.includeAllNgrams(true)] })
    return [
      ("constants that grow at load", TestGraph.bytes([folded])),
      ("strings that grow in a run", TestGraph.bytes([words])),
      ("many callees, each of them large", callees),
    ]
  }()

  private static let callees: [UInt8] = {
    var main = TestGraph()
    var value = main.input(.float32, [1])
    let flag = main.constant([true], shape: [])
    var graphs: [TestGraph] = []
    for number in 1...7 {
      let next = number == 7 ? main.output(.float32, [1]) : main.tensor(.float32, [1])
      main.add(
        .ifElse, [flag, value], [next],
        options: IfOptions.with { [$0.thenSubgraphIndex(number), $0.elseSubgraphIndex(number)] })
      value = next
      var callee = TestGraph()
      let data = callee.input(.float32, [1]), large = callee.tensor(.float32, [1 << 28])
      callee.add(.broadcastTo, [data, callee.constant([Int32(1 << 28)])], [large])
      callee.add(
        .reduceMax, [large, callee.constant([Int32(0)])], [callee.output(.float32, [1])],
        options: ReducerOptions.with { [$0.keepDimensions(true)] })
      graphs.append(callee)
    }
    return TestGraph.bytes([main] + graphs)
  }()
}

extension TestGraph {
  /// The value that selects a branch.
  enum Choice {
    case nothing, flag, number
  }
}
