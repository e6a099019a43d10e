import SwiftletBase

/// A check that a subgraph's operators can run in their stored order.
struct DataFlow {
  /// The origin of a tensor's values.
  private enum Origin: String {
    case constant = "a constant"
    case variable = "a variable"
    case input = "an input of the subgraph"
    case produced = "already written by an operator"
  }

  /// The origin by tensor; `nil` while the tensor has no values.
  private var origins: [Origin?]
  /// The last operator that reads each tensor. Storing it avoids a search, which an untrusted operator could make slow.
  private var lastReaders: [Int?]
  /// The last operator that writes each tensor.
  private var lastWriters: [Int?]

  /// The name prefix of subgraphs that only validate a delegate on a device and may contain unimplemented operators.
  private static let validationPrefix = "VALIDATION:"

  /// Checks all subgraphs except those that only validate a delegate and aren't reachable from an entry point. These
  /// subgraphs can't run.
  ///
  /// - Parameter runnable: Whether each subgraph is reachable from an entry point.
  static func check(_ subgraphs: inout [Subgraph], runnable: [Bool]) throws(SchemaError) {
    for index in subgraphs.indices {
      guard runnable[index] || subgraphs[index].name?.hasPrefix(validationPrefix) != true else {
        subgraphs[index].isRunnable = false
        continue
      }
      try locating("subgraphs[\(index)]") { () throws(SchemaError) in try check(&subgraphs[index]) }
    }
  }

  /// Checks that every operator reads only tensors that already have values, that no tensor is written twice, and that
  /// no tensor is used twice as a subgraph input.
  ///
  /// Converters omit the bytes of constants without elements. These tensors become constants of 0 bytes here.
  private static func check(_ subgraph: inout Subgraph) throws(SchemaError) {
    try checkInputs(subgraph)
    var flow = DataFlow(subgraph)
    for (position, description) in subgraph.operators.enumerated() {
      try locating("operators[\(position)] (\(description.code.kind.name.excerpt))") { () throws(SchemaError) in
        for case let index? in description.inputs { try flow.read(index, at: position, in: &subgraph) }
        for index in description.outputs {
          try flow.write(index, at: position, mayPassThrough: description.code.kind.isCustom, in: subgraph)
        }
      }
    }
    for index in subgraph.outputs where flow.origins[index] == nil {
      throw SchemaError(
        .invalid,
        "tensor \(index) \"\(subgraph.tensors[index].name.excerpt)\" is an output, but no operator produces it",
        location: SubgraphField.outputs.name)
    }
  }

  /// Checks that no tensor is used for two inputs, because it could then be given two shapes.
  private static func checkInputs(_ subgraph: Subgraph) throws(SchemaError) {
    var isInput = [Bool](repeating: false, count: subgraph.tensors.count)
    for index in subgraph.inputs {
      guard !isInput[index] else {
        throw SchemaError(
          .invalid,
          "tensor \(index) \"\(subgraph.tensors[index].name.excerpt)\" is an input of the subgraph twice; inputs must be distinct tensors",
          location: SubgraphField.inputs.name)
      }
      isInput[index] = true
    }
  }

  private init(_ subgraph: Subgraph) {
    origins = subgraph.tensors.map { $0.data != nil ? .constant : $0.isVariable ? .variable : nil }
    lastReaders = [Int?](repeating: nil, count: subgraph.tensors.count)
    lastWriters = lastReaders
    for index in subgraph.inputs where origins[index] == nil { origins[index] = .input }
  }

  private mutating func read(_ index: Int, at position: Int, in subgraph: inout Subgraph) throws(SchemaError) {
    lastReaders[index] = position
    guard origins[index] == nil else { return }
    guard subgraph.tensors[index].shape.contains(0) else {
      throw SchemaError(
        .invalid,
        """
        input tensor \(index) "\(subgraph.tensors[index].name.excerpt)" is neither a constant, a variable nor an input of the \
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
      // A custom operator may pass a tensor through by naming it as both input and output, once.
      let isKept = origin == .constant || origin == .variable
      guard mayPassThrough, !isKept, lastReaders[index] == position, lastWriters[index] != position else {
        throw SchemaError(
          .invalid, "output tensor \(index) \"\(subgraph.tensors[index].name.excerpt)\" must not be \(origin.rawValue)")
      }
    }
    origins[index] = .produced
    lastWriters[index] = position
  }
}
