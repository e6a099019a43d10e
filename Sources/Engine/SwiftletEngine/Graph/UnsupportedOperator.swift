import SwiftletBase
import SwiftletSchema

/// An operator of a model that the engine can't run, with the details that explain the reason.
public struct UnsupportedOperator: Sendable, Hashable, CustomStringConvertible {
  /// The name in the schema, such as `CONV_2D`, or the custom operator's own name.
  public var name: String
  /// The operator code in the schema; `nil` if the operator is newer than this engine's schema.
  public var code: Int?
  /// A Boolean value that indicates whether the operator is a custom operator. All custom operators have the code 32.
  public var isCustom: Bool
  /// The operator's version in the model.
  public var version: Int
  /// The index of the operator's subgraph.
  public var subgraph: Int
  /// The index of the operator in its subgraph.
  public var index: Int
  /// The inputs, without omitted optional ones.
  public var inputs: [TensorSpec]
  /// The outputs: names, types, and shapes.
  public var outputs: [TensorSpec]
  /// The missing support, and what is supported instead.
  public var reason: String

  /// The operator, its location, and the reason why it can't run, in one line.
  public var description: String {
    let inputs = SanitizedText.list(inputs.map(\.description))
    let outputs = SanitizedText.list(outputs.map(\.description))
    return "\(name.excerpt) version \(version) at operator \(index)\(subgraph == 0 ? "" : " of subgraph \(subgraph)") "
      + "(\(inputs)) → (\(outputs)): \(reason)"
  }

  init(_ graph: Subgraph, subgraph: Int, index: Int, reason: String) {
    let description = graph.operators[index]
    func spec(_ tensor: Int) -> TensorSpec {
      let tensor = graph.tensors[tensor]
      return TensorSpec(
        name: tensor.name, elementType: tensor.type, shape: Shape(tensor.shape), shapeSignature: tensor.shapeSignature)
    }
    name = description.code.kind.name
    switch description.code.kind {
    case .builtin(let builtin):
      code = Int(builtin.rawValue)
      isCustom = false
    case .custom(let name):
      isCustom = !name.hasPrefix(OperatorKind.unknownBuiltinPrefix)
      code = isCustom ? Int(BuiltinOperator.custom.rawValue) : nil
    }
    version = description.code.version
    self.subgraph = subgraph
    self.index = index
    inputs = description.inputs.compactMap { $0.map(spec) }
    outputs = description.outputs.map(spec)
    self.reason = reason
  }
}
