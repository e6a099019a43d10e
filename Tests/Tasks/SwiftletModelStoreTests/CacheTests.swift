import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

@Suite("Cache")
struct CacheTests {
  /// Returns a server of 10,000-byte files, one per path.
  private func server() throws -> LoopbackServer {
    try LoopbackServer { .file(SampleModel.bytes(10_000, seed: UInt64($0.path.dropFirst()) ?? 0), for: $0) }
  }

  private func models(_ server: LoopbackServer, _ count: Int) -> [RemoteModel] {
    (0..<count).map {
      RemoteModel(name: SampleModel.name("m\($0)"), url: server.url("/\($0)"))
    }
  }

  @Test("the least recently used models are evicted first if there are too many")
  func leastRecentlyUsed() async throws {
    let server = try server()
    let store = TestStore { $0.totalByteLimit = 30_000 }
    let models = models(server, 5)
    for model in models[..<3] {
      _ = try await store.download(model)
      store.advance(by: 10)
    }
    #expect(models[..<3].allSatisfy(store.isInstalled))
    // Using the first model again makes the second one the least recently used.
    _ = try store.modelStore.installedModel(models[0])
    store.advance(by: 10)
    _ = try await store.download(models[3])
    #expect(models.map(store.isInstalled) == [true, false, true, true, false])
    store.advance(by: 10)
    _ = try await store.download(models[4])
    #expect(models.map(store.isInstalled) == [true, false, false, true, true])
    #expect(store.files.count == 6)
  }

  @Test("models in use and the new model are kept, even if there are too many")
  func inUse() async throws {
    let server = try server()
    let store = TestStore { $0.totalByteLimit = 10_000 }
    let models = models(server, 3)
    let first = try await store.download(models[0])
    store.advance(by: 10)
    let second = try await store.download(models[1])
    #expect(models.map(store.isInstalled) == [true, true, false])
    withExtendedLifetime(second) { _ = first.path }
    store.advance(by: 10)
    do {
      let third = try await store.download(models[2])
      withExtendedLifetime((first, second, third)) {
        #expect(models.map(store.isInstalled) == [true, true, true])
      }
    }
  }

  @Test("an unused model is evicted")
  func noLongerInUse() async throws {
    let server = try server()
    let store = TestStore { $0.totalByteLimit = 10_000 }
    let models = models(server, 2)
    do { _ = try await store.download(models[0]) }
    store.advance(by: 10)
    _ = try await store.download(models[1])
    #expect(models.map(store.isInstalled) == [false, true])
  }

  @Test("abandoned partial downloads are evicted before any model")
  func abandonedDownload() async throws {
    let isCut = Mutex(true)
    let server = try LoopbackServer { request in
      LoopbackResponse.file(
        SampleModel.bytes(10_000, seed: UInt64(request.path.dropFirst()) ?? 0), etag: "\"e\"", for: request
      )
      .delivered(isCut.withLock { $0 } && request.path == "/0" ? .cut(after: 9_000) : .whole)
    }
    let store = TestStore {
      $0.totalByteLimit = 20_000
      $0.retryDelays = []
    }
    let models = models(server, 3)
    #expect(await store.failure(models[0])?.code == .truncated)
    #expect(store.files.contains { $0.hasSuffix("partial.data") })
    _ = try await store.download(models[1])
    #expect(store.files.contains { $0.hasSuffix("partial.data") })
    store.advance(by: 10)
    _ = try await store.download(models[2])
    #expect(models.map(store.isInstalled) == [false, true, true])
    #expect(!store.files.contains { $0.hasSuffix("partial.data") })
    isCut.withLock { $0 = false }
    store.advance(by: 10)
    _ = try await store.download(models[0])
    #expect(store.isInstalled(models[0]))
  }

  @Test(
    "a model that is too large is rejected before the download, or as soon as it exceeds the limit",
    arguments: [LoopbackResponse.Length.actual, .chunked])
  func tooLarge(length: LoopbackResponse.Length) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(body: SampleModel.bytes(200_000), length: length) }
    let store = TestStore { $0.modelByteLimit = 150_000 }
    let model = models(server, 1)[0]
    let error = try #require(await store.failure(model))
    #expect(error.code == .tooLarge && error.message.contains("150000"))
    #expect(store.files.isEmpty && store.waits.isEmpty)
  }

  @Test("a model without enough disk space is rejected before the download")
  func fullDisk() async throws {
    let server = try server()
    let store = TestStore(environment: { $0.freeByteCount = { _ in 9_999 } })
    let model = models(server, 1)[0]
    let error = try #require(await store.failure(model))
    #expect(error.code == .notEnoughSpace && error.message.contains("9999"))
    #expect(store.files.isEmpty)
  }

  @Test("a directory that cannot be created is an error")
  func noFolder() async throws {
    let server = try server()
    let store = TestStore { $0.directory = URL(fileURLWithPath: "/dev/null/models") }
    #expect(await store.failure(models(server, 1)[0])?.code == .storage)
    #expect(server.requests.isEmpty)
  }

  @Test("a deleted model does not exist, and cannot be deleted twice")
  func deletion() async throws {
    let server = try server()
    let store = TestStore()
    let model = models(server, 1)[0]
    let absent = try #require(store.deletionError(model))
    #expect(absent.code == .notFound)
    let local = try await store.download(model)
    let open = try #require(FileHandle(forReadingAtPath: local.path))
    #expect(store.deletionError(model) == nil)
    #expect(!store.isInstalled(model) && store.files.isEmpty)
    // A process that has the file open can continue reading.
    #expect(try open.readToEnd() == Data(SampleModel.bytes(10_000, seed: 0)))
    #expect(store.deletionError(model)?.code == .notFound)
    _ = try await store.download(model)
    #expect(store.isInstalled(model))
  }

  @Test(
    "records without files, files without records, and damaged ones count as absent, and are repaired",
    arguments: 0..<7)
  func damagedStore(damage: Int) async throws {
    let server = try server()
    let store = TestStore()
    let model = models(server, 1)[0]
    _ = try await store.download(model)
    let file = store.folder.appendingPathComponent(store.modelFiles[0])
    let record = file.deletingLastPathComponent().appendingPathComponent("record.json")
    let text = try String(contentsOf: record, encoding: .utf8)
    switch damage {
    case 0: try FileManager.default.removeItem(at: file)
    case 1: try FileManager.default.removeItem(at: record)
    case 2: try Data(SampleModel.bytes(9_999, seed: 0)).write(to: file)
    case 3: try Data(text.dropLast(3).utf8).write(to: record)
    case 4:
      try Data(
        text.replacingOccurrences(
          of: SHA256.hex(of: SampleModel.bytes(10_000, seed: 0)), with: "../../../../etc/passwd"
        ).utf8
      ).write(to: record)
    case 5: try Data(text.replacingOccurrences(of: model.name, with: "another").utf8).write(to: record)
    default: try Data().write(to: record)
    }
    #expect(!store.isInstalled(model))
    #expect(throws: ModelStoreError.self) { try store.modelStore.installedModel(model) }
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(SampleModel.bytes(10_000, seed: 0)))
    #expect(store.files.count == 2)
  }

  @Test("foreign files in the directory are not changed")
  func foreignFiles() async throws {
    let server = try server()
    let store = TestStore { $0.totalByteLimit = 1 }
    let foreign = store.folder.appendingPathComponent("mine/record.json")
    try FileManager.default.createDirectory(at: foreign.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(#"{"name": "mine"}"#.utf8).write(to: foreign)
    _ = try await store.download(models(server, 1)[0])
    #expect(FileManager.default.fileExists(atPath: foreign.path))
  }

  @Test("the default directory is per user", .enabled(if: ProcessInfo.processInfo.environment["XDG_DATA_HOME"] == nil))
  func defaultFolder() {
    #expect(ModelStoreOptions.defaultDirectory.path.hasSuffix("swiftlet/models"))
    #expect(ModelStore().options.directory == ModelStoreOptions.defaultDirectory)
  }
}
