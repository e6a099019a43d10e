import SwiftletSchema

/// A signature of a model: the positions of its named tensors among the inputs and outputs of its graph.
@_spi(Facades) public struct SignatureBindings: Sendable {
  /// A named tensor, and its position among the inputs or outputs of the graph.
  public struct Port: Sendable {
    /// The name of the tensor in the signature.
    public let name: String
    /// The position, from 0.
    public let position: Int
  }

  /// The name of the signature.
  public let key: String
  /// The inputs, in the order of the signature.
  public let inputs: [Port]
  /// The outputs, in the order of the signature.
  public let outputs: [Port]
  /// A Boolean value that indicates whether the signature is one of the main graph.
  ///
  /// All signatures of the main graph share its tensors.
  public let isMain: Bool

  /// Returns the position of the input `name`, or `nil` if there is none.
  public func input(named name: String) -> Int? { inputs.first { $0.name == name }?.position }
  /// Returns the position of the output `name`, or `nil` if there is none.
  public func output(named name: String) -> Int? { outputs.first { $0.name == name }?.position }
}

extension SignatureBindings {
  /// Creates the bindings of `signature`; `nil` if it names a tensor that is neither an input nor an output of its
  /// graph.
  init?(_ signature: Signature, in file: ModelFile) {
    let isMain = signature.subgraph == 0
    let graph = file.subgraphs[signature.subgraph]
    func ports(_ entries: [Signature.Entry], _ order: [Int]) -> [Port]? {
      let ports = entries.enumerated().compactMap { index, entry -> Port? in
        guard let position = order.firstIndex(of: entry.tensor) else { return nil }
        // The inputs and outputs of another graph are compiled in the order of the signature.
        return Port(name: entry.name, position: isMain ? position : index)
      }
      return ports.count == entries.count ? ports : nil
    }
    guard let inputs = ports(signature.inputs, graph.inputs), let outputs = ports(signature.outputs, graph.outputs)
    else { return nil }
    self.init(key: signature.key, inputs: inputs, outputs: outputs, isMain: isMain)
  }

  /// Creates the bindings of the main graph as a signature named `key`.
  ///
  /// Ports have the names of the tensors; a tensor without a name is `input_` or `output_` and its position.
  init(mainGraphOf file: ModelFile, key: String) {
    func ports(_ order: [Int], _ prefix: String) -> [Port] {
      order.enumerated().map { position, tensor in
        let name = file.subgraphs[0].tensors[tensor].name
        return Port(name: name.isEmpty ? "\(prefix)_\(position)" : name, position: position)
      }
    }
    self.init(
      key: key, inputs: ports(file.subgraphs.first?.inputs ?? [], "input"),
      outputs: ports(file.subgraphs.first?.outputs ?? [], "output"), isMain: true)
  }
}

@_spi(Facades) extension Model {
  /// Returns the signatures of the model in the order of the file.
  ///
  /// Signatures that cannot be run are left out. If several signatures have the same key, only the first is returned.
  ///
  /// - Parameter defaultKey: The key of the main graph if the model has no signatures; `nil` for an empty result.
  public func signatureBindings(defaultKey: String?) -> [SignatureBindings] {
    var keys: Set<String> = []
    let known = file.signatures.filter { keys.insert($0.key).inserted }
      .compactMap { SignatureBindings($0, in: file) }
    return known.isEmpty ? defaultKey.map { [SignatureBindings(mainGraphOf: file, key: $0)] } ?? [] : known
  }

  /// Returns the bytes of the metadata entry `name`, or `nil` if the file has none.
  public func metadata(named name: String) -> [UInt8]? {
    file.metadata.first { $0.name == name }.map { [UInt8]($0.data.bytes) }
  }
}
