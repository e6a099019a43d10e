import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

/// Checks links, pipes, devices, and directories in place of the store's files, and records with arbitrary contents.
@Suite("Foreign files in a store")
struct ForeignFileTests {
  static let bytes = SampleModel.bytes(20_000)

  enum Kind: String, CaseIterable, Sendable {
    case link, danglingLink, pipe, socketlessDevice, folder, fullFolder, empty, garbage
  }

  static let names = ["record.json", "record.json.new", "partial.data", "partial.json", "partial.json.new", "odd name"]

  private static func put(_ kind: Kind, at path: String, victim: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    switch kind {
    case .link: try manager.createSymbolicLink(atPath: path, withDestinationPath: victim)
    case .danglingLink: try manager.createSymbolicLink(atPath: path, withDestinationPath: victim + "-absent")
    case .pipe: #expect(mkfifo(path, 0o666) == 0)
    case .socketlessDevice: try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
    case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    case .fullFolder: try manager.createDirectory(atPath: path + "/inner", withIntermediateDirectories: true)
    case .empty: try Data().write(to: URL(fileURLWithPath: path))
    case .garbage: try Data(repeating: 0x5B, count: 3000).write(to: URL(fileURLWithPath: path))
    }
  }

  @Test("are never waited for, followed or written to", arguments: Kind.allCases, names)
  func replaced(kind: Kind, name: String) async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let victim = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-victim-" + UUID().uuidString)
    try Data("untouched".utf8).write(to: victim)
    defer { try? FileManager.default.removeItem(at: victim) }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let folder = URL(fileURLWithPath: try await store.download(model).path).deletingLastPathComponent().path
    try Self.put(kind, at: folder + "/" + name, victim: victim.path)
    // The store can reject or replace the file, but each call returns, and afterwards the model is either complete or
    // missing.
    _ = store.isInstalled(model)
    if let local = try? await store.download(model) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    } else {
      #expect(
        ["record.json", "record.json.new"].contains(name) && [.folder, .fullFolder].contains(kind),
        "\(kind) at \(name) is in the way")
    }
    _ = store.deletionError(model)
    #expect(try Data(contentsOf: victim) == Data("untouched".utf8))
  }

  @Test(
    "a link in place of the model's file is not the model",
    arguments: [Kind.link, .pipe, .socketlessDevice, .folder])
  func modelFile(kind: Kind) async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let victim = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-victim-" + UUID().uuidString)
    try Data(Self.bytes).write(to: victim)
    defer { try? FileManager.default.removeItem(at: victim) }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let path = try await store.download(model).path
    try Self.put(kind, at: path, victim: victim.path)
    #expect(!store.isInstalled(model))
    #expect(throws: ModelStoreError.self) { try store.modelStore.installedModel(model) }
  }

  @Test("a link in place of a model's directory is rejected, and nothing is written to its target")
  func folderLink() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let folder = URL(fileURLWithPath: try await store.download(model).path).deletingLastPathComponent()
    let elsewhere = FileManager.default.temporaryDirectory.appendingPathComponent(
      "swiftlet-elsewhere-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: elsewhere) }
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(await store.failure(model)?.code == .storage)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
  }

  @Test("a file with a second name elsewhere is not continued")
  func hardLink() async throws {
    let server = try LoopbackServer {
      .file(Self.bytes, etag: "\"e\"", for: $0).delivered($0.headers["range"] == nil ? .cut(after: 9000) : .whole)
    }
    let store = TestStore { $0.retryDelays = [] }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model)?.code == .truncated)
    let data = try #require(store.files.first { $0.hasSuffix("partial.data") })
    let second = store.folder.appendingPathComponent("second").path
    #expect(link(store.folder.appendingPathComponent(data).path, second) == 0)
    #expect(await store.failure(model)?.code == .storage)
    #expect(FileManager.default.contents(atPath: second)?.count == 9000)
  }

  @Test(
    "sizes are taken from files, not from records",
    arguments: ["9223372036854775807", "1", "-5", "1e300", "\"x\""])
  func recordSizes(size: String) async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore { $0.totalByteLimit = 60_000 }
    func model() -> RemoteModel {
      RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    }
    let first = model()
    do {
      let local = try await store.download(first)
      for number in 0..<3 {
        let folder = store.folder.appendingPathComponent("hostile-\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let record =
          "{\"name\":\"x\",\"source\":\"y\",\"sha256\":\"\(String(repeating: "a", count: 64))\",\"byteCount\":\(size),\"installed\":1e308}"
        try Data(record.utf8).write(to: folder.appendingPathComponent("record.json"))
      }
      _ = try await store.download(model())
      withExtendedLifetime(local) { #expect(store.isInstalled(first)) }
    }
  }
}
