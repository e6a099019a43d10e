package import SwiftletBase

/// A value of the self-describing FlexBuffers format, which custom operators store their options in.
///
/// Reading validates the whole buffer, so the accessors can't fail. They convert like the format's reference
/// implementation: a value that is absent or of another kind reads as 0, `false`, or empty.
///
/// - Source: the FlexBuffers format.
package enum FlexBufferValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case float(Double)
  /// A string, or a key used as a value.
  case string(String)
  case blob(ByteRegion)
  /// Elements of any kind.
  case vector([FlexBufferValue])
  /// Elements of one kind, stored without individual types.
  case typedVector([FlexBufferValue])
  /// Entries in stored order.
  case map([(key: String, value: FlexBufferValue)])

  /// Whether the value is absent.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The value as an integer. Floats are truncated and text is parsed. Other values read as 0.
  package var intValue: Int {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): Int(value)
    case .uint(let value): Int(truncatingIfNeeded: value)
    case .float(let value): Int(exactly: value.rounded(.towardZero)) ?? 0
    case .string(let text): Int(text) ?? 0
    case .null, .blob, .vector, .typedVector, .map: 0
    }
  }

  /// The value as a floating-point number; 0 if it can't be converted.
  package var doubleValue: Double {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .int(let value): Double(value)
    case .uint(let value): Double(value)
    case .float(let value): value
    case .string(let text): Double(text) ?? 0
    case .null, .blob, .vector, .typedVector, .map: 0
    }
  }

  package var floatValue: Float { Float(doubleValue) }

  /// Whether the value is true: numbers are true unless they are 0, and everything else is false.
  package var boolValue: Bool {
    switch self {
    case .bool(let value): value
    case .int(let value): value != 0
    case .uint(let value): value != 0
    case .float(let value): value != 0
    case .null, .string, .blob, .vector, .typedVector, .map: false
    }
  }

  /// The text of a string; `nil` for anything else.
  package var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The bytes of a blob; `nil` for anything else.
  package var blobValue: ByteRegion? {
    if case .blob(let bytes) = self { bytes } else { nil }
  }

  /// The elements of a typed or untyped vector; empty for anything else.
  package var elements: [FlexBufferValue] {
    switch self {
    case .vector(let elements), .typedVector(let elements): elements
    case .null, .bool, .int, .uint, .float, .string, .blob, .map: []
    }
  }

  /// The elements of a typed vector; empty for an untyped one, as in the reference implementation.
  package var typedElements: [FlexBufferValue] {
    if case .typedVector(let elements) = self { elements } else { [] }
  }

  /// The entries of a map; empty for anything else.
  package var entries: [(key: String, value: FlexBufferValue)] {
    if case .map(let entries) = self { entries } else { [] }
  }

  /// Returns the value of a map entry, or `null` if the map has no such key.
  package subscript(key: String) -> FlexBufferValue {
    entries.first { $0.key == key }?.value ?? .null
  }
}
