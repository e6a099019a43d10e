import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

/// Checks the sharing of downloads among callers, without real downloads.
@Suite("Shared downloads")
struct DownloadWorkTests {
  private static func words(_ updates: SharedDownload.Updates) async -> [String] {
    var words: [String] = []
    do {
      for try await progress in updates { words.append("\(progress)") }
    } catch {
      words.append((error as? ModelStoreError)?.message ?? "\(error)")
    }
    return words
  }

  @Test("report the latest step and then the failure to all callers, and accept no callers afterward")
  func finish() async throws {
    let download = SharedDownload()
    let first = try #require(download.join()), second = try #require(download.join())
    download.report(.downloading(byteCount: 4, total: nil))
    download.report(.downloading(byteCount: 5, total: 9))
    guard case .downloading(5, 9)? = download.progress else {
      Issue.record("the newest step is kept")
      return
    }
    download.finish(.failure(ModelStoreError(.truncated, "cut")))
    let step = "downloading(byteCount: 5, total: Optional(9))"
    #expect(await Self.words(first) == [step, "cut"])
    #expect(await Self.words(second) == [step, "cut"])
    #expect(download.join() == nil && download.progress == nil)
    download.finish(.failure(.cancelled))
  }

  @Test("report the current step to late callers")
  func late() async throws {
    let download = SharedDownload()
    let early = try #require(download.join())
    download.report(.verifying)
    let late = try #require(download.join())
    download.finish(.failure(ModelStoreError(.hashMismatch, "another")))
    #expect(await Self.words(early) == ["verifying", "another"])
    #expect(await Self.words(late) == ["verifying", "another"])
  }

  @Test("end when the last caller leaves, and not before")
  func leave() async throws {
    let download = SharedDownload()
    let isCancelled = Mutex(false)
    let (ends, end) = AsyncStream<Void>.makeStream()
    var first = download.join(), second = download.join()
    #expect(first != nil && second != nil)
    download.start {
      try? await Task.sleep(for: .seconds(600))
      isCancelled.withLock { $0 = Task.isCancelled }
      end.finish()
    }
    first = nil
    #expect(download.progress != nil && !isCancelled.withLock { $0 })
    second = nil
    #expect(download.progress == nil && download.join() == nil)
    for await _ in ends {}
    #expect(isCancelled.withLock { $0 })
  }

  @Test("are cancelled immediately if all callers leave before the start")
  func early() async throws {
    let download = SharedDownload()
    do { _ = try #require(download.join()) }
    #expect(download.progress == nil)
    let (values, continuation) = AsyncStream<Bool>.makeStream()
    download.start {
      for _ in 0..<100_000 where !Task.isCancelled { await Task.yield() }
      continuation.yield(Task.isCancelled)
    }
    for await isCancelled in values {
      #expect(isCancelled)
      break
    }
  }

  // MARK: The store

  private static func model(_ server: LoopbackServer, _ path: String = "/m") -> RemoteModel {
    RemoteModel(name: SampleModel.name(), url: server.url(path))
  }

  @Test("report their steps in order")
  func steps() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(500), etag: "\"e\"", for: $0) }
    // The delay makes sure that each step can be read before the next.
    let store = TestStore(environment: { $0.reached = { _, _ in usleep(20_000) } })
    var steps: [String] = []
    for try await progress in store.modelStore.download(Self.model(server)) {
      let step = String("\(progress)".prefix { $0 != "(" })
      if steps.last != step { steps.append(step) }
    }
    let all = ["checking", "downloading", "verifying", "installed"]
    #expect(steps.last == "installed" && steps == all.filter(steps.contains), "\(steps)")
    #expect(steps.contains("downloading") && steps.contains("verifying"))
  }

  @Test("return models that can be displayed, used, and distinguished")
  func installed() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(500), etag: "\"e\"", for: $0) }
    let store = TestStore()
    let model = Self.model(server), other = Self.model(server, "/other")
    #expect(store.modelStore.installedPath(of: model) == nil && store.modelStore.record(of: model) == nil)
    let local = try await store.download(model)
    #expect(store.modelStore.installedPath(of: model) == local.path && store.modelStore.installedPath(of: other) == nil)
    #expect(store.modelStore.records == [local.record])
    let error: ModelStoreError? = thrownError { try store.modelStore.installedModel(other) }
    #expect(
      error
        == ModelStoreError(
          .modelNotDownloaded, "the model '\(other.name)' is not downloaded; download it first"))
    let record = ModelFolder(model, in: store.folder).recordPath
    func lastUse() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: record)[.modificationDate] as? Date
    }
    store.advance(by: 100)
    _ = store.modelStore.installedPath(of: model)
    #expect(try lastUse() != store.now)
    _ = try store.modelStore.installedModel(model)
    #expect(try lastUse() == store.now)
    #expect(store.deletionError(model) == nil && store.modelStore.records.isEmpty)
    let gone = store.deletionError(model)
    #expect(gone == ModelStoreError(.notFound, "the model '\(model.name)' is not downloaded, so it cannot be deleted"))
  }

  @Test("replace an older version, and keep partial downloads of other models")
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
      #expect(store.modelFiles.count <= 2 && store.modelStore.record(of: model)?.version == "\"\(number)\"")
    }
    #expect(paths.count == 3)
    _ = try await store.download(model)
    #expect(store.modelFiles.count == 1)
  }
}
