import SwiftletImage
import SwiftletImageCodecs
import Testing

@Suite("Image encoder")
struct ImageEncoderTests {
  private func makeImage(_ width: Int, _ height: Int, _ format: PixelFormat, rowPadding: Int = 0) throws -> ImageBuffer
  {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<format.bytesPerPixel { bytes.append(UInt8(truncatingIfNeeded: 2 * x + y + 20 * channel)) }
      }
      bytes += [UInt8](repeating: 255, count: rowPadding)
    }
    return try ImageBuffer(
      bytes: bytes, width: width, height: height, bytesPerRow: width * format.bytesPerPixel + rowPadding,
      pixelFormat: format)
  }

  @Test("PNG keeps every pixel, in every format and with padded rows", arguments: PixelFormat.allCases)
  func pngKeepsPixels(format: PixelFormat) throws {
    for (width, height) in [(1, 1), (17, 5), (300, 40)] {
      let image = try makeImage(width, height, format, rowPadding: 3)
      let decoded = try ImageDecoder.decode(bytes: ImageEncoder.encodePNG(image))
      let expected = format == .bgra8 ? try image.converted(to: .rgba8) : image
      #expect(decoded.image.pixelFormat == expected.pixelFormat)
      #expect(decoded.image.packedBytes() == expected.packedBytes())
    }
  }

  @Test("JPEG approximates the image, and better with higher quality", arguments: PixelFormat.allCases)
  func jpegKeepsNearly(format: PixelFormat) throws {
    let image = try makeImage(64, 48, format, rowPadding: 2)
    let expected = try (format == .gray8 ? image : image.converted(to: .rgb8)).packedBytes()
    func meanError(_ quality: Int) throws -> Double {
      let decoded = try ImageDecoder.decode(bytes: ImageEncoder.encodeJPEG(image, quality: quality)).image
      #expect((decoded.width, decoded.height) == (64, 48))
      let differences = zip(decoded.packedBytes(), expected).map { abs(Double($0) - Double($1)) }
      return differences.reduce(0, +) / Double(differences.count)
    }
    let best = try meanError(100)
    #expect(best < 1.5)
    #expect(try meanError(10) > best)
  }

  @Test("a JPEG larger than one output block is complete")
  func largeJPEG() throws {
    var bytes: [UInt8] = []
    var state: UInt32 = 1
    for _ in 0..<400 * 300 {
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes.append(UInt8(state >> 24))
    }
    let noise = try ImageBuffer(bytes: bytes, width: 400, height: 300, pixelFormat: .gray8)
    let encoded = try ImageEncoder.encodeJPEG(noise, quality: 100)
    #expect(encoded.count > 2 * 65_536)
    #expect(try ImageDecoder.decode(bytes: encoded).image.height == 300)
  }

  @Test("rejects a quality out of range, and an image that JPEG doesn't support")
  func refuses() throws {
    let small = try makeImage(2, 2, .rgb8)
    for quality in [0, 101, -5] {
      #expect(codecError { _ = try ImageEncoder.encodeJPEG(small, quality: quality) }?.code == .invalidParameter)
    }
    let black = [UInt8](repeating: 0, count: 70_000)
    let wide = try ImageBuffer(bytes: black, width: 70_000, height: 1, pixelFormat: .gray8)
    let error = codecError { _ = try ImageEncoder.encodeJPEG(wide) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("70000 × 1 pixels cannot be written as JPEG") == true)
    #expect(throws: Never.self) { try ImageEncoder.encodePNG(wide) }
  }
}
