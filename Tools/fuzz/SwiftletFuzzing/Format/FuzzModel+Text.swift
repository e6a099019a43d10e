import SwiftletSchema
import SwiftletTestSupport

extension FuzzModel: CustomStringConvertible {
  /// A readable description of the model: a line per tensor and operator.
  package var description: String {
    var lines: [String] = []
    for (number, graph) in graphs.enumerated() {
      lines.append("subgraph \(number) \(String(reflecting: graph.name ?? "")): \(graph.inputs) → \(graph.outputs)")
      for (index, tensor) in graph.tensors.enumerated() { lines.append("  tensor \(index): \(text(tensor))") }
      for (index, operation) in graph.operators.enumerated() { lines.append("  operator \(index): \(text(operation))") }
    }
    for signature in signatures {
      lines.append("signature \(String(reflecting: signature.key ?? "")): subgraph \(signature.subgraph)")
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ tensor: Tensor) -> String {
    var parts = [ElementType(rawValue: tensor.type)?.name ?? "type \(tensor.type)", "\(tensor.shape ?? [])"]
    if let signature = tensor.shapeSignature { parts.append("signature \(signature)") }
    if tensor.isVariable { parts.append("variable") }
    if tensor.hasRank { parts.append("ranked") }
    if tensor.buffer != 0 {
      let bytes = buffers.indices.contains(Int(tensor.buffer)) ? buffers[Int(tensor.buffer)] : nil
      parts.append(
        "buffer \(tensor.buffer) of \(bytes.map { "\($0.count) bytes \($0.prefix(32).map { $0 })" } ?? "nothing")")
    }
    if let quantization = tensor.quantization { parts.append("quantized \(Self.text(quantization))") }
    if let sparsity = tensor.sparsity { parts.append("sparse \(Self.text(sparsity))") }
    return parts.joined(separator: " ")
  }

  private func text(_ operation: Operator) -> String {
    let code = code(operation)
    let name =
      code.map { $0.custom ?? BuiltinOperator(rawValue: $0.builtin)?.schemaName ?? "code \($0.builtin)" }
      ?? "code \(operation.code)"
    var parts = ["\(name) v\(code?.version ?? 0) \(operation.inputs) → \(operation.outputs)"]
    if !operation.intermediates.isEmpty { parts.append("intermediates \(operation.intermediates)") }
    let options = operation.options
    if options.tag != 0 { parts.append("options \(options.tag) \(Self.text(options.fields))") }
    if !operation.customOptions.isEmpty { parts.append("custom options \(operation.customOptions)") }
    return parts.joined(separator: ", ")
  }

  private static func text(_ fields: [Int: FlatValue]) -> String {
    "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
  }

  /// Returns fields in ID order, because the order of a dictionary varies.
  private static func text(_ value: FlatValue) -> String {
    switch value {
    case .table(let fields): text(fields)
    case .tables(let rows): "[" + rows.map(text).joined(separator: ", ") + "]"
    default: "\(value)"
    }
  }
}
