import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_CASE: runs one of several subgraphs.
///
/// - Shapes: input 0 holds one number, the position of the subgraph to run; the others are the inputs of all of them.
/// - Source: operator 209 of the model format. A number outside of the list stands for the last subgraph.
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
