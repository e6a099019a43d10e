import Foundation
import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("Broken and hostile image files")
struct BrokenFileTests {
  @Test("a file that is truncated anywhere throws", arguments: CodecSamples.all)
  func cutOffAnywhere(sample: CodecSample) {
    for count in 0..<sample.bytes.count {
      let error = codecError { _ = try ImageDecoder.decode(bytes: Array(sample.bytes.prefix(count))) }
      #expect(error != nil, "\(count) of \(sample.bytes.count) bytes were taken for a whole image")
    }
  }

  @Test("an error's localized description names the file and the problem")
  func localized() {
    let error = ImageCodecError(code: .corrupt, message: "no pixels", path: "a\u{1B}.png")
    #expect((error as any Error).localizedDescription.hasSuffix(".png: no pixels"))
    #expect(!(error as any Error).localizedDescription.contains("\u{1B}"))
    #expect(ImageCodecError(code: .corrupt, message: "no pixels").errorDescription == "no pixels")
  }

  @Test("a photo that ends within its pixels is reported as truncated")
  func cutOffInPixels() throws {
    for name in ["JPEG, progressive", "JPEG, color at half resolution", "color, 8 bits"] {
      let bytes = try CodecSample.named(name).bytes
      let error = codecError { _ = try ImageDecoder.decode(bytes: Array(bytes.dropLast(20))) }
      #expect(error?.code == .truncated, "\(name): \(error?.description ?? "decoded")")
      #expect(error?.message.contains("ends too early, after \(bytes.count - 20) bytes") == true)
    }
  }

  @Test("bytes after the end of the image are ignored", arguments: CodecSamples.all)
  func trailingBytes(sample: CodecSample) throws {
    let decoded = try ImageDecoder.decode(bytes: sample.bytes + [1, 2, 3, 0xFF, 0xD8, 0xFF])
    #expect(digest(decoded.image.packedBytes()) == sample.digest)
  }

  @Test("changed bytes are either read or rejected", arguments: CodecSamples.all)
  func changedBytes(sample: CodecSample) throws {
    var random = SplitMix64(state: sample.digest)
    for _ in 0..<60 {
      var bytes = sample.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[position] = .random(in: 0...255, using: &random)
        case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.insert(.random(in: 0...255, using: &random), at: position)
        default: bytes.remove(at: position)
        }
      }
      do {
        let decoded = try ImageDecoder.decode(bytes: bytes)
        #expect(decoded.image.width > 0)
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }

  @Test("a wrong checksum is damage")
  func wrongChecksum() throws {
    var bytes = try CodecSample.named("color, 8 bits").bytes
    bytes[29] ^= 1
    let error = codecError { _ = try ImageDecoder.decode(bytes: bytes) }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("CRC") == true)
  }

  /// Returns a PNG file with a false size but a correct header checksum.
  private func png(width: UInt32, height: UInt32) -> [UInt8] {
    func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    let header = Array("IHDR".utf8) + bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
    let checksum = header.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    let parts: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], bigEndian(13), header, bigEndian(~checksum),
      bigEndian(0), Array("IDAT".utf8), [0x35, 0xAF, 0x06, 0x1E],
    ]
    return Array(parts.joined())
  }

  @Test("declared sizes are checked before allocation")
  func claimedSizes() {
    let sizes: [(UInt32, UInt32)] = [(60_000, 60_000), (70_000, 1), (1, 70_000), (0x7FFF_FFFF, 0x7FFF_FFFF)]
    for (width, height) in sizes {
      let error = codecError { _ = try ImageDecoder.decode(bytes: png(width: width, height: height)) }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains("100000000 in all") == true)
    }
    #expect(message(of: png(width: 0, height: 5)).hasPrefix("corrupt"))
    #expect(message(of: png(width: 5, height: 5)).hasPrefix("truncated"))
  }

  @Test("limits can be lowered")
  func lowerLimits() throws {
    for name in ["color, 8 bits", "JPEG, gray"] {
      let sample = try CodecSample.named(name)
      var limits = ImageDecoderLimits.default
      limits.maximumPixelCount = sample.width * sample.height
      #expect(throws: Never.self) { try ImageDecoder.decode(bytes: sample.bytes, limits: limits) }
      limits.maximumPixelCount -= 1
      #expect(codecError { _ = try ImageDecoder.decode(bytes: sample.bytes, limits: limits) }?.code == .limitExceeded)
      limits = .default
      limits.maximumHeight = sample.height - 1
      #expect(codecError { _ = try ImageDecoder.decode(bytes: sample.bytes, limits: limits) }?.code == .limitExceeded)
    }
  }

  @Test("a progressive image must not exceed the memory limit")
  func workingMemory() throws {
    var bytes = try CodecSample.named("JPEG, progressive").bytes
    // Change the frame header to 8000 × 8000, whose coefficients would take 384 million bytes.
    let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
    var limits = ImageDecoderLimits.default
    limits.maximumWorkingByteCount = 10_000_000
    #expect(codecError { _ = try ImageDecoder.decode(bytes: bytes, limits: limits) }?.code == .limitExceeded)
  }

  @Test("endless scans are cut short")
  func endlessScans() throws {
    let bytes = try CodecSample.named("JPEG, progressive").bytes
    // The first scan, of the mean values, doesn't depend on previous data, so it can be repeated.
    let start = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let end = try #require(
      bytes.indices[(start + 2)...].dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] != 0 })
    var many = Array(bytes.prefix(end))
    for _ in 0..<1000 { many += bytes[start..<end] }
    many += bytes[end...]
    let error = codecError { _ = try ImageDecoder.decode(bytes: many) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("more than 200 scans") == true)
  }
}
