/// An operator of a model that the engine cannot run, with everything needed to say why.
public struct UnsupportedOperator: Sendable, Hashable, CustomStringConvertible {
  /// The schema's or the custom operator's own name: `CONV_2D`.
  public var name: String
  /// Whether the operator is a custom one.
  public var isCustom: Bool
  public var version: Int
  public var subgraph: Int
  /// The operator's position in its subgraph.
  public var index: Int
  public var inputs: [TensorSpec]
  public var outputs: [TensorSpec]
  /// What is missing, and what there is instead.
  public var reason: String

  public var description: String {
    let inputs = inputs.map(\.description).joined(separator: ", ")
    let outputs = outputs.map(\.description).joined(separator: ", ")
    return "\(name) version \(version) at operator \(index)\(subgraph == 0 ? "" : " of subgraph \(subgraph)") "
      + "(\(inputs)) → (\(outputs)): \(reason)"
  }
}
