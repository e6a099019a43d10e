import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Files that are not models")
struct FileKindTests {
  static let mistakes: [(name: String, bytes: [UInt8], code: SchemaError.Code, message: String)] = [
    ("empty", [], .empty, "is empty"),
    ("bundle", Array("PK\u{3}\u{4}and more".utf8), .wrongFileType, "open it as a bundle"),
    ("empty archive", Array("PK\u{5}\u{6}and more".utf8), .wrongFileType, "ZIP archive"),
    (
      "pointer", Array("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n".utf8), .wrongFileType,
      "git lfs pull"
    ),
    ("page", Array("\n <!DOCTYPE html><html></html>".utf8), .wrongFileType, "web page"),
    ("page without type", Array("<HTML><body>404".utf8), .wrongFileType, "web page"),
    ("error document", Array("<?xml version='1.0'?><Error/>".utf8), .wrongFileType, "web page"),
    ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0], .wrongFileType, "gzip"),
    ("Keras", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .wrongFileType, "Keras"),
    ("zeros", [UInt8](repeating: 0, count: 4096), .wrongFileType, "zero bytes"),
    ("short", [28, 0, 0, 0, 0x54], .truncated, "at least 8 bytes, got 5"),
    ("other", [28, 0, 0, 0, 0x4F, 0x4E, 0x4E, 0x58, 1, 2, 3], .wrongFileType, "at byte 4, got \"ONNX\""),
    ("binary", [28, 0, 0, 0, 0, 1, 2, 255, 1, 2, 3], .wrongFileType, "got the bytes 00 01 02 ff"),
    ("header only", [28, 0, 0, 0, 0x54, 0x46, 0x4C, 0x33], .truncated, "cut off or damaged"),
  ]

  @Test("are named", arguments: mistakes.indices)
  func named(_ index: Int) {
    let mistake = Self.mistakes[index]
    let error = #expect(throws: SchemaError.self) { try ModelFile(ByteRegion(mistake.bytes)) }
    #expect(error?.code == mistake.code, "\(mistake.name)")
    #expect(error?.message.contains(mistake.message) == true, "\(mistake.name): \(error?.message ?? "")")
  }

  @Test("or bundles are named too")
  func notBundles() {
    let cases: [(bytes: [UInt8], code: SchemaError.Code, message: String)] = [
      ([], .empty, "the task bundle is empty"),
      (RawModel.addition.bytes, .wrongFileType, "got a .tflite model; load it as a model"),
      (Array("<html>".utf8), .wrongFileType, "web page"),
      (Array("something".utf8), .wrongFileType, "starts with \"some\""),
      (Array("PK\u{3}\u{4}and nothing more".utf8), .truncated, "no directory at its end"),
    ]
    for (bytes, code, message) in cases {
      let error = #expect(throws: SchemaError.self) { try TaskBundle(ByteRegion(bytes)) }
      #expect(error?.code == code)
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }
}
