import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("EXIF orientation")
struct ExifOrientationTests {
  /// Returns a TIFF structure with a few entries, one of them the orientation.
  private func exif(_ value: UInt16, littleEndian: Bool, type: UInt16 = 3, values: UInt32 = 1) -> [UInt8] {
    func number(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: littleEndian ? value.littleEndian : value.bigEndian, Array.init)
    }
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: [UInt8]) -> [UInt8] {
      number(tag) + number(type) + number(count) + value
    }
    let content = type == 4 ? number(UInt32(value)) : number(value) + [0, 0]
    return Array((littleEndian ? "II" : "MM").utf8) + number(42 as UInt16) + number(8 as UInt32) + number(3 as UInt16)
      + entry(0x0100, 4, 1, number(77 as UInt32)) + entry(0x0112, type, values, content)
      + entry(0x0131, 3, 1, [0, 6, 0, 6]) + number(0 as UInt32)
  }

  private func jpeg(with exif: [UInt8], before: [UInt8] = []) throws -> [UInt8] {
    let bytes = try CodecSample.named("JPEG, gray").bytes
    let length = exif.count + 8
    let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array("Exif".utf8) + [0, 0] + exif
    return Array([bytes.prefix(2), before[...], segment[...], bytes.dropFirst(2)].joined())
  }

  private func png(with exif: [UInt8]) throws -> [UInt8] {
    let bytes = try CodecSample.named("gray, 8 bits").bytes
    let chunk = Array("eXIf".utf8) + exif
    let checksum = ~chunk.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    let inserted: [UInt8] = bigEndian(UInt32(exif.count)) + chunk + bigEndian(checksum)
    return Array([bytes.prefix(33), inserted[...], bytes.dropFirst(33)].joined())
  }

  @Test("is read in both byte orders and as short or long", arguments: ImageOrientation.allCases)
  func isRead(orientation: ImageOrientation) throws {
    for littleEndian in [true, false] {
      for type: UInt16 in [3, 4] {
        let block = exif(UInt16(orientation.rawValue), littleEndian: littleEndian, type: type)
        #expect(try ImageDecoder.decode(bytes: jpeg(with: block)).orientation == orientation)
        #expect(try ImageDecoder.decode(bytes: png(with: block)).orientation == orientation)
      }
    }
  }

  @Test("is found after other segments")
  func behindOtherSegments() throws {
    let block = exif(6, littleEndian: true)
    let comment: [UInt8] = [0xFF, 0xFE, 0, 5, 1, 2, 3]
    let otherApplication: [UInt8] = [0xFF, 0xFF, 0xE1, 0, 6] + Array("http".utf8)
    #expect(try ImageDecoder.decode(bytes: jpeg(with: block, before: comment + otherApplication)).orientation == .right)
  }

  @Test("is up if invalid")
  func isUpOtherwise() throws {
    let farDirectory: [UInt8] = Array("II*".utf8) + [0, 0xFF, 0xFF, 0xFF, 0xFF]
    var blocks = [exif(0, littleEndian: true), exif(9, littleEndian: false), exif(6, littleEndian: true, type: 2)]
    blocks += [exif(6, littleEndian: true, values: 2), [], Array("II".utf8), farDirectory]
    var beyond = exif(6, littleEndian: true)
    beyond[8] = 0xFF
    beyond[9] = 0xFF
    beyond.replaceSubrange(22..<24, with: [1, 1])
    blocks.append(beyond)
    for block in blocks {
      #expect(try ImageDecoder.decode(bytes: jpeg(with: block)).orientation == .up)
    }
  }

  @Test("changed EXIF bytes never affect the image", arguments: 0..<4 as Range<UInt64>)
  func changedBytes(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let pixels = try ImageDecoder.decode(bytes: CodecSample.named("JPEG, gray").bytes).image.packedBytes()
    for _ in 0..<100 {
      var block = exif(3, littleEndian: Bool.random(using: &random))
      for _ in 0..<3 { block[Int.random(in: 0..<block.count, using: &random)] = .random(in: 0...255, using: &random) }
      let decoded = try ImageDecoder.decode(bytes: jpeg(with: Array(block.prefix(.random(in: 0...60, using: &random)))))
      #expect(decoded.image.packedBytes() == pixels)
    }
  }
}
