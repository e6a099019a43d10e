/// The type of a tensor's elements, with the raw values of the model file format.
public enum ElementType: Int8, Sendable, CaseIterable, Hashable {
  /// IEEE 754 single-precision floats (`Float`).
  case float32 = 0
  /// IEEE 754 half-precision floats.
  case float16 = 1
  /// Signed 32-bit integers.
  case int32 = 2
  /// Unsigned 8-bit integers; also quantized values in older models.
  case uint8 = 3
  /// Signed 64-bit integers.
  case int64 = 4
  /// Strings of arbitrary bytes and any length.
  case string = 5
  /// Booleans, one byte each.
  case bool = 6
  /// Signed 16-bit integers; also quantized values.
  case int16 = 7
  /// Complex numbers with single-precision parts.
  case complex64 = 8
  /// Signed 8-bit integers; also quantized values.
  case int8 = 9
  /// IEEE 754 double-precision floats (`Double`).
  case float64 = 10
  /// Complex numbers with double-precision parts.
  case complex128 = 11
  /// Unsigned 64-bit integers.
  case uint64 = 12
  /// A handle to a resource of the graph, such as a hash table.
  case resource = 13
  /// A value whose type is known only at run time.
  case variant = 14
  /// Unsigned 32-bit integers.
  case uint32 = 15
  /// Unsigned 16-bit integers.
  case uint16 = 16
  /// Signed 4-bit integers, two per byte.
  case int4 = 17
  /// bfloat16: the upper half of a single-precision float.
  case bfloat16 = 18
  /// Signed 2-bit integers, four per byte.
  case int2 = 19
  /// Unsigned 4-bit integers, two per byte.
  case uint4 = 20
  /// 8-bit floats with 4 exponent bits and 3 mantissa bits, without infinities.
  case float8E4M3FN = 21
  /// 8-bit floats with 5 exponent bits and 2 mantissa bits.
  case float8E5M2 = 22

  /// The name used in messages and in the command line's JSON: `float32`, `int8`, …
  public var name: String { String(describing: self) }

  /// The size of one element in bits, or `nil` for types without a fixed size (strings, variants).
  public var bitWidth: Int? {
    switch self {
    case .int2: 2
    case .int4, .uint4: 4
    case .uint8, .int8, .bool, .float8E4M3FN, .float8E5M2: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32, .resource: 32
    case .int64, .uint64, .float64, .complex64: 64
    case .complex128: 128
    case .string, .variant: nil
    }
  }

  /// The size of one element in bytes, or `nil` for packed and unsized types.
  public var byteWidth: Int? {
    guard let bitWidth, bitWidth >= 8 else { return nil }
    return bitWidth / 8
  }

  /// Returns the size in bytes of `count` elements, rounded up for packed types, or `nil` on overflow or for unsized
  /// types.
  public func byteCount(elements count: Int) -> Int? {
    guard let bitWidth, count >= 0 else { return nil }
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    guard !overflow, bits <= Int.max - 7 else { return nil }
    return (bits + 7) / 8
  }
}

/// The kind of an operator: a builtin code or the name of a custom operator.
package enum OperatorKind: Sendable, Hashable {
  case builtin(BuiltinOperator)
  case custom(String)

  /// The prefix of the name for a builtin code that is newer than this reader: `UNKNOWN_BUILTIN_213`.
  ///
  /// A model with such an operator can be inspected, but not run.
  package static let unknownBuiltinPrefix = "UNKNOWN_BUILTIN_"

  /// The name shown to users: `CONV_2D`, or the custom operator's own name.
  package var name: String {
    switch self {
    case .builtin(let operatorCode): operatorCode.schemaName
    case .custom(let name): name
    }
  }

  package var isCustom: Bool {
    if case .custom = self { true } else { false }
  }

  /// Whether the operator's options are in the schema's second options union, which was added when the first one was
  /// full.
  var usesSecondOptionsUnion: Bool {
    if case .builtin(let builtin) = self {
      builtin.rawValue >= BuiltinOperator.stablehloLogistic.rawValue
    } else {
      false
    }
  }
}
