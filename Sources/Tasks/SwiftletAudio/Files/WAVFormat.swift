import SwiftletTasks

/// The sample format of a WAV file, from its `fmt ` chunk.
struct WAVFormat: Hashable {
  /// The encoding of a sample.
  enum Encoding: Hashable {
    /// 8-bit unsigned integers; 128 is silence.
    case unsigned8
    case signed16, signed24, signed32
    case float32, float64

    var byteCount: Int {
      switch self {
      case .unsigned8: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      case .float64: 8
      }
    }
  }

  let encoding: Encoding
  let channelCount: Int
  let sampleRate: Int

  private enum Tag {
    static let integers = 1
    static let floats = 3
    /// The tag for an extended format. The actual tag is at the start of the 16-byte identifier that follows.
    static let extensible = 0xFFFE
    static let names = [
      2: "ADPCM", 6: "A-law", 7: "µ-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10", 0x50: "MPEG", 0x55: "MP3", 0xFF: "AAC",
    ]
  }

  /// The end of the identifiers of known encodings, after the tag and two zeros.
  private static let identifierEnd: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  /// Parses a chunk.
  ///
  /// - Throws: `TaskError` for chunks that are too short or inconsistent, and for unsupported encodings.
  init(chunk: UnsafeRawBufferPointer) throws(TaskError) {
    guard chunk.count >= 16 else {
      throw WAVDecoder.error("its fmt chunk has \(chunk.count) bytes, but at least 16 are needed")
    }
    func word(_ offset: Int) -> Int { Int(chunk.littleEndian(UInt16.self, at: offset)) }
    var tag = word(0)
    if tag == Tag.extensible {
      guard chunk.count >= 40 else {
        throw WAVDecoder.error("its extensible fmt chunk has \(chunk.count) bytes, but 40 are needed")
      }
      guard chunk[26..<40].elementsEqual(Self.identifierEnd) else {
        throw WAVDecoder.error("its extensible fmt chunk names an unknown encoding; only PCM and floats are supported")
      }
      tag = word(24)
    }
    channelCount = word(2)
    sampleRate = Int(chunk.littleEndian(UInt32.self, at: 4))
    let (frameByteCount, bits) = (word(12), word(14))
    guard channelCount > 0 else { throw WAVDecoder.error("it has no channels") }
    switch (tag, bits) {
    case (Tag.integers, 1...8): encoding = .unsigned8
    case (Tag.integers, 9...16): encoding = .signed16
    case (Tag.integers, 17...24): encoding = .signed24
    case (Tag.integers, 25...32): encoding = .signed32
    case (Tag.floats, 32): encoding = .float32
    case (Tag.floats, 64): encoding = .float64
    case (Tag.integers, _):
      throw WAVDecoder.error("it has integers of \(bits) bits; 8, 16, 24 and 32 are supported")
    case (Tag.floats, _): throw WAVDecoder.error("it has floats of \(bits) bits; 32 and 64 are supported")
    default:
      let name = Tag.names[tag].map { " (\($0))" } ?? ""
      throw WAVDecoder.error(
        "its encoding is \(tag)\(name); only PCM (1) and floats (3) are supported: convert it, as with 'ffmpeg -i IN OUT.wav'"
      )
    }
    guard frameByteCount == channelCount * encoding.byteCount else {
      throw WAVDecoder.error(
        "its fmt chunk states that a frame has \(frameByteCount) bytes, but \(channelCount) channels of \(bits) bits have \(channelCount * encoding.byteCount)"
      )
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the little-endian number at `offset`, which must be in bounds.
  func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
