import SwiftletEngine
import SwiftletBase
import SwiftletSchema

/// WHILE: runs a subgraph on its own results as long as another one says so.
///
/// - Shapes: as many inputs as outputs; each round's results are the next round's inputs, and may have other shapes.
/// - Throws: `limitExceeded` in a run once `RuntimeOptions.Limits.subgraphRuns` is used up.
/// - Source: operator 119 of the model format. Without any round, the outputs are the inputs.
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
      throw node.invalid("has \(node.inputCount) inputs and \(node.outputCount) outputs, which must be as many")
    }
    condition = try node.subgraph(try node.options[WhileOptions.conditionSubgraphIndex])
    body = try node.subgraph(try node.options[WhileOptions.bodySubgraphIndex])
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    // Copies, because a round may give its inputs back in another order.
    var state = try LoopState(try call.arguments(), call)
    while try call.call(condition, state.tensors, 1)[0].condition(call.location) {
      try state.update(try call.call(body, state.tensors, call.outputCount))
    }
    return state.tensors
  }
}

/// The values that go from round to round, in memory of their own.
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
