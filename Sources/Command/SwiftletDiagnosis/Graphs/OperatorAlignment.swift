package import SwiftletSchema

/// Finds corresponding operators of two graphs, in order.
///
/// Converters usually keep tensor names from one version of a model to the next, which distinguishes repeated blocks.
/// If the names change, options and shapes are compared, and finally only operator kinds and their order.
package enum OperatorAlignment {
  private struct Key: Hashable {
    var kind: String
    /// The name of the first output tensor, or `nil` if names are ignored.
    var name: String?
    /// Options and shapes, or `nil` if they are ignored. Types are excluded, because quantization changes them.
    var form: String?
  }

  /// Returns pairs of corresponding operators, in order.
  package static func pairs(_ first: Subgraph, _ second: Subgraph) -> [SequenceAlignment.Pair] {
    pairs(first, Array(first.operators.indices), second, Array(second.operators.indices))
  }

  /// Returns pairs of corresponding operators among some of each graph, which are given by their indices in order.
  static func pairs(
    _ first: Subgraph, _ places: [Int], _ second: Subgraph, _ otherPlaces: [Int]
  ) -> [SequenceAlignment.Pair] {
    var numbers: [Key: Int] = [:]
    func levels(_ graph: Subgraph, _ places: [Int]) -> [[Int]] {
      var levels = [[Int]](repeating: [], count: 4)
      for place in places {
        let operation = graph.operators[place]
        let kind = operation.code.kind.name
        let name = operation.outputs.first.map { graph.tensors[$0].name } ?? ""
        let form = form(of: operation, in: graph)
        let keys = [
          Key(kind: kind, name: name, form: form), Key(kind: kind, name: name), Key(kind: kind, form: form),
          Key(kind: kind),
        ]
        for (level, key) in keys.enumerated() {
          let number = numbers[key] ?? numbers.count
          numbers[key] = number
          levels[level].append(number)
        }
      }
      return levels
    }
    let ours = levels(first, places)
    return SequenceAlignment.pairs(ours, levels(second, otherPlaces)).map {
      (first: places[$0.first], second: otherPlaces[$0.second])
    }
  }

  private static func form(of operation: OperatorDescription, in graph: Subgraph) -> String {
    let options = operation.namedOptions.map { $0.name + "=" + $0.value }.joined(separator: ",")
    let shapes = (operation.outputs.prefix(4) + operation.inputs.prefix(4).compactMap(\.self)).map {
      graph.tensors[$0].shape
    }
    return options + ";\(shapes)"
  }
}
