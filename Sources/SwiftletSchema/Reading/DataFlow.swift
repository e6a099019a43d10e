import SwiftletFlatBuffers

/// Checks that a subgraph's operators can run in the order in which they are stored.
enum DataFlow {
  /// Checks that every operator reads only what exists by then, and that nothing is written twice.
  ///
  /// Converters leave out the bytes of constants without elements; those become constants of 0 bytes here.
  static func check(_ subgraph: inout Subgraph) throws(SchemaError) {
    var isInput = [Bool](repeating: false, count: subgraph.tensors.count)
    for index in subgraph.inputs { isInput[index] = true }
    var isProduced = [Bool](repeating: false, count: subgraph.tensors.count)

    for (position, description) in subgraph.operators.enumerated() {
      try locating("operators[\(position)] (\(description.code.kind.name))") { () throws(SchemaError) in
        for case let index? in description.inputs {
          let tensor = subgraph.tensors[index]
          if tensor.data != nil || tensor.isVariable || isInput[index] || isProduced[index] { continue }
          guard tensor.shape.contains(0) else {
            throw SchemaError(
              .invalid,
              """
              input tensor \(index) "\(tensor.name)" is neither a constant, a variable nor an input of the subgraph, \
              and no earlier operator produces it
              """
            )
          }
          subgraph.tensors[index].data = .empty
        }
        for index in description.outputs {
          try check(
            output: index, of: description, in: subgraph, isInput: isInput[index], isProduced: isProduced[index])
          isProduced[index] = true
        }
      }
    }
    for index in subgraph.outputs {
      let tensor = subgraph.tensors[index]
      guard tensor.data != nil || tensor.isVariable || isInput[index] || isProduced[index] else {
        throw SchemaError(
          .invalid, "tensor \(index) \"\(tensor.name)\" is an output, but no operator produces it",
          location: SubgraphField.outputs.name)
      }
    }
  }

  private static func check(
    output index: Int, of description: OperatorDescription, in subgraph: Subgraph, isInput: Bool, isProduced: Bool
  ) throws(SchemaError) {
    let tensor = subgraph.tensors[index]
    // A custom operator may pass a tensor through by naming it as input and as output.
    if description.code.kind.isCustom, description.inputs.contains(index), tensor.data == nil { return }
    let obstacle: String? =
      if tensor.data != nil {
        "a constant"
      } else if tensor.isVariable {
        "a variable"
      } else if isInput {
        "an input of the subgraph"
      } else if isProduced {
        "already written by another operator"
      } else {
        nil
      }
    if let obstacle {
      throw SchemaError(.invalid, "output tensor \(index) \"\(tensor.name)\" must not be \(obstacle)")
    }
  }
}
