import SwiftletSchema

/// An entry point by name: where in its graph each of the named tensors is.
package struct SignatureEnds: Sendable {
  /// A name, and the position of the tensor among the graph's inputs or outputs.
  package struct Port: Sendable {
    package let name: String
    package let position: Int
  }

  package let key: String
  package let inputs: [Port]
  package let outputs: [Port]
  /// Whether it enters the main graph, whose tensors it then shares with all that do.
  let isMain: Bool

  package func input(named name: String) -> Int? { inputs.first { $0.name == name }?.position }
  package func output(named name: String) -> Int? { outputs.first { $0.name == name }?.position }
}

extension SignatureEnds {
  /// `nil` when the signature names a tensor that is no end of its graph.
  init?(_ signature: Signature, in file: ModelFile) {
    let isMain = signature.subgraph == 0
    let graph = file.subgraphs[signature.subgraph]
    func ports(_ entries: [Signature.Entry], _ order: [Int]) -> [Port]? {
      let ports = entries.enumerated().compactMap { index, entry -> Port? in
        guard let position = order.firstIndex(of: entry.tensor) else { return nil }
        // Another graph is compiled with its ends in the order of the signature.
        return Port(name: entry.name, position: isMain ? position : index)
      }
      return ports.count == entries.count ? ports : nil
    }
    guard let inputs = ports(signature.inputs, graph.inputs), let outputs = ports(signature.outputs, graph.outputs)
    else { return nil }
    self.init(key: signature.key, inputs: inputs, outputs: outputs, isMain: isMain)
  }

  /// The main graph as a signature of its own: its tensors' names, or their positions where they have none.
  init(mainGraphOf file: ModelFile, key: String) {
    func ports(_ order: [Int], _ what: String) -> [Port] {
      order.enumerated().map { position, tensor in
        let name = file.subgraphs[0].tensors[tensor].name
        return Port(name: name.isEmpty ? "\(what)_\(position)" : name, position: position)
      }
    }
    self.init(
      key: key, inputs: ports(file.subgraphs.first?.inputs ?? [], "input"),
      outputs: ports(file.subgraphs.first?.outputs ?? [], "output"), isMain: true)
  }
}
