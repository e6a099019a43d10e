import Foundation
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

/// A download and those who want it, without what it downloads.
@Suite("Shared downloads")
struct DownloadWorkTests {
  private final class Told: Sendable {
    let list = Mutex<[String]>([])
    var all: [String] { list.withLock { $0 } }

    func completion(_ name: String) -> @Sendable (Download.Outcome) -> Void {
      { [self] outcome in
        let text =
          switch outcome {
          case .success(let model): "\(name) \(model.path)"
          case .failure(let error): "\(name) \(error.code.rawValue)"
          }
        list.withLock { $0.append(text) }
      }
    }
  }

  @Test("tell all who joined, in order, and nobody can join afterwards")
  func finish() throws {
    let download = Download(), told = Told()
    let first = Progress(totalUnitCount: -1), second = Progress(totalUnitCount: -1)
    #expect(download.join(first, told.completion("a")) == 1 && download.join(second, told.completion("b")) == 2)
    #expect(download.state == .checking)
    download.report(.state(.downloading))
    #expect(download.state == .downloading)
    download.report(.bytes(3, of: 7))
    for progress in [first, second] { #expect(progress.completedUnitCount == 3 && progress.totalUnitCount == 7) }
    // The last byte counts when the file is checked.
    for (count, expected) in [(6, 6), (7, 6)] as [(Int64, Int64)] {
      download.report(.bytes(count, of: 7))
      #expect(first.completedUnitCount == expected && !first.isFinished)
    }
    download.report(.bytes(0, of: 0))
    #expect(first.completedUnitCount == 0 && first.totalUnitCount == -1 && !first.isFinished)
    download.report(.bytes(4, of: nil))
    #expect(first.completedUnitCount == 4 && first.totalUnitCount == -1 && told.all.isEmpty)
    download.finish(.success(LocalModel(path: "/m")), byteCount: 9)
    for progress in [first, second] {
      #expect(progress.completedUnitCount == 9 && progress.totalUnitCount == 9 && progress.isFinished)
    }
    #expect(told.all == ["a /m", "b /m"])
    #expect(download.join(first, told.completion("c")) == nil)
    download.finish(.failure(.cancelled), byteCount: nil)
    #expect(told.all.count == 2)
  }

  @Test("leave progress as it is when they fail")
  func failure() {
    let download = Download(), told = Told()
    let progress = Progress(totalUnitCount: -1)
    _ = download.join(progress, told.completion("a"))
    download.finish(.failure(ModelStoreError(.truncated, "x")), byteCount: nil)
    #expect(progress.totalUnitCount == -1 && progress.completedUnitCount == 0 && told.all == ["a 15"])
    let checked = Download(), whole = Progress(totalUnitCount: -1)
    _ = checked.join(whole, told.completion("b"))
    checked.report(.bytes(9, of: 9))
    checked.finish(.failure(ModelStoreError(.hashMismatch, "x")), byteCount: nil)
    #expect(whole.totalUnitCount == 9 && whole.completedUnitCount == 8 && !whole.isFinished)
  }

  @Test("end when the last one leaves, and not before")
  func leave() async throws {
    let download = Download(), told = Told()
    let first = try #require(download.join(Progress(totalUnitCount: 1), told.completion("a")))
    let second = try #require(download.join(Progress(totalUnitCount: 1), told.completion("b")))
    let isCancelled = Mutex(false)
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    download.start {
      for await _ in stream {}
      isCancelled.withLock { $0 = Task.isCancelled }
      told.list.withLock { $0.append("work") }
    }
    #expect(!download.leave(first) && told.all == ["a 1"])
    #expect(!download.leave(first) && told.all == ["a 1"])
    #expect(try #require(download.join(Progress(totalUnitCount: 1), told.completion("c"))) == 3)
    #expect(!download.leave(second) && told.all == ["a 1", "b 1"])
    #expect(download.leave(3) && Array(told.all.filter { $0 != "work" }) == ["a 1", "b 1", "c 1"])
    #expect(download.join(Progress(totalUnitCount: 1), told.completion("d")) == nil)
    for _ in 0..<100_000 where !told.all.contains("work") { await Task.yield() }
    #expect(isCancelled.withLock { $0 })
    continuation.finish()
  }

  @Test("that everybody left before they began are cancelled at once")
  func early() async throws {
    let download = Download(), told = Told()
    let id = try #require(download.join(Progress(totalUnitCount: 1), told.completion("a")))
    #expect(download.leave(id))
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    download.start {
      for _ in 0..<100_000 where !Task.isCancelled { await Task.yield() }
      continuation.yield(Task.isCancelled)
    }
    for await isCancelled in stream {
      #expect(isCancelled)
      break
    }
    #expect(told.all == ["a 1"])
  }

  // MARK: The manager

  private static func model(_ server: LoopbackServer, _ path: String = "/m") -> CustomRemoteModel {
    CustomRemoteModel(remoteModelSource: URLModelSource(name: SampleModel.name(), url: server.url(path)))
  }

  @Test("are in each of their states in turn")
  func states() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(500), etag: "\"e\"", for: $0) }
    let model = Self.model(server)
    let states = Mutex<[String]>([])
    let manager = Mutex<ModelManager?>(nil)
    @Sendable func note(_ name: String) {
      let state = manager.withLock { $0 }?.state(of: model)
      let text = "\(name) \(state.map { "\($0)" } ?? "-")"
      states.withLock { if $0.last != text { $0.append(text) } }
    }
    let store = TestStore(environment: { $0.reached = { step, _ in note(step.rawValue) } })
    manager.withLock { $0 = store.manager }
    note("before")
    _ = try await store.download(model)
    note("after")
    manager.withLock { $0 = nil }
    #expect(
      states.withLock { $0 } == [
        "before absent", "noted downloading", "received downloading", "verified verifying", "synced verifying",
        "renamed verifying", "recorded verifying", "cleaned verifying", "after installed",
      ])
  }

  @Test("leave models that can be shown, used and told from others")
  func installed() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(500), etag: "\"e\"", for: $0) }
    let store = TestStore()
    let model = Self.model(server), other = Self.model(server, "/other")
    #expect(store.manager.installedPath(of: model) == nil && store.manager.downloadedRecord(of: model) == nil)
    let local = try await store.download(model)
    #expect(store.manager.installedPath(of: model) == local.path && store.manager.installedPath(of: other) == nil)
    #expect(local.manifestPath == nil && local.labels == nil)
    let error: ModelStoreError? = thrownError { try store.manager.localModel(for: other) }
    #expect(
      error
        == ModelStoreError(
          .modelNotDownloaded, "the model '\(other.name)' is not downloaded; call download(_:conditions:) first"))
    let record = ModelFolder(model, in: store.folder).recordPath
    func lastUse() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: record)[.modificationDate] as? Date
    }
    store.advance(by: 100)
    _ = store.manager.installedPath(of: model)
    #expect(try lastUse() != store.now)
    _ = try store.manager.localModel(for: model)
    #expect(try lastUse() == store.now)
    try await store.manager.deleteDownloadedModel(model)
    let gone = await #expect(throws: ModelStoreError.self) { try await store.manager.deleteDownloadedModel(model) }
    #expect(gone == ModelStoreError(.notFound, "the model '\(model.name)' is not downloaded, so it cannot be deleted"))
  }

  @Test("take the place of an older version, and leave what came of other downloads to their models")
  func update() async throws {
    let version = Mutex(1)
    let server = try LoopbackServer { request in
      let number = version.withLock { $0 }
      return .file(SampleModel.bytes(500 + number, seed: UInt64(number)), etag: "\"\(number)\"", for: request)
    }
    let store = TestStore()
    let model = Self.model(server)
    var paths: Set<String> = []
    for number in 1...3 {
      version.withLock { $0 = number }
      paths.insert(try await store.download(model).path)
      #expect(store.modelFiles.count <= 2 && store.manager.downloadedRecord(of: model)?.version == "\"\(number)\"")
    }
    #expect(paths.count == 3)
    _ = try await store.download(model)
    #expect(store.modelFiles.count == 1)
  }
}
