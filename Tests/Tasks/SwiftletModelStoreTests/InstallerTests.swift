import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

@Suite("Installation of a download")
struct InstallerTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  /// A complete download of `bytes`, with its installer.
  private struct Setup {
    let root: TestFolder
    let folder: ModelFolder
    let installer: ModelInstaller
    let steps: Steps

    init(_ bytes: [UInt8]) throws {
      root = try TestFolder()
      folder = root.model()
      try folder.make()
      var environment = StoreEnvironment()
      environment.now = { InstallerTests.now }
      let steps = Steps()
      self.steps = steps
      environment.reached = { step, count in steps.list.withLock { $0.append("\(step.rawValue) \(count)") } }
      installer = ModelInstaller(folder: folder, environment: environment)
      try begin(bytes)
    }

    func begin(_ bytes: [UInt8]) throws {
      let file = RemoteModelFile(url: try #require(URL(string: "https://example.com/x")))
      try PartialFile(folder: folder).begin(file, size: nil).write(contentsOf: Data(bytes))
    }

    /// The names of the files in the model's directory.
    var names: [String] { root.files.map { String($0.split(separator: "/").last ?? "") } }
  }

  private final class Steps: Sendable {
    let list = Mutex<[String]>([])
  }

  private static func file(
    _ address: String = "https://example.com/m.tflite?key=secret", size: Int64? = nil, version: String? = nil,
    sha256: String? = nil
  ) throws -> RemoteModelFile {
    RemoteModelFile(url: try #require(URL(string: address)), size: size, version: version, sha256: sha256)
  }

  private static func error(_ body: () throws -> Void) -> ModelStoreError? {
    let error: ModelStoreError? = thrownError(body)
    return error
  }

  @Test("records name, source, version, digest, size, and time, in a crash-safe order")
  func record() throws {
    let bytes = SampleModel.bytes(5000)
    let setup = try Setup(bytes)
    let digest = SHA256.hex(of: bytes)
    let record = try setup.installer.install(
      try Self.file(size: 5000, version: "v", sha256: digest), sha256: digest, etag: "e")
    #expect(
      record
        == ModelRecord(
          name: "birds", source: "url https://example.com/m.tflite", version: "v", sha256: digest, byteCount: 5000,
          installed: Self.now))
    #expect(setup.folder.record() == record)
    #expect(setup.names.sorted() == [digest + ".tflite", "record.json"])
    #expect(
      setup.steps.list.withLock { $0 } == [
        "verified 5000", "synced 5000", "renamed 5000", "recorded 5000", "cleaned 5000",
      ])
    #expect(FileManager.default.contents(atPath: setup.folder.filePath(record)) == Data(bytes))
    let attributes = try FileManager.default.attributesOfItem(atPath: setup.folder.filePath(record))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o444)
  }

  @Test("uses the server's ETag as version if the source has none", arguments: ["e", nil])
  func etag(etag: String?) throws {
    let setup = try Setup(SampleModel.bytes(100))
    #expect(try setup.installer.install(try Self.file(), sha256: nil, etag: etag).version == etag)
  }

  @Test("accepts models larger than the read buffer")
  func chunks() throws {
    let bytes = SampleModel.bytes(1 << 20 + 5)
    let setup = try Setup(bytes)
    let record = try setup.installer.install(try Self.file(), sha256: nil, etag: nil)
    #expect(record.sha256 == SHA256.hex(of: bytes) && record.byteCount == 1 << 20 + 5)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var name: String
    var address = "https://example.com/m.tflite?key=secret"
    var bytes = SampleModel.bytes(100)
    var size: Int64?
    var sha256: String?
    var pinned: String?
    var code: ModelStoreError.Code
    var words: String
    var testDescription: String { name }
  }

  private static let digest = SHA256.hex(of: SampleModel.bytes(100))
  private static let other = String(repeating: "0", count: 64)
  private static let archive = Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 1, count: 96)

  static let refusals: [Refusal] = [
    .init(
      name: "one byte less", size: 101, code: .sizeMismatch,
      words: "https://example.com/m.tflite has 100 bytes, but the model has 101"),
    .init(
      name: "one byte more", size: 99, code: .sizeMismatch,
      words: "https://example.com/m.tflite has 100 bytes, but the model has 99"),
    .init(
      name: "other digest of the file", sha256: other, code: .hashMismatch,
      words:
        "https://example.com/m.tflite has the SHA-256 \(digest), but the model has \(other); it was changed or damaged in transit"
    ),
    .init(name: "other digest of the app", sha256: digest, pinned: other, code: .hashMismatch, words: "SHA-256"),
    .init(name: "other digest of the app alone", pinned: other, code: .hashMismatch, words: "SHA-256"),
    .init(name: "bundle as model", bytes: archive, code: .notAModel, words: "expected a .tflite model, got a ZIP"),
    .init(
      name: "model as bundle", address: "https://example.com/m.task?x=.tflite", code: .notAModel,
      words: "https://example.com/m.task: expected a .task bundle"),
    .init(name: "empty", bytes: [], code: .notAModel, words: "is empty"),
    .init(name: "identifier elsewhere", bytes: [0] + SampleModel.bytes(99), code: .notAModel, words: "TFL3"),
  ]

  @Test("rejects files other than the model, removes the download, and keeps the existing model", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let setup = try Setup(SampleModel.bytes(50, seed: 9))
    let old = try setup.installer.install(try Self.file(), sha256: nil, etag: "old")
    let before = setup.names
    try setup.begin(refusal.bytes)
    #expect(setup.names.count == before.count + 2)
    let file = try Self.file(refusal.address, size: refusal.size, sha256: refusal.sha256)
    let error = Self.error { _ = try setup.installer.install(file, sha256: refusal.pinned, etag: nil) }
    #expect(error?.code == refusal.code && error?.message.contains(refusal.words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret") == false)
    #expect(setup.names == before && setup.folder.record() == old)
  }

  @Test("accepts bundles from URLs of bundles")
  func bundle() throws {
    let setup = try Setup(Self.archive)
    let record = try setup.installer.install(
      try Self.file("https://example.com/m.task?x=1"), sha256: nil, etag: nil)
    #expect(record.sha256 == SHA256.hex(of: Self.archive))
  }

  @Test("keeps the partial download if it is cancelled")
  func cancelled() async throws {
    let setup = try Setup(SampleModel.bytes(100))
    let installer = setup.installer
    let file = try Self.file()
    let task = Task { () -> ModelStoreError? in
      withUnsafeCurrentTask { $0?.cancel() }
      return Self.error { _ = try installer.install(file, sha256: nil, etag: nil) }
    }
    #expect(await task.value?.code == .cancelled)
    #expect(setup.names.sorted() == ["partial.data", "partial.json"])
  }

  @Test("throws for a missing download")
  func gone() throws {
    let setup = try Setup([])
    try setup.folder.remove(setup.folder.partialDataPath)
    let error = Self.error { _ = try setup.installer.install(try Self.file(), sha256: nil, etag: nil) }
    #expect(error?.code == .storage && error?.message.contains("cannot be opened") == true)
  }

  @Test("removes older versions, but not models in use or link targets")
  func removal() throws {
    let setup = try Setup(SampleModel.bytes(50, seed: 2))
    let old = try setup.installer.install(try Self.file(), sha256: nil, etag: "old")
    let lease = try #require(ModelLease(setup.folder.filePath(old)))
    let victim = setup.root.path("victim")
    try Data([1]).write(to: URL(fileURLWithPath: victim))
    try FileManager.default.createSymbolicLink(atPath: setup.folder.path + "/link", withDestinationPath: victim)
    #expect(mkfifo(setup.folder.path + "/pipe", 0o600) == 0)
    try Data([2]).write(to: URL(fileURLWithPath: setup.folder.path + "/left"))
    try setup.begin(SampleModel.bytes(60, seed: 3))
    let new = try setup.installer.install(try Self.file(), sha256: nil, etag: "new")
    #expect(setup.names.sorted() == [old.fileName, new.fileName, "record.json", "victim"].sorted())
    #expect(FileManager.default.contents(atPath: victim) == Data([1]))
    withExtendedLifetime(lease) {}
    #expect(setup.folder.record() == new)
  }

  @Test("leaves nothing behind if nothing is installed")
  func removalOfAll() throws {
    let setup = try Setup(SampleModel.bytes(50))
    let record = try setup.installer.install(try Self.file(), sha256: nil, etag: nil)
    try setup.begin([1])
    setup.installer.removeAllBut(record)
    #expect(setup.names.sorted() == [record.fileName, "record.json"].sorted())
    setup.installer.removeAllBut(nil)
    #expect(setup.names.isEmpty)
  }
}
