import SwiftletBase

/// A prefix code of the deflate format. Short codes are decoded with a table, long codes by canonical order.
///
/// Building the table has a small fixed cost for any code lengths, so that many tiny blocks stay cheap.
struct HuffmanCode {
  static let maximumCode = 15
  private static let tableBits = 9

  /// `symbol << 4 | length`, indexed by the next `tableBits` bits; 0 if the code is longer or doesn't exist.
  private var table: [UInt16]
  /// The number of codes of each length.
  private var counts = [Int](repeating: 0, count: maximumCode + 1)
  /// The symbols in code order, short codes first.
  private var symbols: [UInt16]

  /// Creates the code that assigns symbol `i` a code of `lengths[i]` bits (0 for none, at most 15). Returns `nil` if
  /// the lengths don't form a prefix code, because it has too many short codes or bit patterns without a symbol.
  ///
  /// An incomplete code with no symbol, or with a single 1-bit code, is accepted. Writers use it for blocks with at
  /// most one distance.
  init?(lengths: [UInt8]) {
    for length in lengths where length > 0 {
      guard length <= Self.maximumCode else { return nil }
      counts[Int(length)] += 1
    }
    var unused = 1
    for length in 1...Self.maximumCode {
      unused = unused * 2 - counts[length]
      guard unused >= 0 else { return nil }
    }
    let used = counts.reduce(0, +)
    guard unused == 0 || used == 0 || (used == 1 && counts[1] == 1) else { return nil }

    var nextIndex = [Int](repeating: 0, count: Self.maximumCode + 2)
    var nextCode = [Int](repeating: 0, count: Self.maximumCode + 2)
    for length in 1...Self.maximumCode {
      nextIndex[length + 1] = nextIndex[length] + counts[length]
      nextCode[length + 1] = (nextCode[length] + counts[length]) << 1
    }
    symbols = [UInt16](repeating: 0, count: used)
    table = [UInt16](repeating: 0, count: 1 << Self.tableBits)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[nextIndex[length]] = UInt16(symbol)
      nextIndex[length] += 1
      let code = nextCode[length]
      nextCode[length] += 1
      guard length <= Self.tableBits else { continue }
      // The stream stores a code's first bit in the lowest position.
      var index = Self.reversed(code, bits: length)
      while index < table.count {
        table[index] = UInt16(symbol) << 4 | UInt16(length)
        index += 1 << length
      }
    }
  }

  private static func reversed(_ code: Int, bits: Int) -> Int {
    (0..<bits).reduce(0) { result, bit in result << 1 | (code >> bit & 1) }
  }

  /// Returns the symbol whose code is at the start of `bits` (first bit lowest) and the code's length, or `nil` if no
  /// code matches.
  func symbol(startingWith bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = table[Int(bits & UInt64((1 << Self.tableBits) - 1))]
    if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.maximumCode {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = counts[length]
      if code - first < count { return (Int(symbols[index + code - first]), length) }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}

/// The checksum of ZIP members.
///
/// - Source: the reflected polynomial 0xEDB88320, processed eight bytes per step with eight tables.
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

  /// The number of bytes between two checks of the deadline; a multiple of eight.
  private static let interval = 1 << 16

  /// Returns the checksum of a region.
  ///
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
      // The eight lookups are unrolled, because a loop takes seven times as long in a debug build. Each index is below
      // 8 * 256: the sum of a multiple of 256 below 2,048 and one byte.
      @inline(__always)
      func entry(_ multiple: Int, _ word: UInt64, _ shift: UInt64) -> UInt32 {
        table[multiple &+ Int(truncatingIfNeeded: word &>> shift & 0xFF)]
      }
      var position = 0
      // This can't overflow: a count isn't negative, and the position never exceeds it.
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

/// Limits on the work and memory that an archive may cause.
package struct ArchiveLimits: Sendable, Hashable {
  /// The maximum number of members.
  package var members: Int
  /// The maximum unpacked size of one compressed member, in bytes. Stored members aren't copied and have no limit.
  package var unpackedBytes: Int
  /// The maximum nesting depth of bundles.
  package var nesting: Int

  package init(members: Int = 4096, unpackedBytes: Int = 1 << 29, nesting: Int = 4) {
    self.members = members
    self.unpackedBytes = unpackedBytes
    self.nesting = nesting
  }

  package static let `default` = ArchiveLimits()
}
