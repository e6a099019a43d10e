import SwiftletSchema

extension Model {
  /// What the file says of the inputs and outputs of an entry point, before anything is compiled: with the names that
  /// tensors have in their graph, in the order of the signature; `nil` for the main graph.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) for an unknown signature.
  package func declaredEnds(signature: String?) throws(RuntimeError) -> (inputs: [TensorSpec], outputs: [TensorSpec]) {
    let entry = try entryPoint(signature)
    let graph = file.subgraphs[entry?.subgraph ?? 0]
    func specs(_ tensors: [Int]) -> [TensorSpec] { tensors.map { GraphBuilder.spec(of: graph.tensors[$0]) } }
    return (
      specs(entry?.inputs.map(\.tensor) ?? graph.inputs), specs(entry?.outputs.map(\.tensor) ?? graph.outputs)
    )
  }
}
