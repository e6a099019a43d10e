import SwiftletImage
import SwiftletImageCodecs

/// Images in files and streams.
enum ImageTargets {
  static let all: [FuzzTarget] = [
    FuzzTarget("png", seeds: { SeedFiles.pngs }) { bytes in decode(bytes) },
    FuzzTarget("jpeg", seeds: { SeedFiles.jpegs }) { bytes in decode(bytes) },
    // The bytes are the EXIF segment of an image, in both formats.
    FuzzTarget("exif", seeds: { SeedFiles.exifs }) { bytes in
      let content = [UInt8](bytes.prefix(60_000)), size = content.count
      if let jpeg = SeedFiles.jpegs.first {
        var segment: [UInt8] = [0xFF, 0xE1, UInt8((size + 8) >> 8), UInt8((size + 8) & 0xFF)]
        segment += "Exif".utf8
        segment += [0, 0]
        decode(jpeg, segment + content, at: 2)
      }
      if let png = SeedFiles.pngs.first {
        var chunk: [UInt8] = [0, 0, UInt8(size >> 8), UInt8(size & 0xFF)]
        chunk += "eXIf".utf8
        // After the header of 8 + 25 bytes.
        decode(png, chunk + content + [0, 0, 0, 0], at: 33)
      }
    },
    FuzzTarget("stream", seeds: { SeedFiles.streams }) { bytes in stream(bytes) },
  ]

  private static let limits: ImageDecoderLimits = {
    var limits = ImageDecoderLimits()
    limits.maximumWidth = 4096
    limits.maximumHeight = 4096
    limits.maximumPixelCount = 1 << 18
    limits.maximumFileByteCount = 1 << 20
    limits.maximumWorkingByteCount = 1 << 24
    return limits
  }()

  private static func decode(_ file: [UInt8], _ inserted: [UInt8], at position: Int) {
    var bytes = file
    bytes.insert(contentsOf: inserted, at: position)
    bytes.withUnsafeBytes { decode($0) }
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) {
    let copy = ExactBytes(bytes)
    _ = try? ImageDecoder.decode(bytes: copy.region.bytes, limits: limits)
    withExtendedLifetime(copy) {}
  }

  /// Reads the images of a stream that arrives in pieces of any size.
  private static func stream(_ bytes: UnsafeRawBufferPointer) {
    var random = FuzzRandom(seed: bytes.seed)
    var stream = ImageStream(limits: limits)
    var position = 0
    while position < bytes.count {
      let count = min(bytes.count - position, random.one(1, 1, 2, 7, 64, 1000, 65_536))
      stream.append([UInt8](bytes[position..<position + count]))
      position += count
      do {
        while let file = try stream.next() { _ = try? ImageDecoder.decode(bytes: file, limits: limits) }
      } catch {
        return
      }
    }
    try? stream.finish()
  }
}
