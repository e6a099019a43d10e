/// A WAV file, written chunk by chunk.
struct WAVBytes {
  struct Chunk {
    var name: String
    var bytes: [UInt8]
    /// A size that replaces the true one.
    var size: UInt32?
  }

  var chunks: [Chunk]
  var magic = "RIFF"
  var kind = "WAVE"

  static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  static func format(
    tag: UInt16, channels: UInt16, rate: UInt32, bits: UInt16, frameByteCount: UInt16? = nil, identifier: [UInt8]? = nil
  ) -> Chunk {
    let frame = frameByteCount ?? channels &* (bits / 8)
    var bytes = little(identifier == nil ? tag : 0xFFFE) + little(channels) + little(rate)
    bytes += little(rate &* UInt32(frame)) + little(frame) + little(bits)
    if let identifier { bytes += little(UInt16(22)) + little(bits) + little(UInt32(0)) + little(tag) + identifier }
    return Chunk(name: "fmt ", bytes: bytes)
  }

  static let knownEnd: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  static func data(_ bytes: [UInt8]) -> Chunk { Chunk(name: "data", bytes: bytes) }

  /// Creates a file with one chunk of each kind.
  init(
    tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16_000, bits: UInt16 = 16, identifier: [UInt8]? = nil,
    data: [UInt8]
  ) {
    chunks = [
      Self.format(tag: tag, channels: channels, rate: rate, bits: bits, identifier: identifier), Self.data(data),
    ]
  }

  var bytes: [UInt8] {
    let body = chunks.reduce(into: Array(kind.utf8)) { body, chunk in
      body += Array(chunk.name.utf8) + Self.little(chunk.size ?? UInt32(chunk.bytes.count)) + chunk.bytes
      if chunk.bytes.count % 2 == 1 { body.append(0) }
    }
    return Array(magic.utf8) + Self.little(UInt32(body.count)) + body
  }
}
