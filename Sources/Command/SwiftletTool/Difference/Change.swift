import SwiftletJSON

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
