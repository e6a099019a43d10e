import SwiftletFlatBuffers

/// Checks that a subgraph's operators can run in the order in which they are stored.
struct DataFlow {
  /// What gives a tensor its values.
  private enum Origin: String {
    case constant = "a constant"
    case variable = "a variable"
    case input = "an input of the subgraph"
    case produced = "already written by another operator"
  }

  /// By tensor; `nil` while nothing has given it values.
  private var origins: [Origin?]
  /// The last operator that read each tensor; a look-up instead of a search keeps hostile operators cheap.
  private var lastReaders: [Int?]

  /// Checks that every operator reads only what exists by then, and that nothing is written twice.
  ///
  /// Converters leave out the bytes of constants without elements; those become constants of 0 bytes here.
  static func check(_ subgraph: inout Subgraph) throws(SchemaError) {
    var flow = DataFlow(subgraph)
    for (position, description) in subgraph.operators.enumerated() {
      try locating("operators[\(position)] (\(description.code.kind.name))") { () throws(SchemaError) in
        for case let index? in description.inputs { try flow.read(index, at: position, in: &subgraph) }
        for index in description.outputs {
          try flow.write(index, at: position, mayPassThrough: description.code.kind.isCustom, in: subgraph)
        }
      }
    }
    for index in subgraph.outputs where flow.origins[index] == nil {
      throw SchemaError(
        .invalid, "tensor \(index) \"\(subgraph.tensors[index].name)\" is an output, but no operator produces it",
        location: SubgraphField.outputs.name)
    }
  }

  private init(_ subgraph: Subgraph) {
    origins = subgraph.tensors.map { $0.data != nil ? .constant : $0.isVariable ? .variable : nil }
    lastReaders = [Int?](repeating: nil, count: subgraph.tensors.count)
    for index in subgraph.inputs where origins[index] == nil { origins[index] = .input }
  }

  private mutating func read(_ index: Int, at position: Int, in subgraph: inout Subgraph) throws(SchemaError) {
    lastReaders[index] = position
    guard origins[index] == nil else { return }
    guard subgraph.tensors[index].shape.contains(0) else {
      throw SchemaError(
        .invalid,
        """
        input tensor \(index) "\(subgraph.tensors[index].name)" is neither a constant, a variable nor an input of the \
        subgraph, and no earlier operator produces it
        """)
    }
    subgraph.tensors[index].data = .empty
    origins[index] = .constant
  }

  private mutating func write(
    _ index: Int, at position: Int, mayPassThrough: Bool, in subgraph: Subgraph
  ) throws(SchemaError) {
    if let origin = origins[index] {
      // A custom operator may pass a tensor through by naming it as input and as output.
      guard mayPassThrough, origin != .constant, lastReaders[index] == position else {
        throw SchemaError(
          .invalid, "output tensor \(index) \"\(subgraph.tensors[index].name)\" must not be \(origin.rawValue)")
      }
    } else {
      origins[index] = .produced
    }
  }
}
