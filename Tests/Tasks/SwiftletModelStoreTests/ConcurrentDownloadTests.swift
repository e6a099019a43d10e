import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

@Suite("Concurrent and cancelled downloads")
struct ConcurrentDownloadTests {
  static let bytes = SampleModel.bytes()

  /// A gate that delays a server's response until a test opens it.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func pass() {
      semaphore.wait()
      semaphore.signal()
    }
  }

  private static func model(_ server: LoopbackServer, sha256: String? = nil) -> RemoteModel {
    RemoteModel(name: SampleModel.name(), url: server.url("/m"), sha256: sha256)
  }

  /// Waits for a condition that another thread fulfills.
  private static func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<1000 {
      if condition() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
  }

  @Test("calls for one model share one transfer, and each can be cancelled")
  func merged() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      gate.pass()
      return .file(Self.bytes, for: request)
    }
    let store = TestStore()
    let model = Self.model(server)
    let tasks = (0..<3).map { _ in Task { try await store.download(model) } }
    #expect(await Self.eventually { server.requests.count == 1 })
    guard case .downloading = await store.modelStore.state(of: model) else {
      Issue.record("the model is being downloaded")
      return
    }
    // One of the callers cancels, and the others continue.
    tasks[1].cancel()
    let error = await #expect(throws: ModelStoreError.self) { try await tasks[1].value }
    #expect(error?.code == .cancelled)
    gate.open()
    let paths = [try await tasks[0].value.path, try await tasks[2].value.path]
    #expect(paths[0] == paths[1] && server.requests.count == 1)
  }

  @Test("stores with the same directory, as in several processes, don't process a model concurrently")
  func twoStores() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0) }
    let store = TestStore()
    let other = ModelStore(options: store.modelStore.options)
    let model = Self.model(server, sha256: SHA256.hex(of: Self.bytes))
    async let first = store.modelStore.model(model)
    async let second = other.model(model)
    let paths = [try await first.path, try await second.path]
    // The second caller waited, and then found the installed model.
    #expect(paths[0] == paths[1] && server.requests.count == 1)
  }

  @Test("a slow download can be cancelled, and the next download continues it", arguments: [true, false])
  func cancelledDrip(leavesLoop: Bool) async throws {
    let server = try LoopbackServer { request in
      let file = LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request)
      return request.headers["range"] == nil ? file.delivered(.drip(seconds: 0.002)) : file
    }
    let store = TestStore()
    let model = Self.model(server)
    // No caller is left after the iterating task is cancelled, or after the loop ends early.
    let task = Task {
      for try await progress in store.modelStore.download(model) {
        guard case .downloading(let count, let total) = progress, count >= 3 else { continue }
        #expect(total == Int64(Self.bytes.count))
        if leavesLoop { return }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let code: ModelStoreError.Code? =
      switch await task.result {
      case .success: nil
      case .failure(let error): (error as? ModelStoreError)?.code
      }
    #expect(code == (leavesLoop ? nil : .cancelled))
    #expect(!store.isInstalled(model) && store.modelFiles.isEmpty)
    let local = try await store.download(model)
    #expect(try Data(contentsOf: local.url) == Data(Self.bytes))
    let range = try #require(server.requests.last?.headers["range"])
    #expect(range != "bytes=0-" && server.requests.last?.headers["if-range"] == "\"e\"")
  }

  @Test("cancelling the waiting task cancels the download")
  func cancelledTask() async throws {
    let server = try LoopbackServer { LoopbackResponse.file(Self.bytes, for: $0).delivered(.stall(after: 10)) }
    let store = TestStore()
    let model = Self.model(server)
    let task = Task { try await store.download(model) }
    #expect(await Self.eventually { server.requests.count == 1 })
    task.cancel()
    let error = await #expect(throws: ModelStoreError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    let early = Task {
      try? await Task.sleep(for: .seconds(60))
      return await store.failure(model)
    }
    early.cancel()
    #expect(await early.value?.code == .cancelled && server.requests.count == 1)
  }

  @Test("a download that is cancelled while waiting for a retry ends")
  func cancelledWait() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 503) }
    let waiting = Mutex(false)
    let store = TestStore(environment: {
      $0.sleep = { _ in
        waiting.withLock { $0 = true }
        try await Task.sleep(for: .seconds(60))
      }
    })
    let task = Task { await store.failure(Self.model(server)) }
    #expect(await Self.eventually { waiting.withLock { $0 } })
    task.cancel()
    #expect(await task.value?.code == .cancelled)
  }

  @Test(
    "a silent or very slow server times out",
    arguments: [
      LoopbackResponse(body: bytes, delivery: .stall(after: 0)),
      LoopbackResponse(body: bytes, delivery: .stall(after: 500)),
      LoopbackResponse(body: bytes, delivery: .drip(seconds: 0.005)),
    ])
  func stalled(response: LoopbackResponse) async throws {
    let server = try LoopbackServer { _ in response }
    let store = TestStore {
      $0.stallTime = .milliseconds(150)
      $0.stallByteCount = 1000
    }
    let model = Self.model(server)
    let error = try #require(await store.failure(model))
    #expect(error.code == .timedOut && error.message.contains("too slow"), "\(error)")
    #expect(server.requests.count == 4 && store.waits.count == 3)
    #expect(store.modelFiles.isEmpty)
  }

  @Test("a transfer that exceeds the total time limit is aborted")
  func tooLong() async throws {
    // The limit is minutes long, because the clock can be checked late when many tests run at once.
    let body = [UInt8](repeating: 0, count: 1_000_000)
    let server = try LoopbackServer { _ in LoopbackResponse(body: body, delivery: .drip(seconds: 0.001)) }
    let store = TestStore {
      $0.stallByteCount = 0
      $0.stallTime = .milliseconds(50)
      $0.transferTimeLimit = .milliseconds(200)
    }
    #expect(await store.failure(Self.model(server))?.code == .timedOut)
    #expect(server.requests.count == 1)
  }

  @Test("many downloads of many models all succeed")
  func many() async throws {
    let server = try LoopbackServer {
      .file(SampleModel.bytes(20_000, seed: UInt64($0.path.dropFirst()) ?? 0), for: $0)
    }
    let store = TestStore()
    let models = (1...6).map {
      RemoteModel(name: SampleModel.name(), url: server.url("/\($0)"))
    }
    try await withThrowingTaskGroup(of: (Int, Data).self) { group in
      for round in 0..<18 {
        group.addTask {
          let local = try await store.download(models[round % 6])
          return (round % 6, try Data(contentsOf: URL(fileURLWithPath: local.path)))
        }
      }
      for try await (index, data) in group { #expect(data == Data(SampleModel.bytes(20_000, seed: UInt64(index + 1)))) }
    }
    #expect(store.modelFiles.count == 6)
  }
}
