import SwiftletBase

/// Reads the fields of a protobuf message one by one, without a schema.
///
/// Every field is checked against the end of the message, so any bytes result in fields or an error.
///
/// - Source: the wire format of Protocol Buffers.
struct ProtobufReader {
  /// The value of a field.
  enum Value {
    case integer(UInt64)
    case fourBytes(UInt32)
    case eightBytes(UInt64)
    /// A string, a message, or packed values.
    case bytes(ProtobufReader)
  }

  struct Field {
    var number: Int
    var value: Value
  }

  private let region: ByteRegion
  private var position: Int
  private let end: Int

  init(_ region: ByteRegion) { self.init(region, 0, region.count) }

  private init(_ region: ByteRegion, _ position: Int, _ end: Int) {
    (self.region, self.position, self.end) = (region, position, end)
  }

  private var rest: Int { end - position }

  /// Returns the next field; `nil` at the end.
  ///
  /// - Throws: `TaskError` with the position of the damage.
  mutating func next() throws(TaskError) -> Field? {
    guard rest > 0 else { return nil }
    let key = try integer()
    guard let number = Int(exactly: key >> 3), (1..<1 << 29).contains(number) else {
      throw damaged("a field has the number \(key >> 3)")
    }
    let value: Value
    switch key & 7 {
    case 0: value = .integer(try integer())
    case 1: value = .eightBytes(try fixed(UInt64.self))
    case 2:
      let count = try integer()
      guard count <= rest else { throw damaged("\(count) bytes are declared, but \(rest) are left") }
      // This cannot overflow, because the count is at most the number of remaining bytes.
      value = .bytes(ProtobufReader(region, position, position + Int(count)))
      position += Int(count)
    case 5: value = .fourBytes(try fixed(UInt32.self))
    case let kind: throw damaged("field \(number) is of kind \(kind); 0, 1, 2 and 5 are known")
    }
    return Field(number: number, value: value)
  }

  /// Returns the next 32-bit value of packed values; `nil` at the end.
  ///
  /// - Throws: `TaskError` if fewer than four bytes are left.
  mutating func nextFourBytes() throws(TaskError) -> UInt32? { rest > 0 ? try fixed(UInt32.self) : nil }

  private mutating func integer() throws(TaskError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard rest > 0, let byte = region.byte(at: position) else { throw damaged("a number does not end") }
      position += 1
      value |= UInt64(byte & 127) << shift
      if byte < 128 { return value }
    }
    throw damaged("a number has more than ten bytes")
  }

  private mutating func fixed<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws(TaskError) -> Number {
    let size = MemoryLayout<Number>.size
    guard size <= rest, let number = region.integer(type, at: position) else {
      throw damaged("a number of \(size) bytes is declared, but \(rest) are left")
    }
    position += size
    return number
  }

  private func damaged(_ what: String) -> TaskError { .invalidModel("damaged at byte \(position): \(what)") }
}
