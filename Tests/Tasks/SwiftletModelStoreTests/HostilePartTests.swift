import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

/// Checks servers that respond to a request for the rest of a file with something else.
@Suite("Hostile partial responses")
struct HostilePartTests {
  static let bytes = SampleModel.bytes()
  static let other = SampleModel.bytes(seed: 5)

  /// Returns the rest of a file that differs from the one that was begun.
  private static func part(_ headers: [String: String], _ body: [UInt8], length: LoopbackResponse.Length = .actual)
    -> LoopbackResponse
  {
    LoopbackResponse(status: 206, headers: headers, body: body, length: length)
  }

  /// Responses to `bytes=30000-` that aren't the rest of the partial file.
  static let parts: [LoopbackResponse] = [
    part(["Content-Range": "bytes 30000-99999/100000", "ETag": "\"b\""], Array(other[30_000...])),
    part(["Content-Range": "bytes 30000-99999/100000"], Array(other[30_000...])),
    part(["Content-Range": "bytes 30000-99999/*", "ETag": "\"b\""], Array(other[30_000...]), length: .chunked),
    part(
      ["Content-Range": "bytes 30000-99999/100000", "ETag": "\"e\"", "Last-Modified": "Tue, 02 Jan 2024 00:00:00 GMT"],
      Array(other[30_000...])),
    part(
      ["Content-Range": "bytes 30000-31000/*", "ETag": "\"e\""], [1, 2, 3], length: .claimed("9223372036854775000")),
    part(["Content-Range": "bytes 30000-9223372036854775000/9223372036854775001", "ETag": "\"e\""], [1, 2, 3]),
    part(["Content-Range": "bytes 30000-9223372036854775000/*", "ETag": "\"e\""], [1, 2, 3]),
    part(["Content-Range": "bytes 30000-99999/100000", "ETag": "\"e\""], Array(bytes[30_000..<99_998])),
    part(["Content-Range": "bytes 30000-100000/*", "ETag": "\"e\""], Array(bytes[30_000...]) + [0]),
    part(["Content-Range": "bytes 29999-99999/100000", "ETag": "\"e\""], Array(bytes[29_999...])),
  ]

  @Test(
    "of another version or position are discarded with the existing part, and the download restarts",
    arguments: parts.indices)
  func discarded(index: Int) async throws {
    let isFirst = Mutex(true)
    let server = try LoopbackServer { request in
      guard request.headers["range"] == nil else { return Self.parts[index] }
      var answer = LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request)
      answer.headers["Last-Modified"] = "Mon, 01 Jan 2024 00:00:00 GMT"
      return answer.delivered(
        isFirst.withLock { first in
          defer { first = false }
          return first ? .cut(after: 30_000) : .whole
        })
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-", nil])
    #expect(store.waits == [.seconds(1)], "a part that does not fit is no failure of the server")
  }

  @Test("that end early are continued, and are never the model")
  func shortParts() async throws {
    let server = try LoopbackServer { request in
      guard let range = request.headers["range"], let first = Int(range.dropFirst(6).dropLast()) else {
        return LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request).delivered(.cut(after: 30_000))
      }
      let end = min(first + 30_000, Self.bytes.count)
      return Self.part(
        ["Content-Range": "bytes \(first)-\(end - 1)/100000", "ETag": "\"e\""], Array(Self.bytes[first..<end]))
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=30000-", "bytes=60000-", "bytes=90000-"])
  }

  @Test("with data past their end are rejected")
  func longPart() async throws {
    let server = try LoopbackServer { request in
      request.headers["range"] == nil
        ? LoopbackResponse.file(Self.bytes, etag: "\"e\"", for: request).delivered(.cut(after: 30_000))
        : Self.part(
          ["Content-Range": "bytes 30000-30009/100000", "ETag": "\"e\""], Array(Self.bytes[30_000..<40_000]),
          length: .chunked)
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model)?.code == .sizeMismatch)
    #expect(store.files.isEmpty)
  }

  @Test("after a sparse file of maximum size do not overflow")
  func largestOffset() async throws {
    let server = try LoopbackServer { .file(Self.bytes, etag: "\"e\"", for: $0).delivered(.cut(after: 30_000)) }
    let store = TestStore { $0.retryDelays = [] }
    let model = RemoteModel(
      name: SampleModel.name(), url: server.url("/m"), sha256: SHA256.hex(of: Self.bytes))
    #expect(await store.failure(model)?.code == .truncated)
    let data = try #require(store.files.first { $0.hasSuffix("partial.data") })
    // Only sizes that the file system accepts.
    for size in [Int64.max, 1 << 43, 1 << 40]
    where truncate(store.folder.appendingPathComponent(data).path, off_t(size)) == 0 { break }
    #expect(await store.failure(model) != nil)
    #expect(store.modelFiles.isEmpty)
  }

  @Test(
    "excessive retry delays are ignored",
    arguments: ["1e308", "-1", "nan", "inf", "9223372036854775807", "1e-400", "0", "Wed, 21 Oct 2099 07:28:00 GMT"])
  func retryTimes(text: String) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 503, headers: ["Retry-After": text]) }
    for longest in [Duration.seconds(60), .seconds(Int64.max), .seconds(Int64.min)] {
      let store = TestStore { $0.maximumRetryDelay = longest }
      let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
      #expect(await store.failure(model)?.code == .internalError)
      #expect(store.waits.allSatisfy { $0 >= .zero && $0 <= .seconds(366 * 86_400) })
    }
  }
}
