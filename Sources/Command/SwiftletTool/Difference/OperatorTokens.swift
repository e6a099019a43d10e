import SwiftletSchema

/// Operators as numbers that are equal where the operators are alike, from strict to loose.
///
/// Converters keep the names of tensors from one version of a model to the next, which tells repeated blocks apart;
/// where they do not, form and options do, and kinds and their order are what remains.
enum OperatorTokens {
  private struct Key: Hashable {
    var kind: String
    /// The name of the first tensor that it makes; `nil` where names do not count.
    var name: String?
    /// Options and shapes, without types, which quantisation changes; `nil` where they do not count.
    var form: String?
  }

  /// Operators that belong together, in order.
  static func pairs(_ first: Subgraph, _ second: Subgraph) -> [SequenceAlignment.Pair] {
    var numbers: [Key: Int] = [:]
    func levels(_ graph: Subgraph) -> [[Int]] {
      var levels = [[Int]](repeating: [], count: 4)
      for operation in graph.operators {
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
    let ours = levels(first)
    return SequenceAlignment.pairs(ours, levels(second))
  }

  private static func form(of operation: OperatorDescription, in graph: Subgraph) -> String {
    let options = operation.namedOptions.map { $0.name + "=" + $0.value }.joined(separator: ",")
    let shapes = (operation.outputs.prefix(4) + operation.inputs.prefix(4).compactMap(\.self)).map {
      graph.tensors[$0].shape
    }
    return options + ";\(shapes)"
  }
}
