import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletBase
import SwiftletTestSupport
import Testing

@Suite("Hostile servers")
struct HostileServerTests {
  /// Responses that are barely HTTP, byte by byte.
  static let answers: [String] = [
    "", "\r\n\r\n", "garbage", "garbage\r\n\r\ngarbage", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
    "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 999999999999 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nETag\r\n\r\nx", "HTTP/1.1 200 OK\r\n: empty\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nETag: \u{0}\r\nContent-Length: 1\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx", "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx",
    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
    "HTTP/1.1 200 OK\r\nContent-Length: 0x10\r\n\r\nx", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n1\r\nx\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
    "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Switching\r\n\r\n",
    "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://[::\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: mailto:a@b\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 300 Many\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\n\r\n", "HTTP/1.1 401 Who\r\nWWW-Authenticate: Negotiate\r\n\r\n",
    "HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic\r\n\r\n",
    "HTTP/1.1 416 Range\r\nContent-Range: bytes */*\r\n\r\n",
    "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-0/1\r\nContent-Length: 1\r\n\r\nx", "HTTP/1.1 599 Odd\r\n\r\n",
    "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Domain=.com\r\nContent-Length: 8\r\n\r\n12345678",
    "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n1234TFL2",
  ]

  @Test("invalid responses are errors, and leave nothing behind", arguments: answers.indices)
  func oddAnswers(index: Int) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(raw: Array(Self.answers[index].utf8)) }
    let store = TestStore {
      $0.retryDelays = [.zero]
      $0.stallTime = .seconds(5)
    }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model) != nil)
    #expect(store.modelFiles.isEmpty && !store.isInstalled(model))
  }

  @Test("endless headers are aborted")
  func endlessHeaders() async throws {
    let line = "X-Filler: " + String(repeating: "x", count: 1000) + "\r\n"
    let server = try LoopbackServer { _ in
      LoopbackResponse(raw: Array("HTTP/1.1 200 OK\r\n".utf8) + Array(String(repeating: line, count: 2000).utf8))
    }
    let store = TestStore { $0.retryDelays = [] }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model) != nil)
    #expect(store.modelFiles.isEmpty)
  }

  @Test("a body of unknown length is rejected unless the SHA-256 is known")
  func unknownLength() async throws {
    let bytes = SampleModel.bytes()
    let server = try LoopbackServer { _ in LoopbackResponse(body: bytes, length: .none) }
    let store = TestStore()
    let blind = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let error = try #require(await store.failure(blind))
    #expect(error.code == .internalError && error.message.contains("SHA-256"))
    let pinned = RemoteModel(name: SampleModel.name(), url: server.url("/m"), sha256: SHA256.hex(of: bytes))
    _ = try await store.download(pinned)
    #expect(store.isInstalled(pinned))
  }

  @Test("an endless body is aborted at the limit")
  func endlessBody() async throws {
    let server = try LoopbackServer { _ in
      LoopbackResponse(body: SampleModel.bytes(), length: .none, delivery: .endless())
    }
    let store = TestStore { $0.modelByteLimit = 1_000_000 }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"), sha256: SHA256.hex(of: [1]))
    #expect(await store.failure(model)?.code == .tooLarge)
    #expect(store.files.isEmpty)
  }

  /// Ways in which the body of an error response doesn't end.
  static let endings: [LoopbackResponse.Delivery] = [
    .endless(), .stall(after: 10), .drip(seconds: 0.02), .reset(after: 10), .cut(after: 10),
  ]

  @Test("an error with an endless message is reported by its status", arguments: endings.indices, [false, true])
  func endlessExplanation(index: Int, isDescription: Bool) async throws {
    let server = try LoopbackServer { _ in
      LoopbackResponse(
        status: 404, body: [UInt8](repeating: 32, count: 100_000), length: .claimed("1000000000"),
        delivery: Self.endings[index])
    }
    let store = TestStore {
      $0.stallTime = .milliseconds(500)
      $0.stallByteCount = 1
    }
    let name = SampleModel.name()
    let model =
      isDescription
      ? RemoteModel(name: name, manifest: server.url("/m")) : RemoteModel(name: name, url: server.url("/m"))
    let error = try #require(await store.failure(model))
    #expect(error.code == .notFound && error.message.contains("status 404"), "\(error)")
  }

  @Test("a declared file without bytes is rejected")
  func shrinkingFile() async throws {
    let isFirst = Mutex(true)
    let server = try LoopbackServer { _ in
      let body = isFirst.withLock { first in
        defer { first = false }
        return first ? SampleModel.bytes() : []
      }
      return LoopbackResponse(body: body, delivery: .cut(after: 5000))
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(await store.failure(model)?.code == .notAModel)
    #expect(server.requests.count == 2 && store.files.isEmpty)
  }

  @Test("a redirect with an endless body is aborted, or followed without the body")
  func endlessRedirect() async throws {
    let server = try LoopbackServer { request in
      guard request.path == "/m" else { return .file(SampleModel.bytes(), etag: "\"e\"", for: request) }
      return LoopbackResponse(
        status: 302, headers: ["Location": "/file"], body: [UInt8](repeating: 32, count: 4000),
        length: .claimed("1000000000"), delivery: .drip(seconds: 0.005))
    }
    let store = TestStore { $0.stallTime = .milliseconds(500) }
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    if let error = await store.failure(model) {
      #expect(error.code == .timedOut && error.message.contains("leads on to another address"), "\(error)")
      #expect(server.requests.count == 4)
    }
  }

  @Test("an invalid URL or digest is rejected without a request")
  func badArguments() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse() }
    let store = TestStore()
    for (url, sha256) in [(server.url("/m"), "12"), (server.url("/m"), String(repeating: "g", count: 64))] {
      let model = RemoteModel(name: SampleModel.name(), url: url, sha256: sha256)
      #expect(await store.failure(model)?.code == .invalidArgument)
    }
    for text in ["relative/path", "https:///x"] {
      let model = RemoteModel(name: SampleModel.name(), url: try #require(URL(string: text)))
      #expect(await store.failure(model)?.code == .invalidArgument, "\(text)")
    }
    #expect(server.requests.isEmpty)
  }
}
