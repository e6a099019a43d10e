import SwiftletBase

/// A JSON document whose keys keep their order and whose numbers parse back to the same value.
///
/// Foundation's `JSONEncoder` guarantees neither, and links Foundation.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case float(Float)
  case string(String)
  /// An array of floats in compact storage.
  case floatArray([Float])
  case array([JSONValue])
  case object([Member])

  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Returns an object with the pairs in their order.
  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  /// Returns the string, or null.
  package static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  /// Returns the number, or null.
  package static func optional(_ number: Double?) -> JSONValue { number.map(JSONValue.double) ?? .null }

  /// Returns the number, or null.
  package static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.int) ?? .null }

  package static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }
  package static func ints(_ numbers: some Sequence<Int>) -> JSONValue { .array(numbers.map(JSONValue.int)) }
  package static func floats(_ numbers: some Sequence<Float>) -> JSONValue { .array(numbers.map(JSONValue.float)) }

  /// The document in a single line.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    // JSON has no representation of infinity and NaN.
    case .double(let value): text += value.isFinite ? value.description : "null"
    case .float(let value): text += value.isFinite ? value.description : "null"
    case .string(let value): Self.write(value, to: &text)
    case .floatArray(let numbers):
      text += "["
      for (index, number) in numbers.enumerated() {
        if index > 0 { text += "," }
        JSONValue.float(number).write(to: &text)
      }
      text += "]"
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Stricter than JSON requires: names in the document cannot control a terminal that prints it. Some parsers drop
      // a byte order mark at the beginning of part of a string, such as after another escape.
      case _ where SanitizedText.isHidden(scalar) || scalar == "\u{FEFF}":
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
