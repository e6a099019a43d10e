import SwiftletEngine
import SwiftletSchema

/// IF: runs one of two subgraphs.
///
/// - Shapes: input 0 holds one boolean; the others are the inputs of both subgraphs. Outputs are those of the subgraph
///   that ran.
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
