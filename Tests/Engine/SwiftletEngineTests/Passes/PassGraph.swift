import SwiftletKernels
import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// Nodes for testing a single pass, with operators that only declare their capabilities.
struct PassGraph {
  var values = ValueSet()
  var nodes: [Node] = []
  var kept: [ValueID] = []

  mutating func value(_ type: ElementType = .float32, _ shape: Shape = [2, 3], scale: Float? = nil) -> ValueID {
    values.specs.append(
      TensorSpec(
        name: "v\(values.specs.count)", elementType: type, shape: shape,
        quantization: scale.map { QuantizationParameters(scale: $0, zeroPoint: 1) }))
    return values.specs.count - 1
  }

  mutating func add(
    _ name: String, _ operation: any Operator, _ inputs: [ValueID?], _ outputs: [ValueID],
    replacedInputs: [ValueID?] = []
  ) {
    nodes.append(
      Node(
        location: .init(subgraph: 0, operatorIndex: nodes.count, operatorName: name), number: nodes.count + 1,
        operation: operation, inputs: inputs, outputs: outputs, replacedInputs: replacedInputs))
  }

  /// Makes a value a variable.
  mutating func makeVariable(_ value: ValueID) { values.variables[value] = .tensor(subgraph: 0, index: value) }

  /// Replaces inputs of a node by others.
  mutating func replaceInputs(ofNode index: Int, by replaced: [ValueID?]) {
    let node = nodes[index]
    nodes[index] = Node(
      location: node.location, number: node.number, operation: node.operation, inputs: node.inputs,
      outputs: node.outputs, replacedInputs: replaced)
  }

  func after(_ pass: (inout [Node], ValueTable, BitSet) throws -> Void) rethrows -> [Node] {
    var nodes = nodes
    try pass(&nodes, ValueTable(values), BitSet(kept))
    return nodes
  }

  func names(after pass: (inout [Node], ValueTable, BitSet) throws -> Void) rethrows -> [String] {
    try after(pass).map { $0.location.operatorName ?? "" }
  }
}

/// A change of a graph that prevents a pass from transforming it.
struct NearMiss: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let change: @Sendable (inout PassGraph) -> Void

  init(_ description: String, _ change: @escaping @Sendable (inout PassGraph) -> Void) {
    testDescription = description
    self.change = change
  }

  func changing(_ graph: PassGraph) -> PassGraph {
    var graph = graph
    change(&graph)
    return graph
  }
}

// MARK: - Operators

protocol StubOperator: Operator {}

extension StubOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("Stub"), versions: 1...1, types: .one(.any, to: .any))
  }
  init(parsing node: NodeReader) throws { throw node.invalid("is a stub") }
  func inferShapes(_ node: NodeView) throws -> [Shape] { [] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}

/// An operator that isn't fused with its neighbors.
struct StubPlain: StubOperator {
  var isPure = true
  var layoutBehavior = LayoutBehavior.fixed
}

/// A convolution that records what is fused into it.
struct StubConvolution: StubOperator, FusingConvolution {
  var activations: [FusedActivation] = []
  var maximumActivations = 1
  var paddings: [ExplicitPadding] = []
  var canFold = true
  var dilation: [Int] = []
  var clamps: [ClosedRange<Int32>] = []
  var epilogue: [EpilogueStep] = []
  var takesEpilogueOfDynamicRange = false

  func fusing(_ activation: FusedActivation) -> Self? {
    guard activations.count < maximumActivations else { return nil }
    var fused = self
    fused.activations.append(activation)
    return fused
  }

  func folding(_ padding: ExplicitPadding) -> Self? {
    guard canFold else { return nil }
    var folded = self
    folded.paddings.append(padding)
    return folded
  }

  func dilating(height: Int, width: Int, padding: ExplicitPadding, _ node: NodeView) -> Self? {
    guard var dilated = folding(padding) else { return nil }
    dilated.dilation = [height, width]
    return dilated
  }

  func clamping(_ quantized: ClosedRange<Int32>) -> Self {
    var clamped = self
    clamped.clamps.append(quantized)
    return clamped
  }
}

/// An operator that can only fuse an activation.
struct StubHost: StubOperator, FusesActivation {
  func fusing(_ activation: FusedActivation) -> Self? { self }
}

struct StubActivation: StubOperator, ActivationOperator {
  var fusedActivation: FusedActivation?
  init(_ activation: FusedActivation?) { fusedActivation = activation }
}

struct StubPadding: StubOperator, PaddingOperator {
  var amount: ExplicitPadding?
  func foldablePadding(_ node: NodeView) throws -> ExplicitPadding? { amount }
}

struct StubBlocks: StubOperator, ImageBlocksOperator {
  var blocks: ImageBlocks?
  func imageBlocks(_ node: NodeView) throws -> ImageBlocks? { blocks }
}

struct StubClamp: StubOperator, QuantizedClampOperator {
  var input: Int?
  var quantized: ClosedRange<Int32> = 3...9
  func quantizedClamp(_ node: NodeView) throws -> (input: Int, quantized: ClosedRange<Int32>)? {
    input.map { ($0, quantized) }
  }
}

/// An elementwise operator with its epilogue step for each input.
struct StubStep: StubOperator, EpilogueOperator {
  var steps: [EpilogueStep?]
  init(_ steps: EpilogueStep?...) { self.steps = steps }
  func epilogueStep(_ node: NodeView, ofInput index: Int) throws -> EpilogueStep? { steps[index] }

  static let logistic = StubStep(.unary(UnaryFloatKernel(operation: .logistic)))
  static let multiply = binary(.multiply)
  static func binary(_ operation: BinaryOperation, isVector: Bool = false, clamp: FusedActivation = .none) -> StubStep {
    StubStep(
      .binary(operation, operand: 1, isVector: isVector, clamp: clamp),
      .binary(operation, operand: 0, isVector: isVector, clamp: clamp))
  }
}

struct StubReduction: StubOperator, SquaringReduction {
  var canSquare = true
  var squares = false
  func squaring(_ node: NodeView) throws -> Self? { canSquare ? StubReduction(squares: true) : nil }
}

/// An operator that permutes the axes of its input.
struct StubTranspose: StubOperator, TransposeLikeOperator {
  var order: [Int]?
  init(_ order: [Int]?) { self.order = order }
  var layoutBehavior: LayoutBehavior { .transpose(self) }
  func permutation(_ node: NodeView) throws -> [Int]? { order }
  func transposing(by permutation: [Int]) -> any Operator { StubTranspose(permutation) }
}

/// An operator that refers to an axis of its first inputs by index.
struct StubNaming: StubOperator, AxisNamingOperator {
  var axis: Int
  var inputCount: Int
  var layoutBehavior: LayoutBehavior { .named(self) }
  func reorderableInputCount(_ node: NodeView) -> Int { inputCount }
  func reordered(_ order: [Int], _ node: NodeView) throws -> any Operator {
    // Returns the new index of the model's `axis`.
    StubNaming(axis: order.firstIndex(of: axis) ?? -1, inputCount: inputCount)
  }
}

extension EpilogueStep {
  /// A summary for comparisons, with one word per part.
  var text: String {
    switch self {
    case .unary(let kernel): "\(kernel.operation)"
    case .replaceNaN: "replaceNaN"
    case .binary(let operation, let operand, let isVector, let clamp):
      "\(operation) \(operand) \(isVector ? "vector" : "tensor") \(clamp)"
    }
  }
}
