import Foundation
import Swiftlet
import SwiftletTestSupport
import Testing

@Suite("Model sources")
struct ModelSourceTests {
  private let bytes = SmallModels.addAndSub

  @Test("bytes, data, a caller's memory, and files give the same model")
  func sources() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-" + UUID().uuidString).path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let owner = NSMutableData(data: Data(bytes))
    let memory = UnsafeRawBufferPointer(start: owner.bytes, count: owner.length)
    let models = try [
      Model(bytes: bytes), Model(data: Data(bytes)), Model(bytes: memory, owner: owner), Model(contentsOf: path),
      Model(contentsOf: URL(fileURLWithPath: path), access: .mapped), Model(contentsOf: path, access: .copied),
    ]
    for model in models { #expect(model.signatureKeys == ["add", "sub"]) }
  }

  @Test("a URL that is not a file URL is rejected, and a broken file is named")
  func refused() throws {
    let web: RuntimeError? = thrownError {
      try Model(contentsOf: try #require(URL(string: "https://example.com/a.tflite")))
    }
    #expect(web?.code == .invalidArgument)
    #expect(
      web?.message
        == "https://example.com/a.tflite is not a file URL; download the model first and give the file's URL")
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-" + UUID().uuidString).path
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let broken: RuntimeError? = thrownError { try Model(contentsOf: path) }
    #expect(
      broken?.code == .invalidModel && broken?.message.hasPrefix("\(path): a .tflite model has at least 8") == true)
    let missing: RuntimeError? = thrownError { try Model(contentsOf: path + "-none") }
    #expect(missing?.code == .unreadableFile && missing?.message == "there is no file \"\(path)-none\"")
    let data: RuntimeError? = thrownError { try Model(data: Data()) }
    #expect(data?.code == .invalidModel && data?.underlying != nil)
  }

  @Test("Foundation shows an error's description")
  func localized() {
    let error = RuntimeError(.invalidInput, "is wrong", location: .init(operatorIndex: 1, operatorName: "ADD"))
    #expect(error.errorDescription == "operator 1 ADD: is wrong" && error.localizedDescription == error.description)
  }
}
