import Foundation
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

@_spi(Facades) @testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Transfers")
struct TransferTests {
  private static func error<Value>(_ body: () async throws -> Value) async -> ModelStoreError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? ModelStoreError
    }
  }

  // MARK: Local files

  private final class Told: Sendable {
    let progress = Mutex<[String]>([])
  }

  /// Copies `source` into the store of `root`; `change` is called whenever bytes were written.
  private func copy(
    _ source: String, into root: TestFolder, limit: Int64 = 1 << 30, change: @escaping @Sendable () -> Void = {}
  ) async -> (error: ModelStoreError?, progress: [String]) {
    let told = Told()
    var client = HTTPClient()
    client.options.modelByteLimit = limit
    var file = RemoteModelFile(url: URL(fileURLWithPath: source))
    file.isLocalFileAllowed = true
    let folder = root.model()
    let transfer = FileTransfer(file: file, partial: PartialFile(folder: folder), client: client) { count, size in
      told.progress.withLock { $0.append("\(count) of \(size ?? -1)") }
      change()
    }
    let error = await Self.error {
      try folder.make()
      guard case .complete(nil) = try await transfer.run() else {
        Issue.record("the file is complete")
        return
      }
    }
    return (error, told.progress.withLock { $0 })
  }

  @Test("of local files copy and count every byte")
  func localFile() async throws {
    let root = try TestFolder()
    let bytes = SampleModel.bytes(1 << 20 + 10)
    try root.write(bytes, to: "source")
    let (error, progress) = await copy(root.path("source"), into: root)
    #expect(error == nil && progress == ["1048576 of 1048586", "1048586 of 1048586"])
    #expect(FileManager.default.contents(atPath: root.model().partialDataPath) == Data(bytes))
  }

  @Test("of local files have the same limits as others")
  func localLimit() async throws {
    let root = try TestFolder()
    try root.write([1, 2, 3], to: "source")
    #expect(await copy(root.path("source"), into: root, limit: 3).error == nil)
    let large = await copy(root.path("source"), into: root, limit: 2)
    #expect(
      large.error
        == ModelStoreError(.tooLarge, "\(root.path("source")) has 3 bytes; the store accepts models of up to 2"))
    let absent = await copy(root.path("absent"), into: root)
    #expect(absent.error == ModelStoreError(.notFound, "there is no file \(root.path("absent"))"))
  }

  @Test("of a local file that grows meanwhile are rejected")
  func growingFile() async throws {
    let root = try TestFolder()
    try root.write(SampleModel.bytes(1 << 20 + 10), to: "source")
    let path = root.path("source")
    let (error, progress) = await copy(path, into: root) {
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      _ = try? handle.seekToEnd()
      try? handle.write(contentsOf: Data([1]))
    }
    #expect(error == ModelStoreError(.sizeMismatch, "\(path) has more than the 1048586 bytes that it had"))
    #expect(progress.count == 1)
  }

  @Test("of a local file end when they are cancelled")
  func cancelledCopy() async throws {
    let root = try TestFolder()
    try root.write(SampleModel.bytes(1 << 20 + 10), to: "source")
    let (error, progress) = await copy(root.path("source"), into: root) { withUnsafeCurrentTask { $0?.cancel() } }
    #expect(error == .cancelled && progress.count == 1)
  }

  // MARK: Conditions

  @Test("must not end as unchanged if the request isn't conditional")
  func unaskedNotModified() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 304, length: .none) }
    let store = TestStore()
    let place = server.url("/m").absoluteString
    let bare = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    #expect(
      await store.failure(bare)
        == ModelStoreError(
          .internalError, "\(place) reports that the file has not changed, but the request was not conditional"))
    let asked = RemoteModel.fixed(RemoteModelFile(url: server.url("/m"), knownETag: "\"x\""))
    #expect(
      await store.failure(asked)
        == ModelStoreError(.internalError, "\(place) reports that the file has not changed, but it is not installed"))
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"x\""])
  }

  @Test("request only the rest, even if a version is known")
  func partOfKnown() async throws {
    let isCut = Mutex(true)
    let server = try LoopbackServer { request in
      .file(SampleModel.bytes(9000), etag: "\"new\"", for: request).delivered(
        isCut.withLock { $0 } ? .cut(after: 4000) : .whole)
    }
    let store = TestStore { $0.retryDelays = [] }
    let model = RemoteModel.fixed(
      RemoteModelFile(url: server.url("/m"), headers: ["X-Key": "k"], size: 9000, knownETag: "\"old\""))
    let error = await store.failure(model)
    #expect(
      error?.code == .truncated && error?.message.contains("4000 of 9000 bytes came") == true
        || error?.message.contains("the connection broke") == true, "\(error?.message ?? "")")
    isCut.withLock { $0 = false }
    _ = try await store.download(model)
    #expect(server.requests.map { $0.headers["if-none-match"] } == ["\"old\"", nil])
    #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=4000-"])
    #expect(server.requests.map { $0.headers["x-key"] } == ["k", "k"])
  }

  @Test("of complete files don't start")
  func complete() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 500) }
    let bytes = SampleModel.bytes(3000)
    let store = TestStore()
    let file = RemoteModelFile(url: server.url("/m"), size: 3000, version: "v")
    let model = RemoteModel.fixed(file)
    let folder = ModelFolder(model, in: store.folder)
    try folder.make()
    try PartialFile(folder: folder).begin(file, size: 3000, validators: .init(etag: "\"e\""))
      .write(contentsOf: Data(bytes))
    let local = try await store.download(model)
    #expect(FileManager.default.contents(atPath: local.path) == Data(bytes) && server.requests.isEmpty)
  }

  @Test("request another URL if theirs has expired, and use it until the last moment")
  func expiry() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 400) }
    for (seconds, code) in [(0.0, ModelStoreError.Code.invalidArgument), (-1, .expiredAddress)] {
      let store = TestStore()
      let before = server.requests.count
      let file = RemoteModelFile(url: server.url("/m"), expires: store.now + seconds)
      let error = await store.failure(RemoteModel.fixed(file))
      #expect(error?.code == code && server.requests.count - before == (seconds < 0 ? 2 : 1))
      if seconds < 0 {
        #expect(
          error?.message
            == "\(server.url("/m").absoluteString) was valid until \(store.now + seconds) and is refused now")
      }
    }
  }

  @Test("with other statuses don't count as expired")
  func expiredOther() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 404) }
    let store = TestStore()
    let file = RemoteModelFile(url: server.url("/m"), expires: store.now - 5)
    #expect(await store.failure(RemoteModel.fixed(file))?.code == .notFound)
    #expect(server.requests.count == 1)
  }

  @Test("with another digest are not retried unless they were resumed")
  func wrongDigest() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(900), for: $0) }
    let store = TestStore()
    let digest = SHA256.hex(of: [1])
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"), sha256: digest)
    #expect(await store.failure(model)?.code == .hashMismatch)
    #expect(server.requests.count == 1 && store.files.isEmpty)
  }

  @Test("must find a model that the source declares as installed")
  func falseNotModified() async throws {
    let store = TestStore()
    let name = SampleModel.name()
    let error = await store.failure(RemoteModel(name: name, source: FixedSource { _ in .notModified }))
    #expect(
      error
        == ModelStoreError(
          .internalError, "the source of the model '\(name)' reports that it has not changed, but it is not installed"))
  }

  @Test("of models without a name or with an invalid source fail before any request")
  func sources() async throws {
    let store = TestStore()
    let nameless = RemoteModel(name: "", url: URL(fileURLWithPath: "/m"))
    #expect(await store.failure(nameless) == ModelStoreError(.emptyModelName, "a remote model must have a name"))
    #expect(store.files.isEmpty)
  }

  // MARK: Documents

  private func client(_ change: (inout HTTPClient) -> Void = { _ in }) -> HTTPClient {
    var client = HTTPClient()
    client.options.allowsLoopbackHTTP = true
    client.options.retryDelays = []
    // Longer than a test can be delayed on a machine that runs all tests at once.
    (client.options.stallTime, client.options.transferTimeLimit) = (.seconds(3600), .seconds(36_000))
    change(&client)
    return client
  }

  @Test("of documents are limited to a megabyte", arguments: [1 << 20, 1 << 20 + 1])
  func document(byteCount: Int) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(body: [UInt8](repeating: 7, count: byteCount)) }
    let client = client()
    if byteCount == 1 << 20 {
      let document = try await client.document(for: URLRequest(url: server.url("/d")))
      #expect(document.status == 200 && document.body == Data(repeating: 7, count: byteCount))
    } else {
      let error = await Self.error { try await client.document(for: URLRequest(url: server.url("/d"))) }
      #expect(
        error
          == ModelStoreError(
            .tooLarge, "the answer has more than 1048576 bytes; is the address that of a description?"))
    }
  }

  @Test("of documents return every status that isn't retried", arguments: [200, 304, 400, 404, 501])
  func documentStatus(status: Int) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: status, length: status == 304 ? .none : .actual) }
    let client = client()
    if status < 500 {
      #expect(try await client.document(for: URLRequest(url: server.url("/d"))).status == status)
    } else {
      let error = await Self.error { try await client.document(for: URLRequest(url: server.url("/d"))) }
      #expect(error?.code == .internalError && error?.retry == .afterDelay)
    }
    #expect(server.requests.count == 1)
  }

  @Test("of truncated documents are internal errors, and can be retried")
  func cutDocument() async throws {
    let server = try LoopbackServer { _ in
      LoopbackResponse(body: [UInt8](repeating: 7, count: 1000), delivery: .cut(after: 10))
    }
    let error = await Self.error { try await client().document(for: URLRequest(url: server.url("/d"))) }
    #expect(error?.code == .internalError && error?.retry == .afterDelay, "\(String(describing: error))")
    #expect(error?.message.contains("the connection broke") == true)
    server.stop()
    let gone = await Self.error { try await client().document(for: URLRequest(url: server.url("/d"))) }
    #expect(gone?.code == .internalError && gone?.retry == .afterDelay)
    #expect(gone?.message.contains("no connection") == true)
  }

  @Test("request unencoded bytes without cookies")
  func headers() async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(headers: ["Set-Cookie": "a=b; Path=/"]) }
    var request = URLRequest(url: server.url("/d"))
    request.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
    for _ in 0..<2 { _ = try await client().document(for: request) }
    #expect(server.requests.map { $0.headers["accept-encoding"] } == ["identity", "identity"])
    #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
  }

  @Test("report a timeout", arguments: [true, false])
  func slow(isStalled: Bool) async throws {
    let server = try LoopbackServer { _ in
      LoopbackResponse(body: [UInt8](repeating: 7, count: 1000), delivery: .stall(after: 10))
    }
    let client = client {
      $0.options.stallByteCount = isStalled ? 10 : 0
      if isStalled {
        $0.options.stallTime = .milliseconds(200)
      } else {
        $0.options.transferTimeLimit = .milliseconds(200)
      }
    }
    let error = await Self.error { try await client.document(for: URLRequest(url: server.url("/d"))) }
    let place = server.url("/d").absoluteString
    #expect(error?.code == .timedOut && error?.retry == (isStalled ? .afterDelay : .never))
    // The required number of bytes arrived at the start, and none after them.
    #expect(
      error?.message
        == (isStalled
          ? "\(place) sent 0 bytes within 0.2 seconds, which is too slow" : "\(place) took more than 0.2 seconds"))
  }
}
