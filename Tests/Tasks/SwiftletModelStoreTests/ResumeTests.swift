import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

@Suite("Resumed downloads")
struct ResumeTests {
  static let bytes = SampleModel.bytes()

  /// Interrupts a first download after 30,000 bytes of a file, and downloads the server's current file in a second
  /// attempt.
  ///
  /// - Returns: The requests of the second attempt, and the installed model.
  private func interrupted(
    etag: String?, sha256: String? = nil, then answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackResponse
  ) async throws -> (requests: [LoopbackServer.Request], installed: Data) {
    let isSecond = Mutex(false)
    let server = try LoopbackServer { request in
      isSecond.withLock { $0 }
        ? answer(request) : LoopbackResponse.file(Self.bytes, etag: etag, for: request).delivered(.cut(after: 30_000))
    }
    let store = TestStore { $0.retryDelays = [] }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"), sha256: sha256)
    #expect(await store.failure(model)?.code == .truncated)
    isSecond.withLock { $0 = true }
    let before = server.requests.count
    let local = try await store.download(model)
    return (Array(server.requests[before...]), try Data(contentsOf: URL(fileURLWithPath: local.path)))
  }

  @Test("continue at their end if the file is the same")
  func same() async throws {
    let (requests, installed) = try await interrupted(etag: "\"e\"") { .file(Self.bytes, etag: "\"e\"", for: $0) }
    #expect(installed == Data(Self.bytes))
    #expect(requests.map { $0.headers["range"] } == ["bytes=30000-"] && requests[0].headers["if-range"] == "\"e\"")
  }

  @Test("restart if the file has changed")
  func changed() async throws {
    let newer = SampleModel.bytes(60_000, seed: 2)
    let (requests, installed) = try await interrupted(etag: "\"e\"") { .file(newer, etag: "\"f\"", for: $0) }
    #expect(installed == Data(newer) && requests.count == 1)
  }

  @Test("restart without a strong validator", arguments: [nil, "W/\"weak\""])
  func noValidator(etag: String?) async throws {
    let (requests, installed) = try await interrupted(etag: etag) { .file(Self.bytes, etag: etag, for: $0) }
    #expect(installed == Data(Self.bytes) && requests.map { $0.headers["range"] } == [nil])
  }

  @Test("need no validator if the SHA-256 is known")
  func pinned() async throws {
    let (requests, installed) = try await interrupted(etag: nil, sha256: SHA256.hex(of: Self.bytes)) {
      .file(Self.bytes, for: $0)
    }
    #expect(installed == Data(Self.bytes))
    #expect(requests.map { $0.headers["range"] } == ["bytes=30000-"] && requests[0].headers["if-range"] == nil)
  }

  @Test("of another file are detected by the SHA-256, and restarted")
  func mixed() async throws {
    // The partial file belongs to another file, but the server doesn't indicate it.
    let wanted = [UInt8](Self.bytes[..<8]) + SampleModel.bytes(100_000, seed: 4)[8...]
    let (requests, installed) = try await interrupted(etag: nil, sha256: SHA256.hex(of: wanted)) {
      .file(wanted, for: $0)
    }
    #expect(installed == Data(wanted))
    #expect(requests.map { $0.headers["range"] } == ["bytes=30000-", nil])
  }

  /// Responses to a range request that aren't the requested range.
  static let oddParts: [LoopbackResponse] = [
    .init(status: 206, headers: ["Content-Range": "bytes 0-99999/100000"], body: bytes),
    .init(status: 206, headers: ["Content-Range": "bytes 30001-99999/100000"], body: Array(bytes[30_001...])),
    .init(status: 206, headers: ["Content-Range": "bytes 30000-99999/100001"], body: Array(bytes[30_000...])),
    .init(status: 416, headers: ["Content-Range": "bytes */20000"]),
  ]

  @Test("discard an inconsistent part, and restart", arguments: oddParts.indices)
  func oddPart(index: Int) async throws {
    let isFirst = Mutex(true)
    let server = try LoopbackServer { request in
      guard request.headers["range"] != nil else {
        return isFirst.withLock { first in
          defer { first = false }
          return LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request).delivered(
            first ? .cut(after: 30_000) : .whole)
        }
      }
      return Self.oddParts[index]
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-", nil])
  }

  @Test("reject a part without a range")
  func unnamedPart() async throws {
    for range in [
      nil, "bytes 30000-29999/100000", "bytes 30000-100000/100000", "lines 1-2/3", "bytes 99999999999999999999-1/2",
    ] {
      let server = try LoopbackServer { request in
        request.headers["range"] == nil
          ? LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request).delivered(.cut(after: 30_000))
          : LoopbackResponse(
            status: 206, headers: range.map { ["Content-Range": $0] } ?? [:], body: Array(Self.bytes[30_000...]))
      }
      let store = TestStore()
      let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
      #expect(await store.failure(model)?.code == .internalError)
      #expect(store.modelFiles.isEmpty)
    }
  }
}
