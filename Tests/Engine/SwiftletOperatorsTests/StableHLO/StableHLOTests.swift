import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Returns a reducer: a subgraph of one operator on two numbers. Without an operator, it returns its second input.
private func body(_ builtins: BuiltinOperator...) -> TestGraph {
  var graph = TestGraph()
  let (left, right) = (graph.input(.float32, []), graph.input(.float32, []))
  var result = right
  for builtin in builtins {
    result = graph.tensor(.float32, [])
    graph.add(builtin, [left, right], [result])
  }
  graph.addOutput(result)
  return graph
}

@Suite("StableHLO operators on two tensors")
struct StableHLOElementwiseTests {
  @Test("combine integers, which wrap, and bools")
  func integers() throws {
    func run(_ kind: BuiltinOperator) throws -> [Int8] {
      try SingleNode(kind, [try .input([Int8(100), -3, 7]), try .input([Int8(100), 5, 2])], gives: [.int8])().values()
    }
    #expect(try run(.stablehloAdd) == [-56, 2, 9])
    #expect(try run(.stablehloMultiply) == [16, -15, 14])
    #expect(try run(.stablehloMaximum) == [100, 5, 7])
    #expect(try run(.stablehloMinimum) == [100, -3, 2])
    #expect(try run(.stablehloAnd) == [100, 5, 2])
    let truths = SingleNode(
      .stablehloAdd, [try .input([true, false, true]), try .input([true, false, false])], gives: [.bool])
    #expect(try truths().values() == [true, false, true])
  }

  @Test("shift bits out, and give 0 for shifts that are too long or negative")
  func shifts() throws {
    let node = SingleNode(
      .stablehloShiftLeft, [try .input([Int8(1), 3, 1, 1]), try .input([Int8(3), 7, 8, -1])], gives: [.int8])
    #expect(try node().values() == [Int8(8), -128, 0, 0])
  }

  @Test("do not broadcast")
  func refusesBroadcast() throws {
    let node = SingleNode(.stablehloAdd, [try .input([Float(1), 2]), try .input([Float(1)])], gives: [.float32])
    let error = #expect(throws: RuntimeError.self) { try node() }
    #expect(error?.description.contains("operator 0 STABLEHLO_ADD") == true)
    #expect(error?.description.contains("'t1'") == true)
  }
}

@Suite("Dilated tensors")
struct SpacedTests {
  private func pad(_ shape: [Int], _ low: [Int64], _ high: [Int64], _ interior: [Int64]) throws -> Tensor {
    let count = shape.reduce(1, *)
    return try SingleNode(
      .stablehloPad, [try .input((0..<count).map { Float($0 + 1) }, shape), .constant([Float(0)], [])],
      gives: [.float32],
      options: StableHLOPadOptions.with {
        [$0.edgePaddingLow(low), $0.edgePaddingHigh(high), $0.interiorPadding(interior)]
      })()
  }

  @Test("insert elements before, after, and between")
  func pads() throws {
    #expect(try pad([3], [1], [2], [1]).values() == [Float(0), 1, 0, 2, 0, 3, 0, 0])
    #expect(try pad([2, 2], [0, 0], [0, 0], [1, 0]).values() == [Float(1), 2, 0, 0, 3, 4])
  }

  @Test("can be cropped, also in the gaps")
  func crops() throws {
    #expect(try pad([4], [-1], [-1], [1]).values() == [Float(0), 2, 0, 3, 0])
    #expect(try pad([2], [-9], [9], [0]).values() == [Float(0), 0])
    #expect(try pad([2, 3], [-1, 0], [-1, 0], [0, 0]).shape == [0, 0])
  }

  @Test(
    "reject excessive paddings",
    arguments: [
      ([Int64.min], [Int64.max], [Int64(0)]), ([0], [0], [-1]), ([0], [0], [.max]), ([0, 0], [0], [0]),
      ([1 << 41], [0], [0]),
    ] as [([Int64], [Int64], [Int64])])
  func refuses(low: [Int64], high: [Int64], interior: [Int64]) {
    #expect(throws: RuntimeError.self) { try pad([2], low, high, interior) }
  }

  @Test("are created by DILATE, whose dilations may be computed")
  func dilates() throws {
    let node = SingleNode(
      .dilate, [try .input([Float(1), 2], [1, 2]), try .input([Int32(3), 2]), .constant([Float(-1)], [])],
      gives: [.float32])
    let result = try node()
    #expect(result.shape == [1, 3])
    #expect(try result.values() == [Float(1), -1, 2])
  }

  @Test("reject dilations below 1", arguments: [[0, 1], [1, -2], [1]] as [[Int32]])
  func refusesDistances(dilations: [Int32]) throws {
    let node = SingleNode(
      .dilate, [try .input([Float(1), 2], [1, 2]), .constant(dilations), .constant([Float(0)], [])], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }
}

@Suite("Reduced windows")
struct ReducedWindowTests {
  private func reduce(
    _ count: Int, window: Int64, stride: Int64 = 1, padding: [Int64] = [0, 0], by body: TestGraph
  ) throws -> Tensor {
    var graph = TestGraph()
    let data = graph.input(.float32, [count])
    graph.add(
      .stablehloReduceWindow, [data, graph.constant([Float(0)], shape: [])], [graph.output(.float32, [])],
      options: StableHLOReduceWindowOptions.with {
        [$0.windowDimensions([window]), $0.windowStrides([stride]), $0.padding(padding), $0.bodySubgraphIndex(1)]
      })
    return try graph.session([body]).run([try Tensor((0..<count).map { Float($0 + 1) }, shape: [count])])[0]
  }

  @Test("add their elements, where padding counts as the initial value")
  func adds() throws {
    #expect(try reduce(4, window: 2, by: body(.stablehloAdd)).values() == [Float(3), 5, 7])
    #expect(try reduce(4, window: 4, padding: [3, 0], by: body(.add)).values() == [Float(1), 3, 6, 10])
    #expect(try reduce(5, window: 2, stride: 2, by: body(.stablehloMaximum)).values() == [Float(2), 4])
    #expect(try reduce(2, window: 3, by: body(.stablehloAdd)).shape == [0])
  }

  @Test("reject invalid windows and subgraphs")
  func refuses() {
    #expect(throws: RuntimeError.self) { try reduce(4, window: 0, by: body(.stablehloAdd)) }
    #expect(throws: RuntimeError.self) { try reduce(4, window: 2, stride: 0, by: body(.stablehloAdd)) }
    #expect(throws: RuntimeError.self) { try reduce(4, window: 2, padding: [0], by: body(.stablehloAdd)) }
    #expect(throws: RuntimeError.self) { try reduce(4, window: 2, padding: [-9, 0], by: body(.stablehloAdd)) }
    #expect(throws: RuntimeError.self) { try reduce(4, window: 2, by: body(.sub)) }
    #expect(throws: RuntimeError.self) { try reduce(4, window: 2, by: body()) }
    #expect(throws: RuntimeError.self) { try reduce(4, window: 2, by: body(.add, .add)) }
  }
}

@Suite("STABLEHLO_GATHER and STABLEHLO_SCATTER")
struct StableHLOIndexingTests {
  private static let rowOptions = StableHLOGatherOptions.with {
    [
      $0.offsetDimensions([1]), $0.collapsedSliceDimensions([0]), $0.startIndexMap([0]), $0.indexVectorDimension(1),
      $0.sliceSizes([1, 2]),
    ]
  }

  private func gather(_ options: WrittenOptions) throws -> Tensor {
    try SingleNode(
      .stablehloGather, [try .input([Float(1), 2, 3, 4, 5, 6], [3, 2]), try .input([Int32(2), -5, 9], [3, 1])],
      gives: [.float32], options: options)()
  }

  @Test("gathers rows, clamped to the operand")
  func gathersRows() throws {
    #expect(try gather(Self.rowOptions).values() == [Float(5), 6, 1, 2, 5, 6])
  }

  @Test(
    "rejects inconsistent axes and slices",
    arguments: [
      (StableHLOGatherOptions.offsetDimensions, [0, 1]), (StableHLOGatherOptions.offsetDimensions, [5]),
      (StableHLOGatherOptions.collapsedSliceDimensions, [3]), (StableHLOGatherOptions.collapsedSliceDimensions, []),
      (StableHLOGatherOptions.startIndexMap, [2]), (StableHLOGatherOptions.startIndexMap, [0, 1]),
      (StableHLOGatherOptions.sliceSizes, [1, 3]), (StableHLOGatherOptions.sliceSizes, [1]),
      (StableHLOGatherOptions.sliceSizes, [-1, 2]), (StableHLOGatherOptions.sliceSizes, [0, 2]),
      (StableHLOGatherOptions.sliceSizes, [2, 2]),
    ] as [(OptionField<[Int]>, [Int])])
  func refusesGather(field: OptionField<[Int]>, values: [Int]) {
    #expect(throws: RuntimeError.self) { try gather(Self.rowOptions.replacing(field(values))) }
  }

  @Test("rejects an inconsistent vector axis", arguments: [-1, 0, 3] as [Int64])
  func refusesVectorAxis(axis: Int64) {
    let field = StableHLOGatherOptions.indexVectorDimension(axis)
    #expect(throws: RuntimeError.self) { try gather(Self.rowOptions.replacing(field)) }
  }

  private func scatter(_ field: WrittenOptionField? = nil, by body: TestGraph) throws -> Tensor {
    var graph = TestGraph()
    let inputs = [graph.input(.float32, [3, 2]), graph.input(.int32, [2, 1]), graph.input(.float32, [2, 2])]
    let options = StableHLOScatterOptions.with {
      [
        $0.updateWindowDimensions([1]), $0.insertedWindowDimensions([0]), $0.scatterDimensionsToOperandDimensions([0]),
        $0.indexVectorDimension(1), $0.updateComputationSubgraphIndex(1),
      ]
    }
    graph.add(
      .stablehloScatter, inputs, [graph.output(.float32, [])],
      options: field.map(options.replacing) ?? options)
    return try graph.session([body]).run([
      try Tensor([Float](repeating: 1, count: 6), shape: [3, 2]), try Tensor([Int32(2), 7], shape: [2, 1]),
      try Tensor([Float(5), 6, 7, 8], shape: [2, 2]),
    ])[0]
  }

  @Test("scatters rows and ignores rows outside the tensor")
  func scattersRows() throws {
    #expect(try scatter(by: body()).values() == [Float(1), 1, 1, 1, 5, 6])
    #expect(try scatter(by: body(.stablehloAdd)).values() == [Float(1), 1, 1, 1, 6, 7])
  }

  @Test("rejects inconsistent axes and subgraphs that cannot combine")
  func refusesScatter() {
    let wrong = [
      StableHLOScatterOptions.updateWindowDimensions([0, 1]), StableHLOScatterOptions.insertedWindowDimensions([4]),
      StableHLOScatterOptions.scatterDimensionsToOperandDimensions([-1]),
      StableHLOScatterOptions.indexVectorDimension(9), StableHLOScatterOptions.updateComputationSubgraphIndex(5),
    ]
    for field in wrong { #expect(throws: RuntimeError.self) { try scatter(field, by: body()) } }
    #expect(throws: RuntimeError.self) { try scatter(by: body(.stablehloSubtract)) }
  }
}
