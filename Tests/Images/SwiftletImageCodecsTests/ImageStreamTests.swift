import SwiftletImage
import Testing

@testable import SwiftletImageCodecs

@Suite("Streams of images")
struct ImageStreamTests {
  /// Returns images of several sizes, alternating between PNG and JPEG.
  private func imageFiles() throws -> [[UInt8]] {
    try (1...6).map { size in
      let bytes = (0..<3 * size * 16 * size).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 11) }
      let image = try ImageBuffer(bytes: bytes, width: 16 * size, height: size, pixelFormat: .rgb8)
      return size % 2 == 0 ? try ImageEncoder.encodePNG(image) : try ImageEncoder.encodeJPEG(image)
    }
  }

  private func cut(_ bytes: [UInt8], into chunk: Int, limits: ImageDecoderLimits = .default) throws -> [[UInt8]] {
    var stream = ImageStream(limits: limits)
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      stream.append(Array(bytes[start..<min(start + chunk, bytes.count)]))
      while let file = try stream.next() { found.append(file) }
    }
    try stream.finish()
    #expect(stream.isAtEnd)
    return found
  }

  @Test("are split at the ends of images, for any chunks", arguments: [1, 7, 100, 4096, 1 << 20])
  func chunks(size: Int) throws {
    let imageFiles = try imageFiles()
    #expect(try cut(imageFiles.flatMap(\.self), into: size) == imageFiles)
    #expect(try cut([], into: size).isEmpty)
  }

  @Test("continue after thumbnails, fill bytes, restarts, and empty markers")
  func jpegStructure() throws {
    // A segment that contains an entire image, fill bytes before a marker, stuffed bytes and restarts in the scan, and
    // two scans.
    let inner: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    let file: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 6] + inner + [
        0xFF, 0xFF, 0xFF, 0xDB, 0, 3, 9, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xFF,
      ]
      + [0xFF, 0xDA, 0, 2, 4, 0xFF, 0xD7, 0xFF, 0xD9]
    for size in [1, 3, 64] { #expect(try cut(file + file, into: size) == [file, file]) }
  }

  @Test(
    "that contain other data, are damaged, or end early give one error",
    arguments: [
      (Array("neither of the two".utf8), ImageCodecError.Code.unsupportedFormat),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0, 0], .corrupt),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 7, 7, 7], .corrupt), ([0xFF, 0xD8, 0xFF, 0xD8, 0, 2, 7, 7], .corrupt),
      ([0xFF, 0xD8, 0xFF], .truncated),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0], .truncated), ([1, 2], .unsupportedFormat),
    ] as [([UInt8], ImageCodecError.Code)])
  func faults(bytes: [UInt8], code: ImageCodecError.Code) throws {
    for size in [1, 100] {
      let error = #expect(throws: ImageCodecError.self) { try cut(bytes, into: size) }
      #expect(error?.code == code, "\(String(describing: error))")
    }
  }

  @Test("must not contain an image with more bytes than the limit, for any chunks")
  func limit() throws {
    var limits = ImageDecoderLimits.default
    limits.maximumFileByteCount = 50
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8)
    let error = #expect(throws: ImageCodecError.self) {
      try cut(png + [UInt8](repeating: 0, count: 100), into: 10, limits: limits)
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test("read every fill byte once, in any number and chunks", arguments: [1, 100, 4096])
  func fillBytes(size: Int) throws {
    let count = 200 * size
    var stream = ImageStream()
    stream.append([0xFF, 0xD8])
    for _ in 0..<200 {
      stream.append([UInt8](repeating: 0xFF, count: size))
      #expect(try stream.next() == nil)
    }
    #expect(stream.inspectedFillCount <= count)
    stream.append([0xD9])
    #expect(try stream.next()?.count == count + 3)
    try stream.finish()
  }

  @Test("continue correctly if segments, chunks, and scans arrive byte by byte")
  func smallImages() throws {
    let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xFE, 0, 2, 0xFF, 0xD9]
    // The bytes aren't moved for each of very many images in one piece.
    let all = [UInt8]((0..<20_000).flatMap { _ in file })
    #expect(try cut(all, into: all.count).count == 20_000)
    #expect(try cut(all, into: 4096).count == 20_000)
  }

  @Test("support any limits", arguments: [Int.min, -1, 0, 1, .max])
  func limits(number: Int) throws {
    var limits = ImageDecoderLimits()
    (limits.maximumFileByteCount, limits.maximumWidth, limits.maximumHeight) = (number, number, number)
    (limits.maximumPixelCount, limits.maximumWorkingByteCount) = (number, number)
    let file = try imageFiles()[0]
    if number == .max {
      #expect(try cut(file, into: 100, limits: limits) == [file])
      #expect(try ImageDecoder.decode(bytes: file, limits: limits).image.width == 16)
    } else {
      #expect(throws: ImageCodecError.self) { try cut(file, into: file.count, limits: limits) }
      #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes: file, limits: limits) }
    }
    let image = try ImageDecoder.decode(bytes: file).image
    #expect(throws: ImageCodecError.self) {
      if number != 1 {
        _ = try ImageEncoder.encodeJPEG(image, quality: number)
      } else {
        throw ImageCodecError(code: .corrupt, message: "")
      }
    }
  }
}
