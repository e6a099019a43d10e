import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks small files that demand excessive resources.
@Suite("Hostile models")
struct HostileModelTests {
  private func compile(
    _ graph: TestGraph, _ others: [TestGraph] = [], _ limits: (inout RuntimeOptions.Limits) -> Void = { _ in }
  )
    throws -> CompiledModel
  {
    var options = RuntimeOptions()
    limits(&options.limits)
    return try CompiledModel(try graph.model(others), options: options)
  }

  // MARK: Tensors without elements

  @Test(
    "does nothing for tensors without elements, however many rows they have",
    arguments: [
      (.transpose, [Int32(1), 0, 2], .fieldless(.transpose)), (.tile, [1, 1, 1], .fieldless(.tile)),
      (.pad, [0, 0, 0, 0, 0, 0], .fieldless(.pad)),
      (.gather, [0, 0, 0], GatherOptions.with { [$0.axis(2)] }),
      (.sum, [2], ReducerOptions.with { [$0.keepDimensions(true)] }), (.reverseV2, [0], .fieldless(.reverseV2)),
    ] as [(BuiltinOperator, [Int32], WrittenOptions)])
  func skipsEmpty(kind: BuiltinOperator, parameters: [Int32], options: WrittenOptions) throws {
    var graph = TestGraph()
    let data = graph.input(.float32, kind == .gather ? [0, 1 << 20, 8] : [1 << 28, 0, 4])
    let shape = kind == .pad ? [3, 2] : [parameters.count]
    graph.add(kind, [data, graph.constant(parameters, shape: shape)], [graph.output(.float32, [])], options: options)
    let compiled = try compile(graph)
    #expect(compiled.program.steps.isEmpty)
    #expect(compiled.outputs[0].shape.elementCount == 0)
    try Session(compiled).run()
  }

  @Test("rejects tensors whose other dimensions exceed the limit, even if one is 0")
  func refusesLongEmpty() throws {
    for shape in [[1 << 20, 0, 1 << 20], [1 << 30, 1 << 30, 1 << 30, 0]] {
      var graph = TestGraph()
      graph.add(.abs, [graph.input(.float32, shape)], [graph.output(.float32, [])])
      #expect(throws: RuntimeError.self) { try compile(graph) }
      var small = TestGraph()
      small.add(.abs, [small.input(.float32, [1])], [small.output(.float32, [])])
      let session = try small.session()
      let error = #expect(throws: RuntimeError.self) { try session.resizeInputs(to: [Shape(shape)]) }
      #expect(error?.code == .limitExceeded)
    }
    var graph = TestGraph()
    let empty = graph.input(.float32, [1 << 20, 0])
    graph.add(.reshape, [empty, graph.constant([Int32(1 << 20), 1 << 20, 0])], [graph.output(.float32, [])])
    let error = #expect(throws: RuntimeError.self) { try compile(graph) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.location?.operatorName == "RESHAPE")
  }

  @Test("rejects different shapes for constant inputs, from callers and from calling graphs")
  func keepsConstantInputs() throws {
    func constantInput() -> TestGraph {
      var graph = TestGraph()
      let constant = graph.constant([Int8(1), 2, 3], scale: 1)
      graph.addInput(constant)
      graph.add(.dequantize, [constant], [graph.output(.float32, [3])], version: 2)
      return graph
    }
    let session = try constantInput().session()
    let error = #expect(throws: RuntimeError.self) { try session.resizeInput(at: 0, to: [1 << 20]) }
    #expect(error?.code == .invalidArgument)
    var graph = TestGraph()
    graph.add(
      .ifElse, [graph.constant([true]), graph.input(.int8, [1 << 20])], [graph.output(.float32, [3])],
      options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] })
    let caller = try graph.session([constantInput()])
    #expect(#expect(throws: RuntimeError.self) { try caller.run() }?.message.contains("is a constant") == true)
  }

  // MARK: Sizes in tensors

  @Test(
    "rejects long tensors in place of a few integers, before reading them",
    arguments: [
      (.reshape, ReshapeOptions.empty), (.fill, .fieldless(.fill)), (.broadcastTo, .fieldless(.broadcastTo)),
      (.reverseV2, .fieldless(.reverseV2)),
    ] as [(BuiltinOperator, WrittenOptions)])
  func refusesManyIntegers(kind: BuiltinOperator, options: WrittenOptions) throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1])
    let numbers = graph.input(.int32, [1 << 26])
    graph.add(kind, kind == .fill ? [numbers, data] : [data, numbers], [graph.output(.float32, [])], options: options)
    let error = #expect(throws: RuntimeError.self) { try compile(graph) }
    #expect(error?.location?.operatorName == OperatorKind.builtin(kind).name)
  }

  @Test("names the operator whose options cannot be read")
  func locatesOptions() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    graph.add(
      .reshape, [input], [graph.output(.float32, [1])],
      options: ReshapeOptions.with { [$0.newShape(raw: .lyingVector(count: 1 << 30, bytes: [0]))] })
    let model = try graph.model()
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model) }
    #expect(error?.code == .invalidModel)
    #expect(error?.location?.operatorName == "RESHAPE")
    #expect(error?.location?.operatorIndex == 0)
  }

  // MARK: Memory

  @Test("leaves constants to the run if they exceed the limit together")
  func limitsFolding() throws {
    var graph = TestGraph()
    for _ in 0..<3 {
      graph.add(
        .fill, [graph.constant([Int32(100_000)]), graph.constant([Float(1)], shape: [])], [graph.output(.float32, [])])
    }
    #expect(try compile(graph).operatorNames.isEmpty)
    let share = RuntimeOptions.Limits.foldedBytesPerByte * (try graph.model().file.bytes.count)
    let some = try compile(graph) { $0.foldedBytes = 1_199_999 - share }
    #expect(some.operatorNames == ["FILL"])
    #expect(some.packed.foldedByteCount == 800_000)
    let results = try Session(some).run([])
    #expect(try results.allSatisfy { try $0.values() == [Float](repeating: 1, count: 100_000) })
  }

  @Test("by default leaves large constants of a small file to the run, and computes all weights of a large file")
  func limitsFoldingInProportion() throws {
    var small = TestGraph()
    for _ in 0..<5 {
      small.add(
        .fill, [small.constant([Int32(1 << 22)]), small.constant([Float(1)], shape: [])], [small.output(.float32, [])])
    }
    #expect(try compile(small).operatorNames == ["FILL"])
    var large = TestGraph()
    for _ in 0..<5 {
      let weights = large.constant([Int8](repeating: 3, count: 1 << 20), scale: 0.5)
      large.add(.dequantize, [weights], [large.output(.float32, [1 << 20])], version: 2)
    }
    #expect(try compile(large) { $0.foldedBytes = 0 }.operatorNames.isEmpty)
  }

  @Test("rejects constants that together expand beyond the limit")
  func limitsExpansion() throws {
    var graph = TestGraph()
    for _ in 0..<2 {
      let packed = try Tensor(elementType: .int4, shape: [100], bytes: [UInt8](repeating: 0x21, count: 50))
      graph.add(.cast, [graph.constant(packed)], [graph.output(.float32, [100])], options: CastOptions.empty)
    }
    #expect(try compile(graph).outputs.count == 2)
    // Pretend that the file is empty, because its size would raise the limit.
    var file = try graph.model().file
    file.bytes = .empty
    var options = RuntimeOptions()
    options.limits.foldedBytes = 200
    #expect(
      try GraphBuilder.build(file, subgraph: 0, options: options, operators: OperatorCatalog.type(for:))
        .expandedByteCount == 200)
    options.limits.foldedBytes = 199
    let error = #expect(throws: RuntimeError.self) {
      try GraphBuilder.build(file, subgraph: 0, options: options, operators: OperatorCatalog.type(for:))
    }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("raise RuntimeOptions.limits.foldedBytes") == true)
    #expect(error?.location?.tensor == "t2")
  }

  @Test("rejects weights that together are packed beyond the limit")
  func limitsPacking() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 64])
    for index in 0..<3 {
      let weights = graph.constant((0..<(64 * 64)).map { Float($0 + index) }, shape: [64, 64])
      graph.add(
        .fullyConnected, [input, weights, nil], [graph.output(.float32, [1, 64])], options: FullyConnectedOptions.empty)
    }
    let needed = try compile(graph).packedConstantsByteCount
    #expect(try compile(graph) { $0.arenaBytes = needed }.packedConstantsByteCount == needed)
    let error = #expect(throws: RuntimeError.self) { try compile(graph) { $0.arenaBytes = needed - 1 } }
    #expect(error?.code == .limitExceeded)
    #expect(error?.location?.operatorIndex == 2)
  }

  @Test("rejects operators that request too much memory per thread")
  func limitsWorkerScratch() throws {
    var graph = TestGraph()
    let pool = Pool2DOptions.with {
      [$0.strideWidth(1), $0.strideHeight(1), $0.filterWidth(1), $0.filterHeight(1)]
    }
    graph.add(
      .averagePool2D, [graph.input(.int16, [1, 1, 1, 5000])], [graph.output(.int16, [1, 1, 1, 5000])],
      options: pool)
    #expect(try compile(graph).operatorNames == ["AVERAGE_POOL_2D"])
    let error = #expect(throws: RuntimeError.self) { try compile(graph) { $0.tensorBytes = 10_000 } }
    #expect(error?.code == .limitExceeded)
    #expect(error?.location?.operatorName == "AVERAGE_POOL_2D")
  }

  // MARK: Subgraphs

  @Test("rejects subgraphs whose inlining would explode")
  func limitsInlining() throws {
    func calls(_ subgraph: Int?) -> TestGraph {
      var graph = TestGraph()
      let input = graph.input(.float32, [1])
      var value = input
      for _ in 0..<10 {
        guard let subgraph else { break }
        let next = graph.tensor(.float32, [1])
        graph.add(
          .stablehloComposite, [value], [next],
          options: StableHLOCompositeOptions.with { [$0.name("f"), $0.decompositionSubgraphIndex(subgraph)] })
        value = next
      }
      graph.addOutput(value)
      return graph
    }
    // Ten to the eighth operators, none of which computes anything.
    let graphs = (1...8).map { calls($0 == 8 ? nil : $0 + 1) }
    let operators = #expect(throws: RuntimeError.self) { try compile(calls(1), graphs) { $0.operators = 3000 } }
    #expect(operators?.code == .limitExceeded)
    let tensors = #expect(throws: RuntimeError.self) { try compile(calls(1), graphs) { $0.tensors = 3000 } }
    #expect(tensors?.code == .limitExceeded)
  }

  @Test("stops nested loops after the maximum number of iterations of one loop")
  func limitsNestedLoops() throws {
    func loop(condition: Int32, body: Int32) -> TestGraph {
      var graph = TestGraph()
      graph.add(
        .whileLoop, [graph.input(.float32, [1])], [graph.output(.float32, [1])],
        options: WhileOptions.with { [$0.conditionSubgraphIndex(condition), $0.bodySubgraphIndex(body)] })
      return graph
    }
    var always = TestGraph()
    _ = always.input(.float32, [1])
    always.addOutput(always.constant([true]))
    var identity = TestGraph()
    identity.addOutput(identity.input(.float32, [1]))
    var options = RuntimeOptions()
    options.limits.subgraphRuns = 100
    let session = try loop(condition: 2, body: 1).session(
      [loop(condition: 2, body: 3), always, identity], options: options)
    let error = #expect(throws: RuntimeError.self) { try session.run([Tensor([Float(1)], shape: [1])]) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("100") == true)
  }
}
