import SwiftletImageCodecs
import Testing

@Suite("Recognizing image files")
struct FormatDetectionTests {
  static let others: [(String, [UInt8])] = [
    ("a GIF image", Array("GIF89a".utf8)),
    ("a WebP image", Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8)),
    ("a HEIC image", [0, 0, 0, 24] + Array("ftypheic".utf8)),
    ("a HEIC image", [0, 0, 0, 24] + Array("ftypmif1".utf8)),
    ("an AVIF image", [0, 0, 0, 24] + Array("ftypavif".utf8)),
    ("a video", [0, 0, 0, 24] + Array("ftypisom".utf8)),
    ("a BMP image", Array("BM".utf8) + [0, 1, 2, 3, 4, 5, 6]),
    ("a TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]),
    ("a PDF document", Array("%PDF-1.7".utf8)),
    ("a Photoshop document", Array("8BPS".utf8) + [0, 1, 0, 0]),
    ("a JPEG XL image", [0xFF, 0x0A, 1, 2, 3, 4, 5, 6]),
    ("a TensorFlow Lite model", [28, 0, 0, 0] + Array("TFL3".utf8)),
    ("a ZIP archive", [0x50, 0x4B, 3, 4, 0, 0, 0, 0]),
    ("a Git LFS pointer", Array("version https://git-lfs.github.com/spec/v1\noid".utf8)),
    ("text (it begins with \"<!DOCTYPE html>\")", Array("<!DOCTYPE html>\n<html>".utf8)),
    ("unknown format (it begins with bytes 00 01 fe", [0, 1, 0xFE, 3, 4, 5, 6, 7, 8]),
  ]

  @Test("names the actual format of the file", arguments: others)
  func namesOtherFormats(expected: String, bytes: [UInt8]) {
    let error = codecError { _ = try ImageDecoder.decode(bytes: bytes) }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("expected PNG or JPEG") == true)
  }

  @Test("an empty file and a partial signature are too short")
  func tooShort() throws {
    #expect(message(of: []).contains("the file is empty"))
    for bytes: [UInt8] in [[0x89], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A], [0xFF], [0xFF, 0xD8]] {
      #expect(codecError { _ = try ImageDecoder.decode(bytes: bytes) }?.code == .truncated)
    }
    #expect(try ImageFileFormat(detecting: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(try ImageFileFormat(detecting: CodecSample.named("gray, 8 bits").bytes) == .png)
  }
}
