import SwiftletJSON
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
    /// Options and shapes, without types, which quantization changes; `nil` where they do not count.
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

/// Something that two models state differently; `null` where one does not state it.
struct Change {
  /// What it is: `shape`, `metadata.author`, `stride_w`.
  var what: String
  var first: JSONValue
  var second: JSONValue

  /// `nil` where both are the same.
  init?(_ what: String, _ first: JSONValue, _ second: JSONValue) {
    guard first != second else { return nil }
    self.what = what
    self.first = first
    self.second = second
  }

  var json: JSONValue { .object(["what": .string(what), "a": first, "b": second]) }

  /// `stride_w 1 → 2`.
  var text: String { "\(what) \(Self.text(first)) → \(Self.text(second))" }

  static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: return "nothing"
    case .string(let text): return text.isEmpty ? "\"\"" : clipped(text)
    default: return clipped(value.text)
    }
  }

  private static func clipped(_ text: String) -> String { text.count > 120 ? text.prefix(119) + "…" : text }

  /// What differs between two lists of names and values, each name once; in the order of the first, then of the second.
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

  /// The leaves of a document with the way to each: `inputs[0].mean`. What is null or an empty list is
  /// left out.
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
