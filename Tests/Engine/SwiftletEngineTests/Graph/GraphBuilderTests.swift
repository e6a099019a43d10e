import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("Graphs built from model files")
struct GraphBuilderTests {
  private func compile(_ model: Model, _ change: (inout RuntimeOptions.Limits) -> Void = { _ in }) throws
    -> CompiledModel
  {
    var options = RuntimeOptions()
    change(&options.limits)
    return try CompiledModel(model, options: options)
  }

  private func refusal(_ model: Model, _ change: (inout RuntimeOptions.Limits) -> Void = { _ in }) -> RuntimeError? {
    thrownError { try compile(model, change) }
  }

  /// Returns a chain of `count` operators, with an optional call of subgraph 1, which adds two more.
  private func chain(_ count: Int, callsOther: Bool = false) throws -> Model {
    var graph = TestGraph()
    var value = graph.input(.float32, [2])
    for _ in 0..<count {
      let next = graph.tensor(.float32, [2])
      graph.add(.neg, [value], [next])
      value = next
    }
    if callsOther {
      let next = graph.tensor(.float32, [2])
      graph.add(.call, [value], [next], options: CallOptions.with { [$0.subgraph(1)] })
      value = next
    }
    graph.addOutput(value)
    var other = TestGraph()
    let x = other.input(.float32, [2]), middle = other.tensor(.float32, [2])
    other.add(.neg, [x], [middle])
    other.add(.neg, [middle], [other.output(.float32, [2])])
    return try graph.model([other])
  }

  // MARK: Limits

  @Test("exactly the maximum number of operators is accepted, including inlined subgraphs")
  func operators() throws {
    let model = try chain(3, callsOther: true)
    #expect(try compile(model) { $0.operators = 6 }.operatorNames.count == 5)
    let error = refusal(model) { $0.operators = 5 }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message == "more than 5 operators; raise RuntimeOptions.limits.operators if this is intended")
    #expect(error?.location == .init(subgraph: 1, operatorIndex: 1, operatorName: "NEG"))
    #expect(refusal(model) { $0.operators = 3 }?.location?.operatorIndex == 3)
  }

  @Test("exactly the maximum number of tensors is accepted, including inlined subgraphs")
  func tensors() throws {
    // Five tensors of the main graph, three of the other graph.
    let model = try chain(3, callsOther: true)
    #expect(try compile(model) { $0.tensors = 8 }.operatorNames.count == 5)
    let error = refusal(model) { $0.tensors = 7 }
    #expect(error?.code == .limitExceeded && error?.location == .init(subgraph: 1))
    #expect(error?.message == "more than 7 tensors; raise RuntimeOptions.limits.tensors if this is intended")
    #expect(refusal(model) { $0.tensors = 4 }?.location == .init(subgraph: 0))
  }

  @Test("tensors of exactly the maximum rank are accepted")
  func rank() throws {
    var graph = TestGraph()
    graph.add(.neg, [graph.input(.float32, [1, 2, 3])], [graph.output(.float32, [1, 2, 3])])
    let model = try graph.model()
    _ = try compile(model) { $0.rank = 3 }
    let error = refusal(model) { $0.rank = 2 }
    #expect(error?.code == .limitExceeded && error?.message == "rank 3 is above the limit of 2")
    #expect(error?.location == .init(subgraph: 0, tensor: "t0"))
  }

  @Test("calls nest up to the depth limit and no deeper", arguments: [true, false])
  func callDepth(isInlined: Bool) throws {
    // Subgraph i calls i + 1; the last one computes.
    func graph(_ callee: Int?) -> TestGraph {
      var graph = TestGraph()
      let x = graph.input(.float32, [2]), y = graph.output(.float32, [2])
      if let callee, isInlined {
        graph.add(.call, [x], [y], options: CallOptions.with { [$0.subgraph(callee)] })
      } else if let callee {
        graph.add(
          .ifElse, [graph.constant([true]), x], [y],
          options: IfOptions.with { [$0.thenSubgraphIndex(callee), $0.elseSubgraphIndex(callee)] })
      } else {
        graph.add(.neg, [x], [y])
      }
      return graph
    }
    let model = try graph(1).model([graph(2), graph(3), graph(nil)])
    _ = try compile(model) { $0.callDepth = 3 }
    let error = refusal(model) { $0.callDepth = 2 }
    #expect(error?.code == .limitExceeded && error?.message == "subgraphs call each other more than 2 deep")
    #expect(error?.location?.subgraph == 3)
  }

  @Test("variables and constants may have the maximum size of a tensor, but no more")
  func tensorBytes() throws {
    var graph = TestGraph()
    let axis = graph.constant([Int32(0)])
    for tensor in [graph.variable(.float32, [10]), graph.constant([Float](repeating: 1, count: 10))] {
      graph.add(.sum, [tensor, axis], [graph.output(.float32, [])])
    }
    let model = try graph.model()
    _ = try compile(model) { $0.tensorBytes = 40 }
    let error = refusal(model) { $0.tensorBytes = 39 }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message == "variable 't1' float32[10] is larger than the limit of 39 bytes a tensor")
    var constant = TestGraph()
    constant.add(
      .sum, [constant.constant([Float](repeating: 1, count: 10)), constant.constant([Int32(0)])],
      [constant.output(.float32, [])])
    #expect(
      refusal(try constant.model()) { $0.tensorBytes = 39 }?.message
        == "constant 't0' float32[10] is larger than the limit of 39 bytes a tensor")
  }

  @Test("only existing subgraphs may be called")
  func subgraphNumbers() throws {
    let file = try chain(1).file
    for index in [-1, 2] {
      let error: RuntimeError? = thrownError {
        try GraphBuilder.build(
          file, subgraph: index, options: RuntimeOptions(), operators: OperatorCatalog.type(for:))
      }
      #expect(error?.code == .invalidModel && error?.message == "the model has no subgraph \(index); it has 2")
    }
    let graph = try GraphBuilder.build(
      file, subgraph: 1, options: RuntimeOptions(), operators: OperatorCatalog.type(for:))
    #expect(graph.nodes.map(\.location.operatorIndex) == [0, 1] && graph.nodes.map(\.number) == [1, 2])
    #expect(graph.inputs.map(\.name) == ["t0"] && graph.outputs.map(\.value) == [2] && graph.expandedByteCount == 0)
    #expect(graph.outputs[0].isRead && graph.strings == nil && graph.initializationSubgraphs.isEmpty)
  }

  // MARK: Unsupported operators

  @Test("a missing operator is described with its location, tensors, and reason")
  func unsupported() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2]), y = graph.tensor(.float32, [2])
    graph.leaveOpen(x, [-1])
    graph.add(custom: "Unheard", [x, nil], [y], version: 3)
    graph.add(.neg, [y], [graph.output(.float32, [2])], version: 77)
    let model = try graph.model()
    let missing = model.support().unsupportedOperators
    #expect(
      missing[0].description
        == "Unheard version 3 at operator 0 ('t0' float32[2]) → ('t1' float32[2]): this operator is not supported")
    #expect(missing[0].code == 32 && missing[0].isCustom && missing[0].version == 3 && missing[0].subgraph == 0)
    #expect(missing[0].inputs.map(\.shapeSignature) == [[-1]] && missing[0].outputs.map(\.name) == ["t1"])
    #expect(missing[1].code == 59 && !missing[1].isCustom && missing[1].index == 1 && missing[1].name == "NEG")
    #expect(missing[1].reason.hasPrefix("versions 1 to ") && missing[1].reason.hasSuffix(" are supported"))
    let error = refusal(model)
    #expect(
      error?.code == .unsupportedOperators && error?.message.hasPrefix("2 operators are not supported: Unh") == true)
    var one = TestGraph()
    one.add(custom: "Unheard", [one.input(.float32, [2])], [one.output(.float32, [2])])
    #expect(refusal(try one.model())?.message.hasPrefix("1 operator is not supported: Unheard version 1") == true)
  }

  @Test("an operator that is newer than the schema has no code")
  func unknownBuiltin() {
    let subgraph = Subgraph(
      tensors: [TensorDescription(name: "x", type: .int8, shape: [1])], inputs: [0], outputs: [0],
      operators: [
        OperatorDescription(
          code: OperatorCode(kind: .custom(OperatorKind.unknownBuiltinPrefix + "250"), version: 2), inputs: [nil, 0],
          outputs: [0])
      ])
    let operation = UnsupportedOperator(subgraph, subgraph: 4, index: 0, reason: "new")
    #expect(operation.code == nil && !operation.isCustom && operation.inputs.count == 1)
    #expect(operation.description.contains(" version 2 at operator 0 of subgraph 4 ('x' int8[1]) → ('x' int8[1]): new"))
  }

  @Test("incompatible types are reported with the compatible ones")
  func types() throws {
    var graph = TestGraph()
    graph.add(.logicalNot, [graph.input(.float32, [2])], [graph.output(.float32, [2])])
    let reason = try graph.model().support().unsupportedOperators[0].reason
    #expect(reason.hasPrefix("types float32 → float32 are not supported, but "))
    #expect(reason.contains("bool → bool"))
  }

  @Test("versions of added operators are named")
  func addedVersions() throws {
    var graph = TestGraph()
    graph.add(custom: "Own", [graph.input(.float32, [4])], [graph.output(.float32, [4])], version: 3)
    var model = try graph.model()
    model.addOperator(named: "Own", versions: 4...6) { _ in Mistaken(mistake: .run) }
    #expect(model.support().unsupportedOperators[0].reason == "versions 4 to 6 were added to the model")
    model.addOperator(named: "Own", versions: 3...3) { _ in Mistaken(mistake: .run) }
    #expect(model.support().unsupportedOperators.isEmpty)
  }

  @Test("operators of called subgraphs are found too")
  func callees() throws {
    var callee = TestGraph()
    callee.add(custom: "Inner", [callee.input(.float32, [2])], [callee.output(.float32, [2])])
    var graph = TestGraph()
    graph.add(
      .ifElse, [graph.constant([true]), graph.input(.float32, [2])], [graph.output(.float32, [2])],
      options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] })
    let missing = try graph.model([callee]).support().unsupportedOperators
    #expect(missing.map(\.name) == ["Inner"] && missing.map(\.subgraph) == [1])
  }

  // MARK: Values

  @Test("an output whose declared type contradicts its operator gets the inferred type")
  func correctedTypes() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2]), y = graph.tensor(.int8, [2])
    graph.add(.neg, [x], [y])
    graph.add(.neg, [y], [graph.output(.float32, [2])])
    let compiled = try CompiledModel(try graph.model())
    #expect(try Session(compiled).run([Tensor([Float(1), -2], shape: [2])])[0].values(as: Float.self) == [1, -2])
    var wrong = TestGraph()
    wrong.add(.less, [wrong.input(.float32, [1]), wrong.input(.float32, [1])], [wrong.output(.string, [1])])
    #expect(try wrong.model().support().unsupportedOperators.count == 1)
  }

  @Test("inputs of inlined subgraphs must not be omitted")
  func leftOutInputs() throws {
    var callee = TestGraph()
    callee.add(.add, [callee.input(.float32, [2]), callee.input(.float32, [2])], [callee.output(.float32, [2])])
    var graph = TestGraph()
    graph.add(
      .call, [graph.input(.float32, [2]), nil], [graph.output(.float32, [2])],
      options: CallOptions.with { [$0.subgraph(1)] })
    let error = refusal(try graph.model([callee]))
    #expect(error?.code == .invalidModel && error?.message == "leaves out an input of subgraph 1")
    #expect(error?.location?.operatorName == "CALL")
  }

  @Test("zero points are clamped to 32 bits, and per-channel scales keep their axis")
  func quantization() throws {
    var graph = TestGraph()
    let weights = graph.constant([Int8](repeating: 1, count: 6), shape: [2, 3])
    graph.quantize(weights, QuantizationParameters(scales: [1, 2, 4], zeroPoints: [0, 1, 2], axis: 1))
    graph.addOutput(weights)
    let graphs = try GraphBuilder.build(
      try graph.model().file, subgraph: 0, options: RuntimeOptions(), operators: OperatorCatalog.type(for:))
    #expect(
      graphs.values.specs[0].quantization
        == QuantizationParameters(scales: [1, 2, 4], zeroPoints: [0, 1, 2], axis: 1))
    #expect(GraphBuilder.spec(of: TensorDescription(name: "n", type: .int4, shape: [3])).elementType == .int8)
  }

  @Test("a model's support covers all signatures, with the first error")
  func support() throws {
    var graph = TestGraph()
    graph.add(custom: "First", [graph.input(.float32, [2])], [graph.output(.float32, [2])])
    var other = TestGraph()
    let x = other.input(.float32, [2]), y = other.output(.float32, [2])
    other.add(custom: "Second", [x], [y])
    other.addSignature("other", inputs: [("x", x)], outputs: [("y", y)])
    let support = try graph.model([other]).support(operators: OperatorCatalog.type(for:), options: RuntimeOptions())
    #expect(support.unsupportedOperators.map(\.name) == ["First", "Second"] && !support.isSupported)
    #expect(support.error == nil)
    var options = RuntimeOptions()
    options.limits.tensors = 1
    let limited = try graph.model([other]).support(operators: OperatorCatalog.type(for:), options: options)
    #expect(limited.unsupportedOperators.isEmpty && !limited.isSupported)
    #expect(limited.error?.code == .limitExceeded && limited.error?.location?.subgraph == 0)
    var fine = TestGraph()
    fine.add(.neg, [fine.input(.float32, [2])], [fine.output(.float32, [2])])
    #expect(try fine.model().support(operators: OperatorCatalog.type(for:), options: RuntimeOptions()).isSupported)
  }

  @Test("a subgraph that only checks a delegate is neither run nor inlined")
  func validationSubgraphs() throws {
    var file = try chain(1, callsOther: true).file
    file.subgraphs[1].name = "VALIDATION:x"
    file.subgraphs[1].isRunnable = false
    for subgraph in 0..<2 {
      let error: RuntimeError? = thrownError {
        try GraphBuilder.build(
          file, subgraph: subgraph, options: RuntimeOptions(), operators: OperatorCatalog.type(for:))
      }
      #expect(error?.code == .invalidModel)
      #expect(error?.message == "subgraph 1 'VALIDATION:x' only checks a delegate, it cannot run")
      #expect(error?.location?.operatorName == (subgraph == 0 ? "CALL" : nil))
    }
  }

  @Test("block scales come from the tensor that contains them")
  func blocks() throws {
    var graph = TestGraph()
    let scales = graph.constant([Float(1), 2]),
      weights = graph.constant([Int8](repeating: 1, count: 64), shape: [1, 64])
    graph.quantize(weights, inBlocksOf: 32, scales: scales)
    graph.addOutput(weights)
    let built = try GraphBuilder.build(
      try graph.model().file, subgraph: 0, options: RuntimeOptions(), operators: OperatorCatalog.type(for:))
    #expect(built.values.blocks[weights]?.scales == scales && built.values.blocks[weights]?.size == 32)
    #expect(built.values.blocks[weights]?.axes == [] && built.values.blocks[scales] == nil)
  }

  @Test("a tensor that an operator passes through counts again")
  func passedThroughTensors() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [4])
    graph.add(custom: "Same", [data], [data])
    graph.addOutput(data)
    var model = try graph.model()
    model.addOperator(named: "Same") { _ in Mistaken(mistake: .run) }
    _ = try compile(model) { $0.tensors = 2 }
    let error = refusal(model) { $0.tensors = 1 }
    #expect(error?.code == .limitExceeded && error?.location?.operatorName == "Same")
  }
}
