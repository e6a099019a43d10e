import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

/// Checks a store after another process was killed during a download.
@Suite("A killed download", .serialized)
struct CrashConsistencyTests {
  private static let bytes = SampleModel.bytes(30_000, seed: 21)
  private static let older = SampleModel.bytes(20_000, seed: 20)

  /// - Returns: The exit status, or 9 if the process was killed.
  private static func run(_ store: TestStore, _ url: URL, _ step: String, _ count: Int) async throws -> Int32 {
    try await DownloadChild.run(store.folder, url, step: step, count: count).status
  }

  private final class Site: Sendable {
    let current = Mutex((bytes: CrashConsistencyTests.bytes, etag: "\"new\"", stallsAfter: Int?.none))
    let server = Mutex<LoopbackServer?>(nil)

    /// Starts a server that stops sending after a number of bytes of the file, without closing the connection.
    func start() throws -> LoopbackServer {
      try LoopbackServer { [self] request in
        current.withLock { current in
          let answer = LoopbackResponse.file(current.bytes, etag: current.etag, for: request)
          guard let count = current.stallsAfter else { return answer }
          return answer.delivered(.stall(after: count))
        }
      }
    }
  }

  /// Kills a download, checks the state, and completes the next download.
  private func check(_ step: String, count: Int, stallsAfter: Int?, hasOlder: Bool) async throws {
    let site = Site()
    let server = try site.start()
    let store = TestStore()
    let url = server.url("/model")
    let model = RemoteModel(name: "victim", url: url)
    if hasOlder {
      site.current.withLock { $0 = (Self.older, "\"old\"", nil) }
      _ = try await store.download(model)
    }
    site.current.withLock { $0 = (Self.bytes, "\"new\"", stallsAfter) }
    #expect(try await Self.run(store, url, step, count) == 9)

    // Either no model, the old one, or the complete new one.
    let isDone = ["recorded", "cleaned"].contains(step)
    #expect(store.isInstalled(model) == (hasOlder || isDone))
    if hasOlder || isDone {
      let left = try Data(contentsOf: URL(fileURLWithPath: store.modelStore.installedModel(model).path))
      #expect(left == Data(isDone ? Self.bytes : Self.older))
    }
    for name in store.modelFiles {
      let data = try Data(contentsOf: store.folder.appendingPathComponent(name))
      #expect(data == Data(Self.bytes) || data == Data(Self.older), "\(name) is a part of a model")
    }

    site.current.withLock { $0.stallsAfter = nil }
    let before = server.requests.count
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    #expect(store.files.count == 2, "\(store.files)")
    if let stallsAfter, stallsAfter > 0, step == "received" {
      #expect(server.requests[before...].map { $0.headers["range"] } == ["bytes=\(stallsAfter)-"])
    }
  }

  /// The first and last bytes, positions around a header and around the block sizes of files and connections, and some
  /// in between.
  static let positions = [
    1, 2, 7, 8, 9, 511, 512, 513, 4095, 4096, 4097, 10_000, 16_383, 16_384, 16_385, 20_000, 28_672, 29_998, 29_999,
  ]

  @Test(
    "leaves no model or the old one at any byte, and the next download continues there", arguments: positions,
    [false, true])
  func atByte(position: Int, hasOlder: Bool) async throws {
    try await check("received", count: position, stallsAfter: position, hasOlder: hasOlder)
  }

  @Test(
    "leaves no model, the old one, or the complete new one between any two steps",
    arguments: StoreEnvironment.Step.allCases, [false, true])
  func atStep(step: StoreEnvironment.Step, hasOlder: Bool) async throws {
    let isBeforeBytes = step == .noted
    try await check(step.rawValue, count: isBeforeBytes ? 0 : Self.bytes.count, stallsAfter: nil, hasOlder: hasOlder)
  }

  @Test("loses nothing after the last byte has arrived")
  func afterLastByte() async throws {
    try await check("received", count: Self.bytes.count, stallsAfter: nil, hasOlder: false)
  }

  @Test("the other process does download when it is not killed")
  func undisturbed() async throws {
    let server = try Site().start()
    let store = TestStore()
    #expect(try await Self.run(store, server.url("/model"), "none", 0) == 0)
    let model = RemoteModel(name: "victim", url: server.url("/model"))
    #expect(store.isInstalled(model))
  }
}
