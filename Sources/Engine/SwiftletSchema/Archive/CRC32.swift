import SwiftletBase

/// The checksum of ZIP members.
///
/// - Source: the reflected polynomial 0xEDB88320; eight bytes per step through eight tables.
enum CRC32 {
  /// Entry `256 * k + b` is the checksum of byte `b` followed by `k` zero bytes.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
      tables[byte] = value
    }
    for index in 256..<tables.count {
      let previous = tables[index - 256]
      tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
    }
    return tables
  }()

  /// The bytes between two looks at the deadline; a multiple of eight.
  private static let interval = 1 << 16

  /// - Throws: `SchemaError` after the deadline of the call.
  static func checksum(of region: ByteRegion) throws(SchemaError) -> UInt32 {
    var steps = StepCounter()
    return try region.withBytes { (bytes) throws(SchemaError) in
      var value = ~UInt32(0)
      var start = 0
      while start < bytes.count {
        let end = min(start + interval, bytes.count)
        try steps.step((end - start) / 8)
        extend(&value, over: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
      return ~value
    }
  }

  private static func extend(_ value: inout UInt32, over bytes: UnsafeRawBufferPointer) {
    tables.withUnsafeBufferPointer { tables in
      guard let table = tables.baseAddress else { return }
      // The eight lookups are written out: a loop over them takes seven times as long in a debug build. Each index is
      // below 8 * 256: a multiple of 256 below 2,048, and one byte.
      @inline(__always)
      func entry(_ multiple: Int, _ word: UInt64, _ shift: UInt64) -> UInt32 {
        table[multiple &+ Int(truncatingIfNeeded: word &>> shift & 0xFF)]
      }
      var position = 0
      // Not overflowing: a count is not negative, and the position never exceeds it.
      let last = bytes.count &- 8
      while position <= last {
        let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian ^ UInt64(value)
        value = entry(1792, word, 0) ^ entry(1536, word, 8) ^ entry(1280, word, 16) ^ entry(1024, word, 24)
        value ^= entry(768, word, 32) ^ entry(512, word, 40) ^ entry(256, word, 48) ^ entry(0, word, 56)
        position &+= 8
      }
      while position < bytes.count {
        value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[position])]
        position &+= 1
      }
    }
  }
}
