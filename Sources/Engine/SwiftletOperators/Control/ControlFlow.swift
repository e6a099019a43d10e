import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// IF: runs one of two subgraphs.
///
/// - Shapes: input 0 contains one Boolean; the others are the inputs of both subgraphs. The outputs are the outputs of
///   the subgraph that ran.
/// - Source: operator 118 of the model format.
struct IfOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.ifElse, versions: 1...1, types: .one(.bool, .any, to: .any))
  }

  private let positive: Int
  private let negative: Int
  var calls: [SubgraphCall] { [positive, negative].map { SubgraphCall(subgraph: $0, firstArgument: 1) } }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...Int.max, outputs: 0...Int.max)
    positive = try node.subgraph(try node.options[IfOptions.thenSubgraphIndex])
    negative = try node.subgraph(try node.options[IfOptions.elseSubgraphIndex])
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    let arguments = try call.arguments()
    let isTrue = try arguments[0].condition(call.location)
    return try call.call(isTrue ? positive : negative, Array(arguments.dropFirst()), call.outputCount)
  }
}

/// STABLEHLO_CASE: runs one of several subgraphs.
///
/// - Shapes: input 0 contains one number, the index of the subgraph to run; the others are the inputs of all subgraphs.
/// - Source: operator 209 of the model format. A number outside the list selects the last subgraph.
struct CaseOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.stablehloCase, versions: 1...1, types: .one(.int32, .any, to: .any))
  }

  private let subgraphs: [Int]
  var calls: [SubgraphCall] { subgraphs.map { SubgraphCall(subgraph: $0, firstArgument: 1) } }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...Int.max, outputs: 0...Int.max)
    subgraphs = try node.options[StableHLOCaseOptions.branchSubgraphIndices].map { try node.subgraph($0) }
    guard !subgraphs.isEmpty else { throw node.invalid("names no subgraph") }
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    let arguments = try call.arguments()
    guard arguments[0].spec.shape.elementCount == 1, arguments[0].memory.count >= 4 else {
      throw RuntimeError(
        .invalidModel, "takes one number to choose by, got \(arguments[0].spec)", location: call.location)
    }
    let position = Int(arguments[0].memory.loadUnaligned(as: Int32.self))
    let subgraph = subgraphs.indices.contains(position) ? subgraphs[position] : subgraphs[subgraphs.count - 1]
    return try call.call(subgraph, Array(arguments.dropFirst()), call.outputCount)
  }
}

/// WHILE: runs a subgraph repeatedly on its own results while a condition subgraph returns true.
///
/// - Shapes: as many inputs as outputs. The results of each iteration are the inputs of the next, and may have other
///   shapes.
/// - Throws: `limitExceeded` in a run once `RuntimeOptions.Limits.subgraphRuns` is used up.
/// - Source: operator 119 of the model format. Without any iteration, the outputs are the inputs.
struct WhileOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.whileLoop, versions: 1...1, types: .one(.any, to: .any))
  }

  private let condition: Int
  private let body: Int
  var calls: [SubgraphCall] {
    [SubgraphCall(subgraph: condition, givesOutputs: false), SubgraphCall(subgraph: body)]
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...Int.max, outputs: 0...Int.max)
    guard node.inputCount == node.outputCount else {
      throw node.invalid("has \(node.inputCount) inputs and \(node.outputCount) outputs; the numbers must be equal")
    }
    condition = try node.subgraph(try node.options[WhileOptions.conditionSubgraphIndex])
    body = try node.subgraph(try node.options[WhileOptions.bodySubgraphIndex])
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    // Copies, because an iteration may return its inputs in another order.
    var state = try LoopState(try call.arguments(), call)
    while try call.call(condition, state.tensors, 1)[0].condition(call.location) {
      try state.update(try call.call(body, state.tensors, call.outputCount))
    }
    return state.tensors
  }
}

/// The values passed between iterations, in their own memory.
private struct LoopState {
  private(set) var tensors: [TensorView]
  private var blocks: [AlignedBytes]
  private let call: ControlCall

  init(_ tensors: [TensorView], _ call: ControlCall) throws {
    self.tensors = tensors
    self.call = call
    blocks = try tensors.map { try Self.block($0, call) }
    try update(tensors)
  }

  private static func block(_ tensor: TensorView, _ call: ControlCall) throws -> AlignedBytes {
    try call.allocate(tensor.memory.count, for: "the values of a loop")
  }

  mutating func update(_ results: [TensorView]) throws {
    for (index, result) in results.enumerated() {
      if blocks[index].bytes.count != result.memory.count {
        blocks[index] = try Self.block(result, call)
      }
      blocks[index].bytes.copyMemory(from: UnsafeRawBufferPointer(result.memory))
      tensors[index] = result
      tensors[index].memory = blocks[index].bytes
      tensors[index].owner = blocks[index]
    }
  }
}

/// CALL: a call of a subgraph, whose operators replace this one.
///
/// - Types: the types of the subgraph.
/// - Source: operator 31 of the model format, for which the reference runtime has no kernel.
struct CallOperator: InlinedOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.call, versions: 1...1, types: .one(.any, to: .any))
  }

  let subgraph: Int

  init(parsing node: NodeReader) throws { subgraph = try node.subgraph(try node.options[CallOptions.subgraph]) }
}

/// CALL_ONCE: runs a subgraph before a session's first run, to initialize variables.
///
/// - Throws: `invalidModel` if the subgraph has inputs or outputs.
/// - Source: operator 129 of the model format.
struct CallOnceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.callOnce, versions: 1...1, types: .one([], to: []))
  }

  private let subgraph: Int
  var role: OperatorRole { .initializes(subgraph: subgraph) }
  var isPure: Bool { false }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 0...0, outputs: 0...0)
    subgraph = try node.subgraph(try node.options[CallOnceOptions.initializationSubgraphIndex])
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [] }
  func prepare(_ context: PrepareContext) throws -> PreparedOperator { .empty }
}

/// STABLEHLO_COMPOSITE: an operation that the model defines in a subgraph, whose operators replace it.
///
/// - Types: the types of the subgraph.
/// - Source: operator 206 of the model format.
struct CompositeOperator: InlinedOperator {
  static var identity: OperatorIdentity {
    // The bound of the operators that replace it.
    OperatorIdentity(.stablehloComposite, versions: 1...1, floatError: 1e-6, types: .one(.any, to: .any))
  }

  let subgraph: Int

  init(parsing node: NodeReader) throws {
    subgraph = try node.subgraph(try node.options[StableHLOCompositeOptions.decompositionSubgraphIndex])
  }
}

/// An operator that is replaced by the operators of a subgraph when the graph is built.
protocol InlinedOperator: Operator {
  var subgraph: Int { get }
}

extension InlinedOperator {
  var role: OperatorRole { .standsFor(subgraph: subgraph) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    throw node.invalid("must be replaced by its subgraph before it runs")
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    throw context.node.invalid("must be replaced by its subgraph before it runs")
  }
}
