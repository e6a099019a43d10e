import SwiftletJSON
import SwiftletSchema

/// Tokens that are equal for similar operators, on levels from strict to loose.
///
/// Converters usually keep tensor names from one version of a model to the next, which distinguishes repeated blocks.
/// If the names change, options and shapes are compared, and finally only operator kinds and their order.
enum OperatorTokens {
  private struct Key: Hashable {
    var kind: String
    /// The name of the first output tensor, or `nil` if names are ignored.
    var name: String?
    /// Options and shapes, or `nil` if they are ignored. Types are excluded, because quantization changes them.
    var form: String?
  }

  /// Returns pairs of corresponding operators, in order.
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

/// A property that differs between two models; `null` if a model lacks it.
struct Change {
  /// The name of the property: `shape`, `metadata.author`, `stride_w`.
  var what: String
  var first: JSONValue
  var second: JSONValue

  /// Creates a change, or `nil` if the values are equal.
  init?(_ what: String, _ first: JSONValue, _ second: JSONValue) {
    guard first != second else { return nil }
    self.what = what
    self.first = first
    self.second = second
  }

  var json: JSONValue { .object(["what": .string(what), "a": first, "b": second]) }

  /// The change as text: `stride_w 1 → 2`.
  var text: String { "\(what) \(Self.text(first)) → \(Self.text(second))" }

  static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: return "nothing"
    case .string(let text): return text.isEmpty ? "\"\"" : clipped(text)
    default: return clipped(value.text)
    }
  }

  private static func clipped(_ text: String) -> String { text.count > 120 ? text.prefix(119) + "…" : text }

  /// Returns the differences between two lists of names and values, each name once, in the order of the first and then
  /// the second list.
  static func list(
    _ first: [(name: String, value: JSONValue)], _ second: [(name: String, value: JSONValue)]
  ) -> [Change] {
    let ours = Dictionary(first.map { ($0.name, $0.value) }) { first, _ in first }
    let theirs = Dictionary(second.map { ($0.name, $0.value) }) { first, _ in first }
    var seen: Set<String> = []
    return (first + second).compactMap { entry in
      guard seen.insert(entry.name).inserted else { return nil }
      return Change(entry.name, ours[entry.name] ?? .null, theirs[entry.name] ?? .null)
    }
  }

  /// Returns the leaves of a document with their paths: `inputs[0].mean`. Nulls and empty lists are omitted.
  static func leaves(_ value: JSONValue, _ path: String) -> [(name: String, value: JSONValue)] {
    switch value {
    case .null, .array([]): []
    case .object(let members): members.flatMap { leaves($0.value, path + "." + $0.key) }
    case .array(let elements) where elements.contains { if case .object = $0 { true } else { false } }:
      elements.enumerated().flatMap { leaves($0.element, "\(path)[\($0.offset)]") }
    default: [(name: path, value: value)]
    }
  }
}
