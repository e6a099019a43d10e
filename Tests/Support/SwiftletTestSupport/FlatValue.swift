/// A FlatBuffers table, or any value that a field can have, for writing.
package indirect enum FlatValue: Sendable {
  case bool(Bool)
  case byte(Int8)
  case int(Int32)
  case uint(UInt32)
  case long(Int64)
  case float(Float)
  case string(String)
  case bytes([UInt8])
  case ints([Int32])
  case longs([Int64])
  case floats([Float])
  case bools([Bool])
  case shorts([UInt16])
  case strings([String])
  /// A vector with a wrong element count.
  case lyingVector(count: UInt32, bytes: [UInt8])
  /// A table with its fields by ID.
  case table([Int: FlatValue])
  case tables([[Int: FlatValue]])

  /// Returns the bytes of a file with this table as its root.
  package static func file(root: [Int: FlatValue], identifier: String) -> [UInt8] {
    var writer = Writer()
    writer.append(UInt32(0))
    writer.bytes += Array(identifier.utf8.prefix(4))
    writer.patch(0, to: writer.table(root))
    return writer.bytes
  }
}

/// Writes parents before their children, so that every offset points forward as the format requires.
private struct Writer {
  var bytes: [UInt8] = []

  mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func align(_ alignment: Int, after prefix: Int = 0) {
    while (bytes.count + prefix) % alignment != 0 { bytes.append(0) }
  }

  mutating func patch(_ position: Int, to target: Int) {
    withUnsafeBytes(of: UInt32(target - position).littleEndian) {
      bytes.replaceSubrange(position..<(position + 4), with: $0)
    }
  }

  mutating func table(_ fields: [Int: FlatValue]) -> Int {
    let slots = (fields.keys.max() ?? -1) + 1
    var offsets = [Int](repeating: 0, count: slots)
    var size = 4
    for (id, value) in fields.sorted(by: { $0.key < $1.key }) {
      let width = value.inlineWidth
      size = (size + width - 1) / width * width
      offsets[id] = size
      size += width
    }
    align(2)
    let dispatch = bytes.count
    append(UInt16(4 + 2 * slots))
    append(UInt16(size))
    for offset in offsets { append(UInt16(offset)) }
    // Eight-byte fields are aligned because the table is.
    align(8)
    let start = bytes.count
    append(Int32(start - dispatch))
    bytes += [UInt8](repeating: 0, count: size - 4)
    // Fields are written in ID order, so that equal tables have equal bytes.
    for (id, value) in fields.sorted(by: { $0.key < $1.key }) {
      let position = start + offsets[id]
      if let scalar = value.scalarBytes {
        bytes.replaceSubrange(position..<(position + scalar.count), with: scalar)
      } else {
        patch(position, to: child(value))
      }
    }
    return start
  }

  private mutating func child(_ value: FlatValue) -> Int {
    switch value {
    case .table(let fields): return table(fields)
    case .string(let text): return vector(Array(text.utf8), alignment: 4, terminator: true)
    case .bytes(let content): return vector(content, alignment: 16)
    case .bools(let flags): return vector(flags.map { $0 ? UInt8(1) : 0 }, alignment: 4)
    case .ints(let numbers): return vector(numbers, alignment: 4)
    case .longs(let numbers): return vector(numbers, alignment: 8)
    case .floats(let numbers): return vector(numbers.map(\.bitPattern), alignment: 4)
    case .shorts(let numbers): return vector(numbers, alignment: 4)
    case .strings(let texts):
      let start = vector([UInt32](repeating: 0, count: texts.count), alignment: 4)
      for (index, text) in texts.enumerated() { patch(start + 4 + 4 * index, to: child(.string(text))) }
      return start
    case .lyingVector(let count, let content):
      align(4)
      let start = bytes.count
      append(count)
      bytes += content
      return start
    case .tables(let rows):
      let start = vector([UInt32](repeating: 0, count: rows.count), alignment: 4)
      for (index, row) in rows.enumerated() { patch(start + 4 + 4 * index, to: table(row)) }
      return start
    case .bool, .byte, .int, .uint, .long, .float: return bytes.count
    }
  }

  private mutating func vector<Value: FixedWidthInteger>(
    _ values: [Value], alignment: Int, terminator: Bool = false
  ) -> Int {
    align(alignment, after: 4)
    let start = bytes.count
    append(UInt32(values.count))
    for value in values { append(value) }
    if terminator { bytes.append(0) }
    return start
  }
}

extension FlatValue {
  fileprivate var inlineWidth: Int {
    switch self {
    case .bool, .byte: 1
    case .long: 8
    default: 4
    }
  }

  fileprivate var scalarBytes: [UInt8]? {
    switch self {
    case .bool(let value): [value ? 1 : 0]
    case .byte(let value): [UInt8(bitPattern: value)]
    case .int(let value): withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    case .uint(let value): withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    case .long(let value): withUnsafeBytes(of: value.littleEndian) { [UInt8]($0) }
    case .float(let value): withUnsafeBytes(of: value.bitPattern.littleEndian) { [UInt8]($0) }
    default: nil
    }
  }
}
