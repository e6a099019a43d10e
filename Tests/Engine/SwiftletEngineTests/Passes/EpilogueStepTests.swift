import SwiftletKernels
import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// A convolution with weights and a bias, followed by an elementwise operator with another operand.
private let stepPattern: PassGraph = {
  var graph = PassGraph()
  for _ in 0..<6 { _ = graph.value() }
  graph.add("conv", StubConvolution(), [0, 1, 2], [3])
  graph.add("add", StubStep.binary(.add, clamp: .relu), [4, 3], [5])
  graph.kept = [5]
  return graph
}()

/// A convolution of a value times the logistic function of the same value.
private let gatePattern: PassGraph = {
  var graph = PassGraph()
  for _ in 0..<4 { _ = graph.value() }
  graph.add("conv", StubConvolution(), [0], [1])
  graph.add("logistic", StubStep.logistic, [0], [2])
  graph.add("mul", StubStep.multiply, [1, 2], [3])
  graph.kept = [3]
  return graph
}()

@Suite("Epilogue steps")
struct EpilogueStepTests {
  private func epilogue(_ node: Node) -> [String] {
    ((node.operation as? StubConvolution)?.epilogue ?? []).map(\.text)
  }

  @Test("a product reads the other operand after its own inputs, and writes the result")
  func step() throws {
    let nodes = try stepPattern.after(EpilogueFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["conv"])
    #expect(nodes[0].inputs == [0, 1, 2, 4] && nodes[0].outputs == [5])
    #expect(epilogue(nodes[0]) == ["add 3 tensor relu"])
  }

  @Test("operands follow the positions for data, weights, and bias, in order")
  func operands() throws {
    var graph = stepPattern
    graph.nodes[0].inputs = [0, 1]
    let slopes = graph.value(), second = graph.value(), last = graph.value()
    graph.add("prelu", StubStep.binary(.parametricRelu, isVector: true), [5, slopes], [second])
    graph.add("logistic", StubStep.logistic, [second], [last])
    graph.kept = [last]
    let nodes = try graph.after(EpilogueFusion.run)
    #expect(nodes.count == 1 && nodes[0].outputs == [last])
    #expect(nodes[0].inputs == [0, 1, nil, 4, slopes])
    #expect(epilogue(nodes[0]) == ["add 3 tensor relu", "parametricRelu 4 vector none", "logistic"])
  }

  @Test("the later of two products fuses the addition, at its position")
  func laterProduct() throws {
    var graph = PassGraph()
    for _ in 0..<5 { _ = graph.value() }
    graph.add("first", StubConvolution(), [0], [1])
    graph.add("second", StubConvolution(), [0], [2])
    graph.add("between", StubPlain(), [0], [4])
    graph.add("add", StubStep.binary(.add), [2, 1], [3])
    graph.kept = [3, 4]
    let nodes = try graph.after(EpilogueFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["first", "between", "second"])
    #expect(nodes[2].inputs == [0, nil, nil, 1] && epilogue(nodes[2]) == ["add 3 tensor none"])
  }

  static let misses = [
    NearMiss("another operator behind") { $0.nodes[1].operation = StubPlain() },
    NearMiss("no step of the input") { $0.nodes[1].operation = StubStep(StubStep.multiply.steps[0], nil) },
    NearMiss("two results") { $0.nodes[1].outputs = [5, $0.value()] },
    NearMiss("another type") { $0.values.specs[3].elementType = .float16 },
    NearMiss("a kept value between") { $0.kept = [3, 5] },
    NearMiss("another reader") { $0.add("other", StubPlain(), [3], [$0.value()]) },
    NearMiss("the operator as its second reader") { $0.nodes[1].inputs = [3, 3] },
    NearMiss("no producer") { $0.nodes[0].outputs = [0] },
    NearMiss("a producer that takes only activations") { $0.nodes[0].operation = StubHost() },
    NearMiss("a producer of two values") { $0.nodes[0].outputs = [3, $0.value()] },
    NearMiss("a variable as data") { $0.makeVariable(0) },
    NearMiss("a variable as bias") { $0.makeVariable(2) },
    NearMiss("quantized data") { $0.values.specs[0].elementType = .int8 },
    NearMiss("quantized weights") { $0.values.specs[1].elementType = .int8 },
    NearMiss("a quantized bias") {
      $0.values.specs[2].elementType = .int8
      $0.nodes[0].operation = StubConvolution(takesEpilogueOfDynamicRange: true)
    },
    NearMiss("weights of 16 bits") {
      $0.values.specs[1].elementType = .int16
      $0.nodes[0].operation = StubConvolution(takesEpilogueOfDynamicRange: true)
    },
    NearMiss("quantized weights in blocks") {
      $0.values.specs[1].elementType = .int8
      $0.nodes[0].operation = StubConvolution(takesEpilogueOfDynamicRange: true)
      $0.values.blocks[1] = BlockQuantization(scales: 2, size: 32, axes: [])
    },
    NearMiss("eight steps that it has already") {
      $0.nodes[0].operation = StubConvolution(
        epilogue: [EpilogueStep](repeating: .unary(UnaryFloatKernel(operation: .elu)), count: 8))
    },
  ]

  @Test("an elementwise node isn't fused for", arguments: misses)
  func stays(_ miss: NearMiss) throws {
    let graph = miss.changing(stepPattern)
    #expect(try graph.names(after: EpilogueFusion.run) == graph.nodes.map { $0.location.operatorName })
  }

  @Test(
    "quantized weights and an omitted bias are accepted if the product supports them",
    arguments: [.int8, .uint8] as [ElementType])
  func dynamicRange(type: ElementType) throws {
    var graph = stepPattern
    graph.values.specs[1].elementType = type
    graph.nodes[0].inputs[2] = nil
    graph.nodes[0].operation = StubConvolution(takesEpilogueOfDynamicRange: true)
    #expect(try graph.names(after: EpilogueFusion.run) == ["conv"])
    #expect(!StubHostOfEpilogue().takesEpilogueOfDynamicRange)
  }

  @Test("an eighth step is fused")
  func lastStep() throws {
    var graph = stepPattern
    graph.nodes[0].operation = StubConvolution(
      epilogue: [EpilogueStep](repeating: .unary(UnaryFloatKernel(operation: .elu)), count: 7))
    let nodes = try graph.after(EpilogueFusion.run)
    #expect(nodes.count == 1 && epilogue(nodes[0]).count == 8)
  }

  // MARK: Products of two values

  @Test("a value times a function of another one is a step with an operand")
  func otherGate() throws {
    let graph = gatePattern
    let nodes = try graph.after(EpilogueFusion.run)
    #expect(nodes.map(\.location.operatorName) == ["logistic", "conv"])
    #expect(epilogue(nodes[1]) == ["multiply 3 tensor none"] && nodes[1].inputs == [0, nil, nil, 2])
  }

  @Test("replacing the operand of a step keeps its other parts, and has no effect on a step without an operand")
  func readingOperand() {
    let step = EpilogueStep.binary(.subtract, operand: 1, isVector: true, clamp: .relu6)
    #expect(step.readingOperand(at: 7).text == "subtract 7 vector relu6")
    #expect(EpilogueStep.unary(UnaryFloatKernel(operation: .gelu)).readingOperand(at: 7).text == "gelu")
    #expect(EpilogueStep.replaceNaN.readingOperand(at: 7).text == "replaceNaN")
    let kernel = UnaryFloatKernel(operation: .clamp, first: 2, second: 3)
    #expect(kernel.first == 2 && kernel.second == 3)
    #expect(UnaryFloatKernel(operation: .clamp).first == 0 && UnaryFloatKernel(operation: .clamp).second == 0)
  }

  @Test("activations are clamps of real values")
  func floatRanges() {
    func range(_ activation: FusedActivation) -> [Float] { [activation.floatRange.lower, activation.floatRange.upper] }
    #expect(range(.relu) == [0, .infinity] && range(.reluN1To1) == [-1, 1] && range(.relu6) == [0, 6])
    for open in [FusedActivation.none, .tanh, .signBit] { #expect(range(open) == [-.infinity, .infinity]) }
  }
}

/// A product that doesn't declare whether it fuses an epilogue with quantized weights.
private struct StubHostOfEpilogue: StubOperator, TakesEpilogue {
  var epilogue: [EpilogueStep] = []
  func fusing(_ activation: FusedActivation) -> Self? { nil }
}

@Suite("Fusion protocols of operators")
struct FusionTests {
  /// Returns which of the eight roles a fusion supports, in the order of the type.
  private func answers(_ fusion: Fusion) -> [Bool] {
    [
      fusion.fusingActivation != nil, fusion.takingEpilogue != nil, fusion.convolution != nil, fusion.squaring != nil,
      fusion.activation != nil, fusion.padding != nil, fusion.quantizedClamp != nil, fusion.epilogueOperator != nil,
    ]
  }

  private func expect(_ operation: any Operator, _ places: Int..., sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      answers(operation.fusion).indices.filter { answers(operation.fusion)[$0] } == places,
      sourceLocation: sourceLocation)
  }

  @Test("follows from their protocol conformances")
  func protocols() {
    expect(StubPlain())
    expect(StubHost(), 0)
    expect(StubHostOfEpilogue(), 0, 1)
    expect(StubConvolution(), 0, 1, 2)
    expect(StubReduction(), 3)
    expect(StubActivation(.relu), 4)
    expect(StubPadding(), 5)
    expect(StubClamp(), 6)
    expect(StubStep(nil), 7)
    expect(ClampingHost(), 0, 6)
    expect(SteppingHost(), 0, 7)
    #expect(answers(Fusion()) == [Bool](repeating: false, count: 8))
  }

  private struct ClampingHost: StubOperator, FusesActivation, QuantizedClampOperator {
    func fusing(_ activation: FusedActivation) -> Self? { nil }
    func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)? { nil }
  }

  private struct SteppingHost: StubOperator, FusesActivation, EpilogueOperator {
    func fusing(_ activation: FusedActivation) -> Self? { nil }
    func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep? { nil }
  }
}
