import Foundation

/// A value of a JSON document in the test data. A missing value, or one of another kind, reads as `nil` or empty.
package enum GoldenValue: Decodable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([GoldenValue])
  case object([String: GoldenValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([GoldenValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: GoldenValue].self))
    }
  }

  package init(path: String) throws {
    self = try JSONDecoder().decode(GoldenValue.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  package subscript(_ key: String) -> GoldenValue {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  package subscript(_ index: Int) -> GoldenValue {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { .null }
  }

  package var elements: [GoldenValue] { if case .array(let elements) = self { elements } else { [] } }
  package var keys: [String] { if case .object(let members) = self { members.keys.sorted() } else { [] } }
  package var double: Double? { if case .number(let value) = self { value } else { nil } }
  package var float: Float? { double.map { Float($0) } }
  package var int: Int? { double.flatMap { Int(exactly: $0) } }
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The numbers of an array and of nested arrays, in order.
  package var numbers: [Float] {
    switch self {
    case .number(let value): [Float(value)]
    case .array(let elements): elements.flatMap(\.numbers)
    case .null, .bool, .string, .object: []
    }
  }
}
