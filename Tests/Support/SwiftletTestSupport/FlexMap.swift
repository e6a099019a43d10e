/// Writes a FlexBuffer map, the format of custom operators' options.
package enum FlexMap {
  package enum Value: Sendable {
    case int(Int32)
    case float(Float)
    case bool(Bool)
    case ints([Int32])
  }

  private enum Kind {
    static let int: UInt8 = 1
    static let float: UInt8 = 3
    static let map: UInt8 = 9
    static let intVector: UInt8 = 11
    static let bool: UInt8 = 26
    /// Every slot has four bytes.
    static let width: UInt8 = 2
  }

  package static func bytes(_ entries: [String: Value]) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: Int) {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }
    func align() { while bytes.count % 4 != 0 { bytes.append(0) } }

    let sorted = entries.sorted { $0.key < $1.key }
    var keyPositions: [Int] = []
    for (key, _) in sorted {
      keyPositions.append(bytes.count)
      bytes += Array(key.utf8) + [0]
    }
    var vectorPositions: [String: Int] = [:]
    for case (let key, .ints(let elements)) in sorted {
      align()
      append(elements.count)
      vectorPositions[key] = bytes.count
      for element in elements { append(Int(element)) }
    }
    align()
    append(sorted.count)
    let keys = bytes.count
    for position in keyPositions { append(bytes.count - position) }
    append(bytes.count - keys)
    append(4)
    append(sorted.count)
    let values = bytes.count
    for (key, value) in sorted {
      switch value {
      case .int(let number): append(Int(number))
      case .float(let number): append(Int(number.bitPattern))
      case .bool(let flag): append(flag ? 1 : 0)
      case .ints: append(bytes.count - (vectorPositions[key] ?? 0))
      }
    }
    for (_, value) in sorted {
      switch value {
      case .int: bytes.append(Kind.int << 2 | Kind.width)
      case .float: bytes.append(Kind.float << 2 | Kind.width)
      case .bool: bytes.append(Kind.bool << 2 | Kind.width)
      case .ints: bytes.append(Kind.intVector << 2 | Kind.width)
      }
    }
    align()
    append(bytes.count - values)
    bytes += [Kind.map << 2 | Kind.width, 4]
    return bytes
  }
}
