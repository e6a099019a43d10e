import Foundation
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Model sources of tasks")
struct ModelSourceTests {
  private func detections(_ model: ModelSource) throws -> [FaceDetection] {
    let options = FaceDetectorOptions(baseOptions: BaseOptions(model: model), minDetectionConfidence: 0.65)
    return try FaceDetector(options: options).faces(in: try SyntheticFaceModel.image(seed: 3))
  }

  private func withFile(_ bytes: [UInt8], _ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("made up \(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(bytes).write(to: url)
    try body(url)
  }

  @Test("a path, a file URL, and bytes give the same model")
  func sources() throws {
    let expected = try detections(.bytes(SyntheticFaceModel.bytes))
    #expect(!expected.isEmpty)
    try withFile(SyntheticFaceModel.bytes) { (url: URL) throws in
      #expect(try detections(.file(url.path)) == expected)
      #expect(try detections(.url(url)) == expected)
    }
  }

  /// A bundle whose members are unaligned.
  private static let bundle = RawArchive([
    .init("a", [1]), .init("faces.tflite", SyntheticFaceModel.bytes), .init("notes.txt", [2, 3]),
  ]).bytes

  @Test("a bundle member is a model in a file, in memory, and in a nested bundle")
  func members() throws {
    let expected = try detections(.bytes(SyntheticFaceModel.bytes))
    #expect(try detections(.bytes(Self.bundle).member("faces.tflite")) == expected)
    let outer = RawArchive([.init("b", [0, 0]), .init("inner.task", Self.bundle)]).bytes
    try withFile(outer) { (url: URL) throws in
      #expect(try detections(.file(url.path).member("inner.task").member("faces.tflite")) == expected)
      #expect(try detections(.url(url).member("inner.task").member("faces.tflite")) == expected)
    }
  }

  @Test("memory of the program is read in place")
  func program() throws {
    let bytes = SyntheticFaceModel.bytes
    let expected = try detections(.bytes(bytes))
    try bytes.withUnsafeBytes { memory in
      let source = ModelSource.program(ProgramMemory(memory, name: "the faces"))
      let found = try detections(source)
      #expect(found == expected)
      #expect(source == .program(ProgramMemory(memory, name: "another name")))
      #expect(source != .program(ProgramMemory(UnsafeRawBufferPointer(rebasing: memory.dropLast()), name: "the faces")))
    }
  }

  @Test("missing files, URLs other than file URLs, and invalid bytes are distinguished")
  func errors() throws {
    let missing = failure { try FaceDetector(.file("/nowhere/face.tflite")) }
    #expect(missing?.code == .modelNotFound && missing?.message.contains("/nowhere/face.tflite") == true)
    #expect(failure { try FaceDetector(.file("")) }?.code == .modelNotFound)
    let web = try #require(URL(string: "https://example.com/face.tflite"))
    let error = failure { try detections(.url(web)) }
    #expect(error?.code == .unreadableModel)
    #expect(error?.message.contains("https://example.com/face.tflite is not a file URL") == true)
    #expect(failure { try detections(.url(web).member("faces.tflite")) }?.code == .unreadableModel)
    #expect(failure { try detections(.bytes([1, 2, 3])) }?.code == .invalidModel)
    #expect(failure { try detections(.bytes([])) }?.code == .invalidModel)
  }

  @Test("errors of bundles name the bundle and the member")
  func memberErrors() throws {
    let missing = failure { try detections(.bytes(Self.bundle).member("hands.tflite")) }
    #expect(missing?.code == .modelNotFound)
    #expect(missing?.message.contains("hands.tflite") == true && missing?.message.contains("faces.tflite") == true)
    try withFile(Self.bundle) { (url: URL) throws in
      let broken = failure { try detections(.file(url.path).member("notes.txt")) }
      #expect(broken?.code == .invalidModel)
      #expect(broken?.message.hasPrefix("\(url.path)/notes.txt: ") == true)
    }
    let none = failure { try detections(.bytes(SyntheticFaceModel.bytes).member("faces.tflite")) }
    #expect(none?.code == .invalidModel)
    let noFile = failure { try detections(.file("/nowhere/hands.task").member("hands.tflite")) }
    #expect(noFile?.code == .modelNotFound && noFile?.message.contains("/nowhere/hands.task") == true)
  }

  @Test("a source reports the file that it reads, if any")
  func path() throws {
    #expect(ModelSource.file("a.task").member("b").path == "a.task")
    #expect(ModelSource.url(URL(fileURLWithPath: "/a.tflite")).path == "/a.tflite")
    #expect(ModelSource.url(try #require(URL(string: "https://example.com/a"))).path == nil)
    #expect(ModelSource.bytes([1]).path == nil)
    #expect("\(ModelSource.file("a.task").member("b.task").member("c"))" == "a.task/b.task/c")
    #expect("\(ModelSource.bytes([1, 2]).member("c"))" == "2 bytes in memory/c")
  }
}
