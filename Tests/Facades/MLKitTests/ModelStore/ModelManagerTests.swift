import Foundation
import MLKit
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("Model manager")
struct ModelManagerTests {
  static let bytes = SampleModel.bytes()

  private static func model(_ server: LoopbackServer, sha256: String? = nil) -> CustomRemoteModel {
    CustomRemoteModel(
      remoteModelSource: RemoteModelSource(
        model: .init(name: SampleModel.name(), url: server.url("/m"), sha256: sha256)))
  }

  /// Waits for a condition that another thread fulfills.
  private static func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<1000 {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
  }

  @Test("downloads with a finished progress and a notification")
  func success() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestManager()
    let model = Self.model(server)
    #expect(!store.manager.isModelDownloaded(model))
    let error: ModelStoreError? = thrownError { try store.manager.localModel(for: model) }
    #expect(error?.code == .modelNotDownloaded)
    let progress: Progress = store.manager.download(model, conditions: ModelDownloadConditions())
    #expect(await store.notifications.of(model) == [.init(hasSucceeded: true, model: model.name)])
    #expect(progress.isFinished && progress.totalUnitCount == Int64(Self.bytes.count))
    #expect(store.manager.isModelDownloaded(model))
    let local = try store.manager.localModel(for: model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.checkedPath())) == Data(Self.bytes))
    #expect(local.manifestPath == nil && local.labels == nil)
  }

  @Test("calls for one model share one transfer, with separate progress and notifications")
  func merged() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { request in
      gate.wait()
      gate.signal()
      return .file(Self.bytes, for: request)
    }
    let store = TestManager()
    let model = Self.model(server)
    let progresses: [Progress] = (0..<3).map { _ in
      store.manager.download(model, conditions: ModelDownloadConditions())
    }
    #expect(await Self.eventually { server.requests.count == 1 })
    // One of the callers cancels, and the others continue.
    progresses[1].cancel()
    let cancelled = await store.notifications.of(model)
    #expect(cancelled == [.init(hasSucceeded: false, model: model.name, code: 1, domain: "com.swiftlet.modelstore")])
    gate.signal()
    let notes = await store.notifications.of(model, count: 3)
    #expect(notes.count == 3 && notes.filter(\.hasSucceeded).count == 2)
    #expect(progresses[0].isFinished && progresses[2].isFinished && !progresses[1].isFinished)
    #expect(server.requests.count == 1)
  }

  @Test("a slow download can be cancelled, and the next download continues it")
  func cancelledDrip() async throws {
    let server = try LoopbackServer { request in
      let file = LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request)
      return request.headers["range"] == nil ? file.delivered(.drip(seconds: 0.002)) : file
    }
    let store = TestManager()
    let model = Self.model(server)
    let progress: Progress = store.manager.download(model, conditions: ModelDownloadConditions())
    #expect(await Self.eventually { progress.completedUnitCount >= 3 })
    #expect(progress.totalUnitCount == Int64(Self.bytes.count) && !progress.isFinished)
    progress.cancel()
    #expect(await store.notifications.of(model).map(\.code) == [1])
    #expect(!store.manager.isModelDownloaded(model))
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    let range = try #require(server.requests.last?.headers["range"])
    #expect(range != "bytes=0-" && server.requests.last?.headers["if-range"] == "\"e\"")
  }

  @Test("a progress is finished only after the file is verified")
  func wrongFile() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let store = TestManager()
    let model = Self.model(server, sha256: String(repeating: "a", count: 64))
    let progress: Progress = store.manager.download(model, conditions: ModelDownloadConditions())
    #expect(await store.notifications.of(model).map(\.code) == [ModelStoreError.Code.hashMismatch.rawValue])
    #expect(!progress.isFinished && progress.completedUnitCount < Int64(Self.bytes.count))
  }

  @Test("a model with only a name cannot be downloaded")
  func onlyName() async throws {
    let store = TestManager()
    let model = CustomRemoteModel(remoteModelSource: RemoteModelSource(name: SampleModel.name()))
    store.manager.download(model, conditions: ModelDownloadConditions())
    #expect(await store.notifications.of(model).map(\.code) == [ModelStoreError.Code.failedPrecondition.rawValue])
  }

  @Test("a deleted model cannot be deleted twice")
  func deletion() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let store = TestManager()
    let model = Self.model(server)
    try await store.download(model)
    #expect(await store.deletionError(model) == nil && !store.manager.isModelDownloaded(model))
    #expect((await store.deletionError(model) as? ModelStoreError)?.code == .notFound)
    let error = await #expect(throws: ModelStoreError.self) { try await store.manager.deleteDownloadedModel(model) }
    #expect(error?.code == .notFound)
  }

  @Test("the app's models have one manager, in the default directory")
  func shared() {
    #expect(ModelManager.modelManager() === ModelManager.modelManager())
    #expect(ModelManager.modelManager().store.options.directory == ModelStoreOptions.defaultDirectory)
    #expect(ModelManager.modelManager().callbackQueue.label == DispatchQueue.main.label)
  }
}
