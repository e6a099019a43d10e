import Foundation
import ModelStoreTestSupport
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

@Suite("Directories locked by another process")
struct LockedFolderTests {
  static let bytes = SampleModel.bytes()

  private struct Setup {
    let server: LoopbackServer
    let store: TestStore
    let model: RemoteModel
    let folder: ModelFolder

    /// - Parameter limit: The maximum time to wait for the lock.
    init(limit: Duration) throws {
      server = try LoopbackServer { .file(LockedFolderTests.bytes, etag: "\"e\"", for: $0) }
      store = TestStore { $0.lockTimeLimit = limit }
      model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
      folder = ModelFolder(model, in: store.folder)
      try folder.make()
    }
  }

  @Test("are waited for up to the limit, and reported", arguments: [true, false])
  func limit(isShared: Bool) async throws {
    let setup = try Setup(limit: .milliseconds(200))
    let lock = try #require(try SystemCalls.tryLock(setup.folder.path, isShared: isShared))
    let error = try #require(await setup.store.failure(setup.model))
    #expect(error.code == .timedOut && error.message.contains(setup.folder.path), "\(error)")
    #expect(setup.server.requests.isEmpty)
    SystemCalls.unlock(lock)
    _ = try await setup.store.download(setup.model)
    #expect(setup.store.isInstalled(setup.model))
  }

  @Test("are not waited for if the limit is 0")
  func noLimit() async throws {
    let setup = try Setup(limit: .seconds(-1))
    _ = try await setup.store.download(setup.model)
    let lock = try #require(try SystemCalls.tryLock(setup.folder.path, isShared: true))
    #expect(await setup.store.failure(setup.model)?.code == .timedOut)
    SystemCalls.unlock(lock)
  }

  @Test("let the download continue after unlocking, and its state is waiting until then")
  func waiting() async throws {
    let setup = try Setup(limit: .seconds(600))
    let lock = try #require(try SystemCalls.tryLock(setup.folder.path, isShared: false))
    let download = Task { try await setup.store.download(setup.model) }
    while true {
      if case .downloading(.waiting) = await setup.store.modelStore.state(of: setup.model) { break }
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(setup.server.requests.isEmpty)
    SystemCalls.unlock(lock)
    _ = try await download.value
    guard case .installed = await setup.store.modelStore.state(of: setup.model) else {
      Issue.record("the model is installed")
      return
    }
  }
}
