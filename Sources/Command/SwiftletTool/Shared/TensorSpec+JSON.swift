import Swiftlet
import SwiftletJSON

extension TensorSpec {
  /// The form of a tensor in `inspect --json`.
  var json: JSONValue {
    .object([
      "name": .string(name),
      "shape": .ints(shape.dimensions),
      "dtype": .string(elementType.name),
      "scale": .floats(quantization?.scales ?? []),
      "zero_point": .ints(quantization?.zeroPoints.map(Int.init) ?? []),
      "quantized_dimension": .int(quantization?.axis ?? 0),
    ])
  }

  /// Type, shape and, where there is one, scale, for people.
  var summary: String {
    var text = "\(elementType.name)\(shape)"
    if let quantization, let scale = quantization.scales.first, let zeroPoint = quantization.zeroPoints.first {
      text +=
        quantization.isPerChannel
        ? " per channel along axis \(quantization.axis)" : " scale \(scale) zero point \(zeroPoint)"
    }
    return text
  }
}

extension UnsupportedOperator {
  var json: JSONValue {
    .object([
      "op": .string(name), "code": .optional(code), "version": .int(version), "subgraph": .int(subgraph),
      "index": .int(index),
      "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)), "reason": .string(reason),
    ])
  }
}
