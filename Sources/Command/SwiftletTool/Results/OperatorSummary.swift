import SwiftletSchema

/// A few words that tell operators of one kind apart: `3×3, stride 2, RELU6`.
enum OperatorSummary {
  static func text(_ operation: OperatorDescription, _ options: [OperatorDescription.Option], in graph: Subgraph)
    -> String
  {
    func value(_ name: String) -> String? { options.first { $0.name == name }?.value }
    func shape(_ input: Int) -> [Int] {
      guard operation.inputs.indices.contains(input), let tensor = operation.inputs[input] else { return [] }
      return graph.tensors[tensor].shape
    }
    /// One number where both are the same.
    func pair(_ first: String?, _ second: String?) -> String? {
      guard let first, let second, (first, second) != ("1", "1"), (first, second) != ("0", "0") else { return nil }
      return first == second ? first : first + "×" + second
    }
    var parts: [String] = []
    switch operation.code.kind {
    case .builtin(.conv2D), .builtin(.depthwiseConv2D), .builtin(.transposeConv):
      let filter = shape(1)
      if filter.count == 4 { parts.append("\(filter[1])×\(filter[2])") }
    case .builtin(.fullyConnected):
      let weights = shape(1)
      if weights.count == 2 { parts.append("\(weights[1]) → \(weights[0])") }
    default: break
    }
    if let height = value("filter_height"), let width = value("filter_width") { parts.append("\(height)×\(width)") }
    if let stride = pair(value("stride_h"), value("stride_w")) { parts.append("stride \(stride)") }
    if let dilation = pair(value("dilation_h_factor"), value("dilation_w_factor")) {
      parts.append("dilation \(dilation)")
    }
    if let axis = value("axis") { parts.append("axis \(axis)") }
    if let size = value("block_size") { parts.append("block \(size)") }
    if let activation = value("fused_activation_function"), activation != "NONE" { parts.append(activation) }
    return parts.joined(separator: ", ")
  }
}
