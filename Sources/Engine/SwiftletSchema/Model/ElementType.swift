/// The type of a tensor's elements, with the raw values of the model file format.
public enum ElementType: Int8, Sendable, CaseIterable, Hashable {
  case float32 = 0
  case float16 = 1
  case int32 = 2
  case uint8 = 3
  case int64 = 4
  case string = 5
  case bool = 6
  case int16 = 7
  case complex64 = 8
  case int8 = 9
  case float64 = 10
  case complex128 = 11
  case uint64 = 12
  case resource = 13
  case variant = 14
  case uint32 = 15
  case uint16 = 16
  case int4 = 17
  case bfloat16 = 18
  case int2 = 19
  case uint4 = 20
  case float8E4M3FN = 21
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

  /// The bytes that `count` elements take, packed types rounded up, or `nil` on overflow or for unsized types.
  public func byteCount(elements count: Int) -> Int? {
    guard let bitWidth, count >= 0 else { return nil }
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitWidth)
    guard !overflow, bits <= Int.max - 7 else { return nil }
    return (bits + 7) / 8
  }
}
