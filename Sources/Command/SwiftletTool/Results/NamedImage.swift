import SwiftletBase
import SwiftletJSON
import SwiftletSchema
import SwiftletVision

/// An image that a result refers to.
struct NamedImage {
  /// The name in text output.
  var name: String
  /// The file or its placeholder on the command line, or `nil` for a frame from a pipe.
  var path: String?
  /// The name of files about the image, without an extension.
  var stem: String
  var image: InputImage

  /// The JSON members that every image has.
  var members: [JSONValue.Member] {
    [
      .init(key: "image", value: .optional(path)), .init(key: "width", value: .int(image.width)),
      .init(key: "height", value: .int(image.height)),
    ]
  }

  /// Returns the JSON object of an image with a list of results.
  func json(_ key: String, _ things: [JSONValue]) -> JSONValue {
    .object(members + [.init(key: key, value: .array(things))])
  }

  /// Returns the text output: a line for the image, and one per detected object.
  func text(_ things: String, _ lines: [String]) -> String {
    "\(name.sanitized): \(lines.count) \(things)\n" + lines.map { "  \($0.sanitized)\n" }.joined()
  }
}

/// Short summaries that distinguish operators of one kind: `3×3, stride 2, RELU6`.
enum OperatorSummary {
  static func text(_ operation: OperatorDescription, _ options: [OperatorDescription.Option], in graph: Subgraph)
    -> String
  {
    func value(_ name: String) -> String? { options.first { $0.name == name }?.value }
    func shape(_ input: Int) -> [Int] {
      guard operation.inputs.indices.contains(input), let tensor = operation.inputs[input] else { return [] }
      return graph.tensors[tensor].shape
    }
    /// Returns one number if both are equal.
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

/// The similarity of two inputs by their embeddings.
struct Comparison: PrintableResult {
  /// The JSON key of the inputs.
  var key: String
  var names: [String]
  /// The names in text output.
  var shown: [String]
  /// The cosine similarity of the embeddings.
  var similarity: Double

  var json: JSONValue {
    .object([.init(key: key, value: .strings(names)), .init(key: "cosine_similarity", value: .double(similarity))])
  }

  var text: String { shown.joined(separator: ", ") + ": cosine similarity \(similarity)\n" }
}
