import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

@Suite("WAV files")
struct WAVDecoderTests {
  private func samples(_ file: WAVBytes) throws -> [Float] { try AudioClip(wav: file.bytes).samples }

  private func error(_ file: WAVBytes) -> String? { error(file.bytes) }

  private func error(_ bytes: [UInt8]) -> String? {
    let error = taskError { _ = try AudioClip(wav: bytes) }
    #expect(error == nil || error?.code == .invalidAudio)
    return error?.message
  }

  @Test("integers become numbers from −1 to 1")
  func integers() throws {
    #expect(try samples(WAVBytes(bits: 8, data: [0, 64, 128, 192, 255])) == [-1, -0.5, 0, 0.5, 127 / 128])
    #expect(try samples(WAVBytes(data: [0, 0x80, 0, 0xC0, 0, 0, 0xFF, 0x7F])) == [-1, -0.5, 0, 32_767 / 32_768])
    #expect(try samples(WAVBytes(bits: 24, data: [0, 0, 0x80, 0, 0, 0x40, 1, 0, 0])) == [-1, 0.5, 1 / 8_388_608])
    #expect(try samples(WAVBytes(bits: 32, data: [0, 0, 0, 0x80, 0, 0, 0, 0x60])) == [-1, 0.75])
  }

  @Test("floats are unchanged")
  func floats() throws {
    let numbers: [Float] = [0.25, -3, 1e-30]
    #expect(
      try samples(WAVBytes(tag: 3, bits: 32, data: numbers.flatMap { WAVBytes.little($0.bitPattern) })) == numbers)
    #expect(
      try samples(WAVBytes(tag: 3, bits: 64, data: numbers.flatMap { WAVBytes.little(Double($0).bitPattern) }))
        == numbers)
    let wrong = WAVBytes(tag: 3, bits: 64, data: WAVBytes.little((1e300).bitPattern))
    #expect(error(wrong)?.contains("samples must be finite") == true)
  }

  @Test("rate and channels come from the format")
  func format() throws {
    let clip = try AudioClip(
      wav: WAVBytes(channels: 3, rate: 44_100, bits: 8, data: [128, 192, 255, 128, 64, 0]).bytes)
    #expect(clip.channelCount == 3 && clip.sampleRate == 44_100 && clip.frameCount == 2)
    #expect(error(WAVBytes(rate: 0, data: [0, 0])) != nil)
    #expect(error(WAVBytes(channels: 0, data: [0, 0]))?.contains("no channels") == true)
    #expect(error(WAVBytes(channels: 2000, data: [UInt8](repeating: 0, count: 4000))) != nil)
  }

  @Test("the extensible header contains the encoding at its end")
  func extensible() throws {
    let data: [UInt8] = [0, 0, 0x40]
    #expect(try samples(WAVBytes(bits: 24, identifier: WAVBytes.knownEnd, data: data)) == [0.5])
    var end = WAVBytes.knownEnd
    end[13] = 0
    #expect(error(WAVBytes(bits: 24, identifier: end, data: data))?.contains("unknown encoding") == true)
    #expect(error(WAVBytes(tag: 6, bits: 8, identifier: WAVBytes.knownEnd, data: data))?.contains("A-law") == true)
    var short = WAVBytes(identifier: WAVBytes.knownEnd, data: data)
    short.chunks[0].bytes.removeLast(2)
    #expect(error(short)?.contains("40 are needed") == true)
  }

  @Test("chunks may be in any order, and odd ones are padded")
  func order() throws {
    var file = WAVBytes(bits: 8, data: [255, 0, 128])
    file.chunks.reverse()
    file.chunks.insert(.init(name: "LIST", bytes: [1, 2, 3]), at: 0)
    file.chunks.append(.init(name: "id3 ", bytes: [9]))
    #expect(try samples(file) == [127 / 128, -1, 0])
    // The first of two data chunks counts.
    file.chunks.append(WAVBytes.data([1, 2, 3, 4]))
    file.chunks.append(.init(name: "fmt ", bytes: []))
    #expect(try samples(file).count == 3)
  }

  @Test("the size in the header is ignored, and a streaming writer may omit the size of the samples")
  func sizes() throws {
    var bytes = WAVBytes(data: [0, 0x40, 0, 0x40]).bytes
    bytes.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(try AudioClip(wav: bytes).samples == [0.5, 0.5])
    bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0])
    #expect(try AudioClip(wav: bytes).samples == [0.5, 0.5])
    var stream = WAVBytes(data: [0, 0x40, 0, 0x40, 7])
    for size: UInt32 in [.max, 0x7FFF_F000, 0xFFFF_FFF0] {
      stream.chunks[1].size = size
      #expect(try samples(stream).prefix(2) == [0.5, 0.5])
    }
  }

  @Test("truncated files are reported")
  func truncated() {
    var file = WAVBytes(data: [1, 2, 3, 4])
    file.chunks[1].size = 100
    #expect(error(file)?.contains("ends after 4 of 100 bytes") == true)
    file.chunks[0].size = 5000
    #expect(error(file)?.contains("inside of its fmt chunk") == true)
    file.chunks[0].size = 12
    #expect(error(file) != nil)
    let whole = WAVBytes(channels: 2, data: [1, 2, 3, 4, 5, 6, 7, 8]).bytes
    for length in whole.indices { #expect(error(Array(whole.prefix(length))) != nil) }
  }

  @Test("other file formats are recognized")
  func others() {
    var file = WAVBytes(data: [0, 0])
    for (magic, words) in [("RF64", "RF64"), ("BW64", "RF64"), ("RIFX", "big-endian"), ("OggS", "not a WAV file")] {
      file.magic = magic
      #expect(error(file)?.contains(words) == true)
    }
    file.magic = "RIFF"
    file.kind = "AVI "
    #expect(error(file)?.contains("not of sound") == true)
    #expect(error([UInt8]()) != nil)
    var empty = WAVBytes(data: [])
    empty.chunks.removeLast()
    #expect(error(empty)?.contains("no data chunk") == true)
    empty.chunks = [WAVBytes.data([0, 0])]
    #expect(error(empty)?.contains("no fmt chunk") == true)
  }

  @Test("encodings that are not supported are named")
  func encodings() {
    #expect(error(WAVBytes(tag: 7, bits: 8, data: [0]))?.contains("µ-law") == true)
    #expect(error(WAVBytes(tag: 0x1234, bits: 8, data: [0]))?.contains("4660") == true)
    #expect(error(WAVBytes(bits: 64, data: [0]))?.contains("integers of 64 bits") == true)
    #expect(error(WAVBytes(bits: 0, data: [0]))?.contains("integers of 0 bits") == true)
    #expect(error(WAVBytes(tag: 3, bits: 16, data: [0]))?.contains("floats of 16 bits") == true)
    var file = WAVBytes(data: [0, 0])
    file.chunks[0] = WAVBytes.format(tag: 1, channels: 1, rate: 1, bits: 16, frameByteCount: 0)
    #expect(error(file)?.contains("a frame has 0 bytes") == true)
  }

  @Test("more samples than the limit are rejected before they are read")
  func limit() {
    let file = WAVBytes(bits: 8, data: [UInt8](repeating: 0, count: 11)).bytes
    let error = taskError {
      try file.withUnsafeBytes { bytes in _ = try WAVDecoder.decode(bytes, maximumSamples: 10) }
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test("exactly the maximum number of samples is read, which is a gigabyte of floats")
  func exactLimit() throws {
    #expect(WAVDecoder.maximumSamples == 268_435_456)
    for (count, channels, isTaken) in [(10, 1, true), (11, 1, false), (10, 2, true), (12, 2, false)] {
      let file = WAVBytes(channels: UInt16(channels), bits: 8, data: [UInt8](repeating: 0, count: count)).bytes
      let error = taskError {
        try file.withUnsafeBytes { bytes in _ = try WAVDecoder.decode(bytes, maximumSamples: 10) }
      }
      let words = "the WAV file has \(count) samples, the limit is 10; cut it into pieces"
      #expect(error == (isTaken ? nil : TaskError(.limitExceeded, words)))
    }
  }

  @Test(
    "integers with fewer bits than their bytes are read as whole bytes",
    arguments: [
      (0, nil), (1, 1), (8, 1), (9, 2), (16, 2), (17, 3), (24, 3), (25, 4), (32, 4), (33, nil),
    ] as [(UInt16, Int?)])
  func bits(bits: UInt16, byteCount: Int?) throws {
    // The same value, one half, in each sample size.
    let data: [[UInt8]] = [[192], [0, 0x40], [0, 0, 0x40], [0, 0, 0, 0x40]]
    var file = WAVBytes(data: byteCount.map { data[$0 - 1] } ?? [0, 0, 0, 0])
    file.chunks[0] = WAVBytes.format(
      tag: 1, channels: 1, rate: 1, bits: bits, frameByteCount: UInt16(byteCount ?? 4))
    if byteCount == nil {
      #expect(
        error(file)
          == "the WAV file cannot be used: it has integers of \(bits) bits; 8, 16, 24 and 32 are supported")
    } else {
      #expect(try samples(file) == [0.5])
    }
  }

  @Test(
    "encodings are named",
    arguments: [
      (2, " (ADPCM)"), (6, " (A-law)"), (7, " (µ-law)"), (0x11, " (IMA ADPCM)"), (0x31, " (GSM 6.10)"),
      (0x50, " (MPEG)"), (0x55, " (MP3)"), (0xFF, " (AAC)"), (0, ""), (4, ""),
    ] as [(UInt16, String)])
  func names(tag: UInt16, name: String) {
    #expect(
      error(WAVBytes(tag: tag, bits: 8, data: [0]))
        == "the WAV file cannot be used: its encoding is \(tag)\(name); only PCM (1) and floats (3) are supported: convert it, as with 'ffmpeg -i IN OUT.wav'"
    )
  }

  @Test("errors are described")
  func words() {
    let start = "the WAV file cannot be used: "
    for (count, words) in [
      (0, "it has 0 bytes, which is less than its header"), (11, "it has 11 bytes, which is less than its header"),
      (12, "it has no fmt chunk, which describes the sample format"),
    ] {
      #expect(error(Array(WAVBytes(data: []).bytes.prefix(count))) == start + words)
    }
    var file = WAVBytes(data: [0, 0])
    file.chunks[0].bytes.removeLast()
    #expect(error(file) == start + "its fmt chunk has 15 bytes, but at least 16 are needed")
    file = WAVBytes(identifier: WAVBytes.knownEnd, data: [0, 0])
    file.chunks[0].bytes.removeLast()
    #expect(error(file) == start + "its extensible fmt chunk has 39 bytes, but 40 are needed")
    for index in WAVBytes.knownEnd.indices {
      var end = WAVBytes.knownEnd
      end[index] ^= 1
      #expect(
        error(WAVBytes(identifier: end, data: [0, 0]))
          == start + "its extensible fmt chunk names an unknown encoding; only PCM and floats are supported")
    }
    #expect(error(WAVBytes(channels: 0, data: [0, 0])) == start + "it has no channels")
    #expect(
      error(WAVBytes(tag: 3, bits: 33, data: [0, 0])) == start + "it has floats of 33 bits; 32 and 64 are supported")
    file = WAVBytes(data: [0, 0])
    for frame: UInt16 in [3, 5] {
      file.chunks[0] = WAVBytes.format(tag: 1, channels: 2, rate: 1, bits: 16, frameByteCount: frame)
      #expect(
        error(file) == start
          + "its fmt chunk states that a frame has \(frame) bytes, but 2 channels of 16 bits have 4")
    }
    for (magic, words) in [
      ("RF64", "it is an RF64 file (for more than 4 GiB), which is not supported; cut it into pieces"),
      ("BW64", "it is an RF64 file (for more than 4 GiB), which is not supported; cut it into pieces"),
      ("RIFX", "it is big-endian (RIFX), which is not supported"),
      ("RIFf", "it does not begin with RIFF, so it is not a WAV file"),
    ] {
      file = WAVBytes(data: [0, 0])
      file.magic = magic
      #expect(error(file) == start + words)
    }
  }

  @Test(
    "only the sizes of streaming writers extend to the end of the file",
    arguments: [(5, false), (0x7FFF_EFFF, false), (0x7FFF_F000, true), (0x8000_0000, true), (.max, true)]
      as [(UInt32, Bool)])
  func unknownSizes(size: UInt32, isTaken: Bool) throws {
    var file = WAVBytes(data: [0, 0x40, 0, 0x40])
    file.chunks[1].size = size
    #expect(
      error(file)
        == (isTaken
          ? nil
          : "the WAV file cannot be used: it ends after 4 of \(size) bytes of samples: it is truncated"))
    if isTaken { #expect(try samples(file) == [0.5, 0.5]) }
  }

  @Test("a chunk at the very end is read, and a partial one isn't", arguments: [0, 7])
  func end(more: Int) throws {
    var bytes = WAVBytes(bits: 8, data: [192, 64]).bytes
    bytes += Array("data\u{1}\0\0".utf8).prefix(more)
    #expect(try AudioClip(wav: bytes).samples == [0.5, -0.5])
    // A file without samples is an empty clip.
    #expect(try AudioClip(wav: WAVBytes(data: []).bytes).samples.isEmpty)
  }

  @Test("formats keep encoding, channels, and rate")
  func formatFields() throws {
    let chunk = WAVBytes.format(tag: 3, channels: 5, rate: 70_000, bits: 64).bytes
    let format = try chunk.withUnsafeBytes { try WAVFormat(chunk: $0) }
    #expect(format.encoding == .float64 && format.channelCount == 5 && format.sampleRate == 70_000)
    #expect(
      [WAVFormat.Encoding.unsigned8, .signed16, .signed24, .signed32, .float32, .float64].map(\.byteCount)
        == [1, 2, 3, 4, 4, 8])
  }

  @Test("changed bytes give a clip or an error")
  func mutants() {
    let file = WAVBytes(channels: 2, bits: 24, identifier: WAVBytes.knownEnd, data: ramp(60).map { UInt8($0) }).bytes
    var random = SplitMix64(state: 5)
    for _ in 0..<3000 {
      var mutant = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutant[Int.random(in: mutant.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = error(mutant)
    }
  }

  @Test("files are read by path")
  func paths() throws {
    let path = NSTemporaryDirectory() + "/swiftlet-\(UUID().uuidString).wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(WAVBytes(data: [0, 0x40]).bytes).write(to: URL(fileURLWithPath: path))
    #expect(try AudioClip(contentsOf: path).samples == [0.5])
    let missing = taskError { _ = try AudioClip(contentsOf: path + "x") }
    #expect(missing?.code == .invalidAudio && missing?.message.contains("x") == true)
  }
}
