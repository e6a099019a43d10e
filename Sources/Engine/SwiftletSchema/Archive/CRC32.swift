import SwiftletFlatBuffers
import SwiftletSynchronization

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

  /// The bytes between two looks at the deadline.
  private static let interval = 1 << 16

  /// - Throws: `SchemaError` after the deadline of the call.
  static func checksum(of region: ByteRegion) throws(SchemaError) -> UInt32 {
    var steps = StepCounter()
    return try tables.withUnsafeBufferPointer { (tables) throws(SchemaError) in
      var value = ~UInt32(0)
      var position = 0
      while let word = region.integer(UInt64.self, at: position) {
        if position & (Self.interval - 1) == 0 { try steps.step(Self.interval / 8) }
        let mixed = word ^ UInt64(value)
        var next: UInt32 = 0
        for byte in 0..<8 {
          next ^= tables[(7 - byte) * 256 + Int(mixed >> (8 * UInt64(byte)) & 0xFF)]
        }
        value = next
        position += 8
      }
      while let byte = region.byte(at: position) {
        value = value >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
        position += 1
      }
      return ~value
    }
  }
}
