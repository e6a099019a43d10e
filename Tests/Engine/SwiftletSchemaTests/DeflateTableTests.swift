import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletSchema

/// Writes bits in the order in which deflate stores them.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// Appends a number, lowest bit first.
  mutating func append(_ value: Int, bits: Int) {
    for bit in 0..<bits {
      if count % 8 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(count % 8)
      count += 1
    }
  }

  /// Appends a prefix code, highest bit first.
  mutating func append(code: Int, bits: Int) {
    for bit in (0..<bits).reversed() { append(code >> bit & 1, bits: 1) }
  }

  /// Appends a literal or length symbol in the fixed code of RFC 1951, 3.2.6.
  mutating func append(fixed symbol: Int) {
    switch symbol {
    case 0...143: append(code: 0x30 + symbol, bits: 8)
    case 144...255: append(code: 0x190 + symbol - 144, bits: 9)
    case 256...279: append(code: symbol - 256, bits: 7)
    default: append(code: 0xC0 + symbol - 280, bits: 8)
    }
  }
}

/// The tables of RFC 1951, 3.2.5: the base length and distance of each symbol, and the number of extra bits.
private let lengths: [(base: Int, extra: Int)] = [
  (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1), (15, 1), (17, 1), (19, 2), (23, 2),
  (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5),
  (195, 5), (227, 5), (258, 0),
]
private let distances: [(base: Int, extra: Int)] = [
  (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3), (33, 4), (49, 4), (65, 5), (97, 5),
  (129, 6), (193, 6), (257, 7), (385, 7), (513, 8), (769, 8), (1025, 9), (1537, 9), (2049, 10), (3073, 10), (4097, 11),
  (6145, 11), (8193, 12), (12_289, 12), (16_385, 13), (24_577, 13),
]

@Suite("Tables of deflate")
struct DeflateTableTests {
  private func inflated(_ packed: [UInt8], count: Int) throws(SchemaError) -> [UInt8] {
    try Inflater.inflate(ByteRegion(packed), byteCount: count).array
  }

  /// Checks matches of these symbols after random letters, each with the minimum and maximum of its extra bits.
  private func check(lengthSymbols: [Int], distanceSymbols: [Int], letters: Int, seed: UInt64) throws {
    var random = SplitMix64(state: seed), writer = BitWriter(), expected: [UInt8] = []
    writer.append(1, bits: 1)
    writer.append(1, bits: 2)
    for _ in 0..<letters {
      let letter = UInt8.random(in: 0...255, using: &random)
      writer.append(fixed: Int(letter))
      expected.append(letter)
    }
    for lengthSymbol in lengthSymbols {
      for distanceSymbol in distanceSymbols {
        for isMost in [false, true] {
          let length = lengths[lengthSymbol], distance = distances[distanceSymbol]
          let extraLength = isMost ? (1 << length.extra) - 1 : 0, extraDistance = isMost ? (1 << distance.extra) - 1 : 0
          writer.append(fixed: 257 + lengthSymbol)
          writer.append(extraLength, bits: length.extra)
          writer.append(code: distanceSymbol, bits: 5)
          writer.append(extraDistance, bits: distance.extra)
          for _ in 0..<length.base + extraLength {
            expected.append(expected[expected.count - distance.base - extraDistance])
          }
        }
      }
    }
    writer.append(fixed: 256)
    #expect(try inflated(writer.bytes, count: expected.count) == expected)
  }

  @Test("every length code, with minimum and maximum extra bits")
  func everyLength() throws {
    try check(lengthSymbols: Array(0..<29), distanceSymbols: [0, 4], letters: 10, seed: 1)
  }

  @Test("every distance code, with minimum and maximum extra bits")
  func everyDistance() throws {
    try check(lengthSymbols: [0], distanceSymbols: Array(0..<30), letters: 32_768, seed: 2)
  }

  @Test("a match can start at the first byte, but not before it")
  func firstByte() throws {
    for distance in [3, 4] {
      var writer = BitWriter()
      writer.append(1, bits: 1)
      writer.append(1, bits: 2)
      for letter in [65, 66, 67] { writer.append(fixed: letter) }
      writer.append(fixed: 257)
      writer.append(code: distance - 1, bits: 5)
      writer.append(fixed: 256)
      let packed = writer.bytes
      if distance == 3 {
        #expect(try inflated(packed, count: 6) == [65, 66, 67, 65, 66, 67])
        let long: SchemaError? = thrownError { try inflated(packed, count: 5) }
        #expect(long?.message.hasSuffix("it unpacks to more than the 5 bytes that the archive states") == true)
        let short: SchemaError? = thrownError { try inflated(packed, count: 7) }
        #expect(short?.message.hasSuffix("it unpacks to 6 bytes, but the archive states 7") == true)
      } else {
        let error: SchemaError? = thrownError { try inflated(packed, count: 6) }
        #expect(error?.code == .malformed && error?.message.hasSuffix("leads before the start of the data") == true)
      }
    }
  }

  @Test("symbols that exist in the fixed codes but not in the format are rejected")
  func missingSymbols() {
    for (symbol, distance, words) in [
      (286, 0, "length symbol 286 does not exist"), (287, 0, "length symbol 287 does not exist"),
      (257, 30, "distance symbol 30 does not exist"), (257, 31, "distance symbol 31 does not exist"),
    ] {
      var writer = BitWriter()
      writer.append(1, bits: 1)
      writer.append(1, bits: 2)
      writer.append(fixed: 65)
      writer.append(fixed: symbol)
      writer.append(code: distance, bits: 5)
      writer.append(0, bits: 32)
      let packed = writer.bytes
      let error: SchemaError? = thrownError { try inflated(packed, count: 4) }
      #expect(error?.message.hasSuffix(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test("stored blocks of any length, wherever the bits before them end", arguments: [0, 1, 65_535])
  func storedBlocks(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for letters in 0..<4 {
      var writer = BitWriter()
      // A block with fixed codes. Its nine-bit letters end at different bits.
      writer.append(0, bits: 1)
      writer.append(1, bits: 2)
      for _ in 0..<letters { writer.append(fixed: 200) }
      writer.append(fixed: 256)
      writer.append(1, bits: 1)
      writer.append(0, bits: 2)
      let low = UInt8(count % 256), high = UInt8(count / 256)
      let packed: [UInt8] = writer.bytes + [low, high, ~low, ~high] + content
      #expect(try inflated(packed, count: letters + count) == [UInt8](repeating: 200, count: letters) + content)
      let cut: SchemaError? = thrownError { try inflated(Array(packed.dropLast()), count: letters + count) }
      #expect(cut?.message.hasSuffix("it ends in the middle of a block") == true || (count == 0 && cut != nil))
      guard count > 0 else { continue }
      let long: SchemaError? = thrownError { try inflated(packed, count: letters + count - 1) }
      #expect(long?.message.contains("it unpacks to more than the") == true)
    }
  }

  // MARK: Prefix codes

  @Test("codes of every length are decoded, both by table and by canonical order", arguments: 0..<12)
  func codes(seed: Int) throws {
    // Code lengths that use all bit patterns: codes are split until there are enough.
    var random = SplitMix64(state: UInt64(seed)), leaves = [0]
    while leaves.count < [2, 20, 100, 286][seed % 4] {
      let candidates = leaves.indices.filter { leaves[$0] < 15 }
      let index = candidates[Int.random(in: 0..<candidates.count, using: &random)]
      leaves[index] += 1
      leaves.append(leaves[index])
    }
    // One code of 15 bits, if there is room.
    while let deepest = leaves.max(), seed % 3 == 0, deepest < 15, leaves.count < 286 {
      let index = leaves.firstIndex(of: deepest) ?? 0
      leaves[index] += 1
      leaves.append(leaves[index])
    }
    var sizes = leaves.map { UInt8($0) }.shuffled(using: &random)
    sizes += [0, 0]
    let code = try #require(HuffmanCode(lengths: sizes))
    // Canonical order: by length, then by symbol.
    var next = 0, last = 0
    let symbols = sizes.indices.filter { sizes[$0] > 0 }.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    for symbol in symbols {
      let size = sizes[symbol]
      next <<= Int(size) - last
      last = Int(size)
      var stream: UInt64 = 0
      for bit in 0..<last where next >> (last - 1 - bit) & 1 == 1 { stream |= 1 << UInt64(bit) }
      for rest in [0, UInt64.max << UInt64(last)] {
        let found = code.symbol(startingWith: stream | rest)
        #expect(found?.symbol == symbol && found?.length == last)
      }
      next += 1
    }
  }

  @Test("invalid code lengths are rejected, except a single short code or none")
  func refusedCodes() {
    #expect(HuffmanCode(lengths: [1, 1]) != nil && HuffmanCode(lengths: [1, 2, 2]) != nil)
    #expect(HuffmanCode(lengths: [1, 1, 1]) == nil && HuffmanCode(lengths: [1, 2]) == nil)
    #expect(HuffmanCode(lengths: [2]) == nil && HuffmanCode(lengths: [16, 1]) == nil)
    #expect(HuffmanCode(lengths: [1])?.symbol(startingWith: 0)?.symbol == 0)
    #expect(HuffmanCode(lengths: [1])?.symbol(startingWith: 1) == nil)
    #expect(HuffmanCode(lengths: [0, 0])?.symbol(startingWith: 0) == nil && HuffmanCode(lengths: []) != nil)
  }

  // MARK: Checksums

  @Test("checksums match the ZIP format, for any number of bytes")
  func checksums() throws {
    #expect(try CRC32.checksum(of: ByteRegion(Array("123456789".utf8))) == 0xCBF4_3926)
    #expect(try CRC32.checksum(of: .empty) == 0)
    #expect(
      try CRC32.checksum(of: ByteRegion(Array("The quick brown fox jumps over the lazy dog".utf8))) == 0x414F_A339)
    func slow(_ bytes: [UInt8]) -> UInt32 {
      var value = ~UInt32(0)
      for byte in bytes {
        value ^= UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
      }
      return ~value
    }
    let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 200) }
    for count in 0...40 {
      let part = Array(bytes.prefix(count))
      #expect(try CRC32.checksum(of: ByteRegion(part)) == slow(part))
    }
  }
}
