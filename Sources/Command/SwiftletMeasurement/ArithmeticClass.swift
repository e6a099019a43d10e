package import SwiftletEngine
import SwiftletSchema

/// What a model computes with: ratios of models of one class may be averaged.
package enum ArithmeticClass: String, Sendable, Hashable, CaseIterable {
  /// Also with weights stored as float16.
  case float32
  case bytes = "int8/uint8"
  case dynamicRange = "dynamic-range"
  case int16

  /// The class of most of the model's matrix products; of most of its operators if it has none.
  package init(_ model: Model) {
    let products = Self.counts(model) { Self.products.contains($0) }
    let counts = products.isEmpty ? Self.counts(model) { _ in true } : products
    self = Self.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? .float32
  }

  /// Operators that multiply data with weights.
  private static let products: Set<String> = [
    "CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "CONV_3D", "FULLY_CONNECTED", "BATCH_MATMUL", "LSTM",
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
    "SVDF", "Convolution2DTransposeBias",
  ]

  private static func counts(_ model: Model, where isCounted: (String) -> Bool) -> [ArithmeticClass: Int] {
    var counts: [ArithmeticClass: Int] = [:]
    for graph in model.file.subgraphs {
      for node in graph.operators where isCounted(node.code.kind.name) {
        let types = node.inputs.map { $0.map { graph.tensors[$0].type } }
        guard
          let kind = Self.of(
            data: dataType(node.code.kind.name, types), weights: types.dropFirst().first.flatMap(\.self))
        else { continue }
        counts[kind, default: 0] += 1
      }
    }
    return counts
  }

  /// The type of what flows in: the first input of the operator, the last of the transposed convolution.
  private static func dataType(_ name: String, _ types: [ElementType?]) -> ElementType? {
    (name == "TRANSPOSE_CONV" ? types.dropFirst(2).first : types.first).flatMap(\.self)
  }

  private static func of(data: ElementType?, weights: ElementType?) -> ArithmeticClass? {
    switch (data, weights) {
    case (.float32, .int8), (.float32, .uint8), (.float32, .int4), (.float32, .int2): .dynamicRange
    case (.float32, _): .float32
    case (.int8, _), (.uint8, _): .bytes
    case (.int16, _): .int16
    default: nil
    }
  }
}
