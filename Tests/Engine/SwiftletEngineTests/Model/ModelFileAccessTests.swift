import Foundation
import Swiftlet
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("A model's file")
struct ModelFileAccessTests {
  /// A model that adds a constant, which is large enough to be used in place.
  static let bytes: [UInt8] = {
    var graph = TestGraph()
    let input = graph.input(.float32, [40_000])
    let sum = graph.output(.float32, [40_000])
    graph.add(.add, [input, graph.constant((0..<40_000).map { Float($0) })], [sum], options: AddOptions.empty)
    return TestGraph.bytes([graph])
  }()

  private func withFile(permissions: Int, _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "swiftlet-" + UUID().uuidString + ".tflite"
    ).path
    try Data(Self.bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func check(_ session: Session) throws {
    let result = try session.run([try Tensor([Float](repeating: 1, count: 40_000), shape: [40_000])])
    #expect(try result[0].values(as: Float.self) == (0..<40_000).map { Float($0) + 1 })
  }

  @Test(
    "can be truncated while the model lives: the process continues with the loaded model",
    arguments: [Model.FileAccess.automatic, .copied])
  func shortened(access: Model.FileAccess) throws {
    try withFile(permissions: access == .copied ? 0o444 : 0o644) { path in
      let session = try Session(try CompiledModel(try Model(contentsOf: path, access: access)))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect(truncate(path, 100) == 0)
      try check(session)
      try check(try Session(try CompiledModel(try Model(bytes: Self.bytes))))
    }
  }

  @Test("may be replaced by another one, however it is held", arguments: Model.FileAccess.allCases)
  func replaced(access: Model.FileAccess) throws {
    try withFile(permissions: 0o444) { path in
      let session = try Session(try CompiledModel(try Model(contentsOf: URL(fileURLWithPath: path), access: access)))
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path), options: .atomic)
      try check(session)
    }
  }

  @Test("must not be a pipe, a device, or a directory", arguments: Model.FileAccess.allCases)
  func foreign(access: Model.FileAccess) throws {
    let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-" + UUID().uuidString).path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: pipe) }
    for path in [pipe, "/dev/zero", "/dev/null", "/", "/nowhere"] {
      let error = #expect(throws: RuntimeError.self) { try Model(contentsOf: path, access: access) }
      #expect(error?.code == .unreadableFile)
    }
  }

  @Test(
    "any number of threads is limited to a usable number", arguments: [Int.min, -1, 0, 1, 256, 257, 1 << 40, .max])
  func threads(number: Int) throws {
    var options = RuntimeOptions(threads: number)
    let expected = min(max(number, 1), 256)
    #expect(options.threads == expected)
    options.threads = 3
    options.threads = number
    #expect(options.threads == expected)
    try check(try Session(try CompiledModel(try Model(bytes: Self.bytes), options: options)))
  }
}
