/// The type of a tensor's elements, with the raw values of the model file format.
public enum ElementType: Int8, Sendable, CaseIterable, Hashable {
  /// IEEE 754 single precision; `Float`.
  case float32 = 0
  /// IEEE 754 half precision.
  case float16 = 1
  /// Signed integers of 32 bits.
  case int32 = 2
  /// Unsigned integers of 8 bits; in older quantized models also codes of real numbers.
  case uint8 = 3
  /// Signed integers of 64 bits.
  case int64 = 4
  /// Strings of any length and any bytes.
  case string = 5
  /// Truth values, one byte each.
  case bool = 6
  /// Signed integers of 16 bits; quantized, codes of real numbers.
  case int16 = 7
  /// Complex numbers of two single-precision numbers.
  case complex64 = 8
  /// Signed integers of 8 bits; quantized, codes of real numbers.
  case int8 = 9
  /// IEEE 754 double precision; `Double`.
  case float64 = 10
  /// Complex numbers of two double-precision numbers.
  case complex128 = 11
  /// Unsigned integers of 64 bits.
  case uint64 = 12
  /// A handle of something that a graph keeps, such as a hash table.
  case resource = 13
  /// A value whose type only the run knows.
  case variant = 14
  /// Unsigned integers of 32 bits.
  case uint32 = 15
  /// Unsigned integers of 16 bits.
  case uint16 = 16
  /// Signed integers of 4 bits, two in a byte.
  case int4 = 17
  /// The upper half of a single-precision number.
  case bfloat16 = 18
  /// Signed integers of 2 bits, four in a byte.
  case int2 = 19
  /// Unsigned integers of 4 bits, two in a byte.
  case uint4 = 20
  /// Floats of 8 bits with 4 bits of exponent and 3 of fraction, without infinities.
  case float8E4M3FN = 21
  /// Floats of 8 bits with 5 bits of exponent and 2 of fraction.
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

  /// Returns the bytes that `count` elements take, packed types rounded up, or `nil` on overflow or for unsized types.
  public func byteCount(elements count: Int) -> Int? {
    guard let bitWidth, count >= 0 else { return nil }
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    guard !overflow, bits <= Int.max - 7 else { return nil }
    return (bits + 7) / 8
  }
}

/// What an operator does: a builtin code or the name of a custom operator.
package enum OperatorKind: Sendable, Hashable {
  case builtin(BuiltinOperator)
  case custom(String)

  /// How the name starts under which a builtin code is kept that is newer than this reader: `UNKNOWN_BUILTIN_213`.
  ///
  /// Such a model can be described, but not run.
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

  /// Whether the operator's options live in the union that the schema added when the first one was full.
  var usesSecondOptionsUnion: Bool {
    if case .builtin(let builtin) = self {
      builtin.rawValue >= BuiltinOperator.stablehloLogistic.rawValue
    } else {
      false
    }
  }
}
