import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks the values that a graph passes to a subgraph and receives from it.
@Suite("Subgraph boundaries")
struct SubgraphBoundaryTests {
  /// The operator with which a graph runs subgraph 1.
  enum Caller: CaseIterable, Sendable {
    case call, composite, branch, choice, loop

    /// Adds the operator with its options, and with the inputs that precede the arguments.
    func add(to graph: inout TestGraph, _ arguments: [Int], _ results: [Int]) {
      switch self {
      case .call: graph.add(.call, arguments, results, options: CallOptions.with { [$0.subgraph(1)] })
      case .composite:
        graph.add(
          .stablehloComposite, arguments, results,
          options: StableHLOCompositeOptions.with { [$0.name("f"), $0.decompositionSubgraphIndex(1)] })
      case .branch:
        graph.add(
          .ifElse, [graph.constant([true])] + arguments, results,
          options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] })
      case .choice:
        graph.add(
          .stablehloCase, [graph.constant([Int32(0)])] + arguments, results,
          options: StableHLOCaseOptions.with { [$0.branchSubgraphIndices([1])] })
      case .loop:
        graph.add(
          .whileLoop, arguments, results,
          options: WhileOptions.with { [$0.conditionSubgraphIndex(2), $0.bodySubgraphIndex(1)] })
      }
    }
  }

  /// One side of a boundary.
  struct Side {
    var type = ElementType.float32
    var shape = [4]
    var scale: Float?
  }

  /// Returns a graph that passes `argument` to a subgraph of one NEG and receives `result` from it.
  private func model(
    _ caller: Caller, argument: Side = Side(), parameter: Side = Side(), output: Side = Side(), result: Side = Side()
  ) throws -> Model {
    var callee = TestGraph()
    callee.add(
      .neg, [callee.input(parameter.type, parameter.shape, scale: parameter.scale)],
      [callee.output(output.type, output.shape, scale: output.scale)])
    var condition = TestGraph()
    _ = condition.input(parameter.type, parameter.shape, scale: parameter.scale)
    condition.addOutput(condition.constant([false]))
    var graph = TestGraph()
    let input = graph.input(argument.type, argument.shape, scale: argument.scale)
    caller.add(to: &graph, [input], [graph.output(result.type, result.shape, scale: result.scale)])
    return try graph.model([callee, condition])
  }

  @Test("accept equal tensors on both sides", arguments: Caller.allCases)
  func accepts(caller: Caller) throws {
    let session = try Session(try CompiledModel(try model(caller)))
    let result = try session.run([Tensor([Float(1), 2, 3, 4], shape: [4])])
    #expect(try result[0].values() == (caller == .loop ? [Float(1), 2, 3, 4] : [-1, -2, -3, -4]))
  }

  @Test("reject a different type of an argument or result", arguments: Caller.allCases)
  func refusesTypes(caller: Caller) throws {
    let argument = try model(
      caller, argument: Side(type: .int64), result: Side(type: caller == .loop ? .int64 : .float32))
    let result = try model(caller, result: Side(type: .int64))
    for model in [argument, result] {
      let error = #expect(throws: RuntimeError.self) { try CompiledModel(model) }
      #expect(error?.code == .invalidModel)
      #expect(error?.message.contains("another type") == true)
      #expect(error?.location?.operatorIndex == 0)
    }
  }

  @Test("reject different quantization, but accept a side without quantization", arguments: Caller.allCases)
  func refusesQuantization(caller: Caller) throws {
    func side(_ scale: Float?) -> Side { Side(type: .int8, scale: scale) }
    for (argument, parameter, output, result, isAccepted) in [
      (0.5, 0.5, 0.5, 0.5, true), (0.5, 0.25, 0.25, 0.25, false), (0.5, 0.5, 0.5, 0.25, false),
    ] as [(Float, Float, Float, Float, Bool)] {
      let model = try model(
        caller, argument: side(argument), parameter: side(parameter), output: side(output), result: side(result))
      let error = refusal(of: model)
      #expect(error?.message.contains("quantized in another way") == (isAccepted ? nil : true))
    }
  }

  private func refusal(of model: Model) -> RuntimeError? {
    do {
      _ = try CompiledModel(model)
      return nil
    } catch {
      return error
    }
  }

  @Test("reject a different shape if the subgraph is inlined", arguments: [Caller.call, .composite])
  func refusesShapes(caller: Caller) throws {
    #expect(refusal(of: try model(caller, argument: Side(shape: [5])))?.message.contains("another shape") == true)
    #expect(refusal(of: try model(caller, result: Side(shape: [2, 2])))?.message.contains("another shape") == true)
    #expect(refusal(of: try model(caller, result: Side(shape: []))) == nil)
  }

  @Test("reject a different number of arguments or results", arguments: Caller.allCases)
  func refusesCounts(caller: Caller) throws {
    for (arguments, results) in [(2, 2), (0, 0)] {
      var callee = TestGraph()
      callee.add(.neg, [callee.input(.float32, [4])], [callee.output(.float32, [4])])
      var condition = TestGraph()
      condition.addOutput(condition.constant([false]))
      var graph = TestGraph()
      let inputs = (0..<arguments).map { _ in graph.input(.float32, [4]) }
      caller.add(to: &graph, inputs, (0..<results).map { _ in graph.output(.float32, [4]) })
      let error = refusal(of: try graph.model([callee, condition]))
      #expect(error?.code == .invalidModel)
      #expect(error?.message.contains("inputs") == true)
    }
  }

  @Test("reject a tensor that is both an argument and the result of a call")
  func refusesLoops() throws {
    var callee = TestGraph()
    callee.addOutput(callee.input(.float32, [4]))
    var graph = TestGraph()
    let value = graph.tensor(.float32, [4])
    graph.add(.call, [value], [value], options: CallOptions.with { [$0.subgraph(1)] })
    graph.addOutput(value)
    #expect(throws: RuntimeError.self) { try graph.model([callee]) }
  }

  @Test("compare the tensors that a reducer works on", arguments: [ElementType.float32, .int32, .int64])
  func refusesReducers(type: ElementType) throws {
    var reducer = TestGraph()
    let ends = [reducer.input(type, []), reducer.input(type, [])]
    reducer.add(.stablehloAdd, ends, [reducer.output(type, [])])
    var graph = TestGraph()
    let input = graph.input(.float32, [4])
    graph.add(
      .stablehloReduceWindow, [input, graph.constant([Float(0)], shape: [])], [graph.output(.float32, [3])],
      options: StableHLOReduceWindowOptions.with { [$0.windowDimensions([2]), $0.bodySubgraphIndex(1)] })
    let error = refusal(of: try graph.model([reducer]))
    #expect((error == nil) == (type == .float32), "\(String(describing: error))")
  }
}
