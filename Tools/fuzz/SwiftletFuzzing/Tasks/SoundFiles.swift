/// WAV files, valid or nearly valid.
enum SoundFiles {
  /// Returns the file of a campaign's case: any encoding and rate, chunks in any order, and often an inconsistency.
  static func file(seed: UInt64, case number: Int) -> [UInt8] {
    var random = FuzzRandom(seed: seed ^ 0x736F_756E, case: number)
    let channels = random.one(1, 1, 2, 3, 8), bits = random.one(16, 16, 8, 24, 32, 32, 64)
    let isFloat = bits == 64 || bits == 32 && random.oneIn(2)
    var chunks: [(name: String, bytes: [UInt8])] = [
      ("fmt ", format(isFloat ? 3 : 1, channels, bits, &random)),
      ("data", samples(random.within(0...1000) * channels, bits: bits, isFloat: isFloat, &random)),
    ]
    if random.oneIn(3) { chunks.insert(("LIST", random.bytes(random.below(40))), at: random.below(3)) }
    if random.oneIn(8) { chunks.swapAt(0, chunks.count - 1) }
    if random.oneIn(8) { chunks.append(chunks[random.below(chunks.count)]) }
    if random.oneIn(16) { chunks.remove(at: random.below(chunks.count)) }
    var file = Array(random.oneIn(24) ? random.one("RIFX", "RF64", "riff").utf8 : "RIFF".utf8)
    file += bytes(UInt32(truncatingIfNeeded: random.next())) + Array("WAVE".utf8)
    for chunk in chunks {
      var size = UInt32(chunk.bytes.count)
      if random.oneIn(12) { size = UInt32(bitPattern: random.hostile(near: Int32(bitPattern: size))) }
      file += Array(chunk.name.utf8) + bytes(size) + chunk.bytes
      if chunk.bytes.count % 2 == 1, !random.oneIn(12) { file.append(0) }
    }
    if random.oneIn(8) {
      // The headers are at the beginning.
      for _ in 0..<random.within(1...6) { file[random.below(min(60, file.count))] = random.bytes(1)[0] }
    }
    if random.oneIn(10) { file.removeLast(random.below(file.count)) }
    return file
  }

  private static func format(_ tag: UInt16, _ channels: Int, _ bits: Int, _ random: inout FuzzRandom) -> [UInt8] {
    let isExtensible = random.oneIn(4)
    let rate =
      random.oneIn(10)
      ? UInt32(bitPattern: random.hostile()) : random.one(16_000, 16_000, 8000, 44_100, 22_050, 96_000, 63)
    let frame = channels * bits / 8 + (random.oneIn(16) ? random.within(-3...3) : 0)
    var chunk = bytes(isExtensible ? 0xFFFE : random.oneIn(16) ? random.one(0, 2, 6, 7, 0x55) : tag)
    chunk += bytes(random.oneIn(16) ? random.one(0, 1024, 1025, .max) : UInt16(channels)) + bytes(rate)
    chunk += bytes(rate &* UInt32(channels)) + bytes(UInt16(truncatingIfNeeded: frame))
    chunk += bytes(random.oneIn(16) ? random.one(0, 1, 12, 20, 65, .max) : UInt16(bits))
    if isExtensible {
      chunk += bytes(22 as UInt16) + bytes(UInt16(bits)) + bytes(0 as UInt32) + bytes(tag)
      chunk += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    if random.oneIn(16) { chunk.removeLast(random.below(chunk.count)) }
    return chunk
  }

  private static func samples(_ count: Int, bits: Int, isFloat: Bool, _ random: inout FuzzRandom) -> [UInt8] {
    guard isFloat else { return random.bytes(count * bits / 8) }
    let odd = random.one(1 << 40, 1 << 40, 200)
    return (0..<count).flatMap { _ -> [UInt8] in
      let sample = random.oneIn(odd) ? random.hostileFloat() : Float(random.below(1 << 16)) / 32_768 - 1
      return bits == 32 ? bytes(sample.bitPattern) : bytes(Double(sample).bitPattern)
    }
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
  }
}
