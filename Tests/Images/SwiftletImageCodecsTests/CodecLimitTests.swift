import Foundation
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletImageCodecs

@Suite("Limits and errors of image files")
struct CodecLimitTests {
  @Test("limits have documented defaults")
  func defaults() {
    let limits = ImageDecoderLimits()
    #expect(limits == .default && limits.maximumWidth == 65_535 && limits.maximumHeight == 65_535)
    #expect(limits.maximumPixelCount == 100_000_000 && limits.maximumFileByteCount == 536_870_912)
    #expect(limits.maximumWorkingByteCount == 1_073_741_824)
  }

  @Test("error codes differ, and precede path and message")
  func codes() {
    let codes: [ImageCodecError.Code] = [
      .unreadableFile, .unsupportedFormat, .truncated, .corrupt, .limitExceeded, .outOfResources, .invalidParameter,
    ]
    #expect(
      codes.map(\.rawValue) == [
        "unreadableFile", "unsupportedFormat", "truncated", "corrupt", "limitExceeded", "outOfResources",
        "invalidParameter",
      ])
    #expect(codes.map(\.description) == codes.map(\.rawValue))
    let error = ImageCodecError(code: .truncated, message: "short")
    #expect(error.path == nil && error.description == "truncated: short" && error.errorDescription == "short")
    let named = error.naming("a.png")
    #expect(named.path == "a.png" && named.code == .truncated && named.message == "short")
    #expect(named.description == "truncated: a.png: short" && named.errorDescription == "a.png: short")
    #expect(ImageFileFormat.allCases.map(\.rawValue) == ["png", "jpeg"])
  }

  @Test(
    "an image at a limit is read, and an image beyond it is rejected with the limits",
    arguments: ["color, 8 bits", "JPEG, gray"])
  func sizes(name: String) throws {
    let sample = try CodecSample.named(name)
    let paths: [(WritableKeyPath<ImageDecoderLimits, Int>, Int)] = [
      (\.maximumWidth, sample.width), (\.maximumHeight, sample.height),
      (\.maximumPixelCount, sample.width * sample.height),
    ]
    for (path, most) in paths {
      var limits = ImageDecoderLimits.default
      limits[keyPath: path] = most
      #expect(throws: Never.self) { try ImageDecoder.decode(bytes: sample.bytes, limits: limits) }
      limits[keyPath: path] = most - 1
      let error = codecError { _ = try ImageDecoder.decode(bytes: sample.bytes, limits: limits) }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message.hasSuffix(
          "image exceeds a limit (the image is larger than allowed); allowed are \(limits.maximumWidth) × \(limits.maximumHeight) pixels, \(limits.maximumPixelCount) in all, and 1073741824 bytes of working memory; raise ImageDecoderLimits if the file is trusted"
        ) == true, "\(String(describing: error))")
      limits[keyPath: path] = -1
      #expect(codecError { _ = try ImageDecoder.decode(bytes: sample.bytes, limits: limits) }?.code == .limitExceeded)
    }
  }

  // MARK: Files

  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("codec \(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(bytes).write(to: url)
    try body(url.path)
  }

  @Test("a file of exactly the limit is read, and one byte more is rejected")
  func files() throws {
    let sample = try CodecSample.named("gray, 8 bits")
    try withFile(sample.bytes) { (path: String) throws in
      var limits = ImageDecoderLimits.default
      limits.maximumFileByteCount = sample.bytes.count
      #expect(try ImageDecoder.decode(path: path, limits: limits).image.width == 11)
      #expect(try FileBytes.read(path: path, maximumByteCount: sample.bytes.count) == sample.bytes)
      limits.maximumFileByteCount -= 1
      let error = codecError { _ = try ImageDecoder.decode(path: path, limits: limits) }
      #expect(error?.code == .limitExceeded && error?.path == path)
      #expect(
        error?.message
          == "the file has \(sample.bytes.count) bytes, but at most \(sample.bytes.count - 1) are read; raise ImageDecoderLimits.maximumFileByteCount if the file is trusted"
      )
    }
    try withFile([]) { (path: String) throws in
      #expect(try FileBytes.read(path: path, maximumByteCount: 0).isEmpty)
      let error = codecError { _ = try ImageDecoder.decode(path: path) }
      #expect(error?.code == .truncated && error?.path == path)
      #expect(error?.message == "the file is empty; expected PNG or JPEG")
    }
  }

  @Test("paths that aren't files are distinguished")
  func notFiles() {
    let device = codecError { _ = try ImageDecoder.decode(path: "/dev/null") }
    #expect(device?.code == .unreadableFile && device?.path == "/dev/null")
    #expect(device?.message == "the path is not a regular file; use the path of a PNG or JPEG file")
    let folder = codecError { _ = try ImageDecoder.decode(path: "/") }
    #expect(folder?.code == .unreadableFile)
    #expect(folder?.message == "the path is a directory; use the path of a PNG or JPEG file")
    let missing = codecError { _ = try ImageDecoder.decode(path: "/nowhere/a.png") }
    #expect(missing?.code == .unreadableFile && missing?.message.hasPrefix("the file cannot be opened: ") == true)
  }

  // MARK: Formats

  private static func boxed(_ text: String) -> [UInt8] { [0, 0, 0, 12] + Array(text.utf8) }

  static let formats: [(name: String, bytes: [UInt8])] = [
    ("an icon (ICO)", [0, 0, 1, 0, 1, 0, 16, 16]), ("a gzip archive", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]),
    ("a JPEG 2000 image", boxed("jP  ")), ("a JPEG 2000 image", [0xFF, 0x4F, 0xFF, 0x51, 0, 0, 0, 0]),
    ("a JPEG XL image", boxed("JXL ")), ("a TIFF or raw camera image", [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]),
    ("an AVIF image", boxed("ftypavis")), ("a HEIC image", boxed("ftypheic")),
    ("a HEIC image", boxed("ftypheix")), ("a HEIC image", boxed("ftypheim")),
    ("a HEIC image", boxed("ftypheis")), ("a HEIC image", boxed("ftyphevc")),
    ("a HEIC image", boxed("ftypmif1")), ("a HEIC image", boxed("ftypmsf1")),
  ]

  @Test("other formats are named", arguments: 0..<14)
  func otherFormats(index: Int) {
    let (name, bytes) = Self.formats[index]
    let error = codecError { _ = try ImageFileFormat(detecting: bytes) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message == "the file is \(name); expected PNG or JPEG. Convert it first if it is an image")
  }

  @Test(
    "almost correct signatures are not recognized",
    arguments: [
      [0, 0, 1, 1, 1, 0, 16, 16], [0x1F, 0x8C, 8, 0, 0, 0, 0, 0], [0xFF, 0x4F, 0xFF, 0x52, 0, 0, 0, 0],
      [0x4D, 0x4D, 0, 0x2B, 0, 0, 0, 8], [0x49, 0x49, 0x2A, 1, 8, 0, 0, 0], [0xFF, 0x0B, 1, 2, 3, 4, 5, 6],
      [0x50, 0x4B, 3, 5, 0, 0, 0, 0], [0xFF, 0xD8, 0xFE, 0, 0, 0, 0, 0],
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0B],
      [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x71, 0x68, 0x65, 0x69, 0x63], [28, 0, 0, 0, 0x54, 0x46, 0x4C, 0x34],
    ] as [[UInt8]])
  func unknownFormats(bytes: [UInt8]) {
    let error = codecError { _ = try ImageFileFormat(detecting: bytes) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains("the file is of an unknown format (it begins with bytes ") == true)
  }

  @Test("the first eight bytes of unknown files are reported with two digits each")
  func unknownBytes() {
    let error = codecError { _ = try ImageFileFormat(detecting: [0, 15, 16, 255, 1, 2, 3, 4, 5, 6]) }
    #expect(
      error?.message
        == "the file is of an unknown format (it begins with bytes 00 0f 10 ff 01 02 03 04); expected PNG or JPEG")
  }

  @Test("eight bytes identify a format, and seven are an incomplete signature", arguments: 1...8)
  func short(count: Int) {
    let png = Array(ImageFileFormat.pngSignature.prefix(count))
    let error = codecError { _ = try ImageFileFormat(detecting: png) }
    #expect(error?.code == (count < 8 ? .truncated : nil))
    #expect(
      error == nil
        || error?.message == "the file has only \(count) bytes, too few to be an image; expected PNG or JPEG")
    let other = [UInt8](repeating: 0xF0, count: count)
    #expect(codecError { _ = try ImageFileFormat(detecting: other) }?.code == .unsupportedFormat)
    let jpeg = [0xFF, 0xD8] + [UInt8](repeating: 0, count: count)
    #expect(
      codecError { _ = try ImageFileFormat(detecting: jpeg) }?.code == (count < 6 ? .truncated : .unsupportedFormat))
  }

  @Test("text is reported by its first line; control characters and invalid UTF-8 are not text")
  func text() {
    func message(_ bytes: [UInt8]) -> String {
      codecError { _ = try ImageFileFormat(detecting: bytes) }?.message ?? ""
    }
    #expect(message(Array("hello world\nand more".utf8)).contains("text (it begins with \"hello world\")"))
    #expect(message(Array("\thello\r\n".utf8)).contains("text"))
    #expect(message(Array("abcdefghijklmnopqrstuvwxyz".utf8)).contains("\"abcdefghijklmnopqrstuvwx\""))
    for byte: UInt8 in [0, 8, 0x0B, 0x0C, 0x0E, 0x1F, 0x7F, 0x80, 0xFF] {
      #expect(message(Array("hello wo".utf8) + [byte] + Array("rld".utf8)).contains("unknown format"), "\(byte)")
    }
    #expect(message(Array("hello".utf8) + [0x20, 0x7E]).contains("text"))
  }

  // MARK: Damaged JPEG files

  /// Returns the beginning of a JPEG file: a frame and a scan with `components` components, without any data.
  private func jpeg(_ components: Int, frame: UInt8 = 0xC0, precision: UInt8 = 8) -> [UInt8] {
    let parts = (0..<components).flatMap { [UInt8($0 + 1), 0x11, 0] as [UInt8] }
    let scan = (0..<components).flatMap { [UInt8($0 + 1), 0] as [UInt8] }
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, frame, 0, UInt8(8 + parts.count)]
    bytes += [precision, 0, 8, 0, 8, UInt8(components)]
    bytes += parts
    bytes += [0xFF, 0xDA, 0, UInt8(6 + scan.count), UInt8(components)]
    bytes += scan
    return bytes + [0, 63, 0] + [UInt8](repeating: 0, count: 32)
  }

  @Test("unsupported variants are distinguished from damage")
  func variants() {
    let two = codecError { _ = try ImageDecoder.decode(bytes: jpeg(2)) }
    #expect(two?.code == .unsupportedFormat)
    #expect(
      two?.message
        == "the JPEG file is of a variant that is not supported (unknown number of color components)")
    let hierarchical = codecError { _ = try ImageDecoder.decode(bytes: jpeg(1, frame: 0xC5)) }
    #expect(hierarchical?.code == .unsupportedFormat)
    // Tables are missing.
    let damaged = codecError { _ = try ImageDecoder.decode(bytes: jpeg(1)) }
    #expect(damaged?.code == .corrupt && damaged?.message.hasPrefix("the JPEG file is damaged (") == true)
    let none = codecError { _ = try ImageDecoder.decode(bytes: [0xFF, 0xD8, 0xFF, 0xD9, 0, 0, 0, 0]) }
    #expect(none?.code == .corrupt)
  }

  @Test("200 scans are accepted, and 201 are rejected")
  func scans() throws {
    let bytes = try CodecSample.named("JPEG, progressive").bytes
    let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    let start = try #require(starts.first)
    let end = try #require(bytes.indices[(start + 2)...].dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] != 0 })
    func error(_ count: Int) -> ImageCodecError? {
      var many = Array(bytes.prefix(end))
      for _ in 0..<count - starts.count { many += bytes[start..<end] }
      many += bytes[end...]
      return codecError { _ = try ImageDecoder.decode(bytes: many) }
    }
    #expect(error(200) == nil)
    #expect(error(201)?.code == .limitExceeded && error(201)?.message.contains("more than 200 scans") == true)
  }

  // MARK: Encoding

  @Test("qualities are 1...100", arguments: [-1, 0, 1, 100, 101])
  func qualities(quality: Int) throws {
    let image = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    let error = codecError { _ = try ImageEncoder.encodeJPEG(image, quality: quality) }
    #expect((error == nil) == (1...100).contains(quality))
    guard let error else { return }
    #expect(error.code == .invalidParameter && error.message == "JPEG quality is \(quality); it must be in 1…100")
  }

  @Test("the quality is 90 by default")
  func defaultQuality() throws {
    let bytes = (0..<3 * 32 * 32).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 7) }
    let image = try ImageBuffer(bytes: bytes, width: 32, height: 32, pixelFormat: .rgb8)
    let plain = try ImageEncoder.encodeJPEG(image)
    #expect(try plain == ImageEncoder.encodeJPEG(image, quality: 90))
    #expect(
      try plain != ImageEncoder.encodeJPEG(image, quality: 89) && plain != ImageEncoder.encodeJPEG(image, quality: 91))
  }

  @Test("JPEG files have up to 65500 pixels a side", arguments: [65_500, 65_501])
  func largest(width: Int) throws {
    let image = try ImageBuffer(
      bytes: [UInt8](repeating: 9, count: width), width: width, height: 1, pixelFormat: .gray8)
    let error = codecError { _ = try ImageEncoder.encodeJPEG(image, quality: 50) }
    #expect(
      error?.code == (width == 65_500 ? nil : .limitExceeded) || width == 65_501 && error?.code == .outOfResources)
    guard let error else { return }
    #expect(error.message.hasPrefix("65501 × 1 pixels cannot be written as JPEG: ") == true)
  }

  // MARK: Streams

  private func imageFiles() throws -> [[UInt8]] {
    let image = try ImageBuffer(bytes: [UInt8](repeating: 5, count: 48), width: 4, height: 4, pixelFormat: .rgb8)
    return [try ImageEncoder.encodePNG(image), try ImageEncoder.encodeJPEG(image)]
  }

  @Test("an image in a stream may have exactly the maximum size, whatever follows", arguments: 0..<2)
  func streamLimit(index: Int) throws {
    let file = try imageFiles()[index]
    for (limit, isRead) in [(file.count, true), (file.count - 1, false)] {
      var limits = ImageDecoderLimits.default
      limits.maximumFileByteCount = limit
      var stream = ImageStream(limits: limits)
      stream.append(file + file)
      if isRead {
        #expect(try stream.next() == file && stream.next() == file && stream.next() == nil && stream.isAtEnd)
      } else {
        let error = codecError { _ = try stream.next() }
        #expect(error?.code == .limitExceeded)
        #expect(
          error?.message
            == "an image in the stream has more than \(limit) bytes; raise ImageDecoderLimits.maximumFileByteCount if they are trusted"
        )
      }
    }
  }

  @Test("an incomplete image waits for its last byte, and is reported at the end", arguments: 0..<2)
  func streamEnd(index: Int) throws {
    let file = try imageFiles()[index]
    var stream = ImageStream()
    #expect(try stream.isAtEnd && stream.next() == nil)
    stream.append(Array(file.dropLast()))
    #expect(try stream.next() == nil && !stream.isAtEnd)
    let error = codecError { try stream.finish() }
    #expect(error?.code == .truncated)
    #expect(error?.message == "the stream ends within an image, after \(file.count - 1) bytes of it")
    stream.append([try #require(file.last)])
    #expect(try stream.next() == file && stream.isAtEnd)
    try stream.finish()
  }

  @Test("damage in a stream is reported with the found bytes")
  func streamDamage() {
    func message(_ bytes: [UInt8]) -> String {
      var stream = ImageStream()
      stream.append([0xFF, 0xD8] + bytes + [0, 0, 0, 0, 0, 0])
      return codecError { _ = try stream.next() }?.description ?? "none"
    }
    let prefix = "corrupt: a JPEG image in the stream is damaged: "
    #expect(message([0xFF, 0xE0, 0, 1]) == prefix + "a segment of 1 bytes")
    #expect(message([0xFF, 0xE0, 0, 0]) == prefix + "a segment of 0 bytes")
    #expect(message([0xFF, 0xE0, 0, 2, 7]) == prefix + "byte 7 where a marker should be")
    #expect(message([0xFF, 0xE0, 0, 2, 0xFF, 0]) == prefix + "marker 0 within an image")
    #expect(message([0xFF, 0xE0, 0, 2, 0xFF, 0xD8]) == prefix + "marker 216 within an image")
  }

  @Test("markers without a length, restarts, and stuffed bytes do not end an image")
  func streamMarkers() throws {
    let markers = [UInt8(0x01)] + [UInt8](0xD0...0xD7)
    let alone = markers.flatMap { [0xFF, $0] as [UInt8] }
    let file: [UInt8] =
      [0xFF, 0xD8] + alone + [0xFF, 0xFE, 0, 3, 9, 0xFF, 0xDA, 0, 2, 1, 0xFF, 0, 0xFF, 0xD0, 0xFF, 0xD7, 2] + [
        0xFF, 0xD9,
      ]
    var stream = ImageStream()
    for byte in file + file { stream.append([byte]) }
    #expect(try stream.next() == file && stream.next() == file)
  }
}
