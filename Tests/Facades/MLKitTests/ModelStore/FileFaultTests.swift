import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("Faults of the file server")
struct FileFaultTests {
  static let bytes = SampleModel.bytes()

  /// Responses to the file request that fail immediately, with the resulting errors.
  static let answers: [(String, LoopbackResponse, ModelStoreError.Code, String)] = [
    ("400", .init(status: 400), .invalidArgument, "400"),
    (
      "401", .init(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: [1, 2, 3]), .permissionDenied,
      "401"
    ),
    ("403", .init(status: 403), .permissionDenied, "403"),
    ("404", .init(status: 404), .notFound, "404"),
    ("304", .init(status: 304, length: .none), .internalError, "not conditional"),
    ("410", .init(status: 410), .internalError, "410"),
    (
      "206", .init(status: 206, headers: ["Content-Range": "bytes 0-9/100000"], body: Array(bytes[..<10])),
      .internalError, "part"
    ),
    ("416", .init(status: 416), .internalError, "416"),
    ("larger", .init(body: bytes + [0]), .sizeMismatch, "100001"),
    ("smaller", .init(body: Array(bytes.dropLast())), .sizeMismatch, "99999"),
    ("larger in chunks", .init(body: bytes + [0], length: .chunked), .sizeMismatch, "more than 100000"),
    ("smaller in chunks", .init(body: Array(bytes.dropLast()), length: .chunked), .sizeMismatch, "99999"),
    ("endless", .init(body: bytes, length: .none, delivery: .endless()), .sizeMismatch, "more than 100000"),
    ("huge length", .init(body: bytes, length: .claimed("9223372036854774784")), .sizeMismatch, "9223372036854774784"),
    (
      "length beyond numbers", .init(body: bytes, length: .claimed("99999999999999999999999")), .internalError,
      "99999999999999999999999"
    ),
    ("compressed", .init(headers: ["Content-Encoding": "x-odd"], body: bytes), .internalError, "compressed"),
    (
      "web page", .init(body: Array(("<!DOCTYPE html>" + String(repeating: " ", count: 99_985)).utf8)), .notAModel,
      "web page"
    ),
    ("zeros", .init(body: [UInt8](repeating: 0, count: 100_000)), .notAModel, "zero bytes"),
    ("archive", .init(body: Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 1, count: 99_996)), .notAModel, "ZIP"),
    ("empty", .init(body: []), .sizeMismatch, " 0 bytes"),
  ]

  @Test("end with their error and without an installation", arguments: answers.indices)
  func faults(index: Int) async throws {
    let (_, response, code, words) = Self.answers[index]
    let firebase = try FakeFirebase(file: { _, _ in response })
    let store = TestStore()
    let model = firebase.model()
    let error = try #require(await store.failure(model))
    #expect(error.code == code && error.message.contains(words), "\(error)")
    #expect(!error.message.contains("signature"), "the address is signed: \(error)")
    #expect(store.waits.isEmpty && firebase.fileRequests.count == 1)
    #expect(store.files.isEmpty && !store.isInstalled(model))
  }

  @Test("keep the existing model unchanged", arguments: answers.indices)
  func faultsOfUpdate(index: Int) async throws {
    let (_, response, code, _) = Self.answers[index]
    let firebase = try FakeFirebase(file: { number, _ in number == 0 ? nil : response })
    let store = TestStore()
    let model = firebase.model()
    let path = try await store.download(model).path
    let files = store.files
    firebase.publish(.init(hash: "\"hash-2\""))
    #expect(await store.failure(model)?.code == code)
    #expect(try store.modelStore.installedModel(model).path == path && store.files == files)
    #expect(store.modelStore.record(of: model)?.version == "\"hash-1\"")
  }

  @Test("an expired URL is requested again, once per download")
  func expiredOnce() async throws {
    let firebase = try FakeFirebase(
      .init(expireTime: "2000-01-01T00:00:00Z"),
      file: { number, _ in number.isMultiple(of: 2) ? LoopbackResponse(status: 400) : nil })
    let store = TestStore()
    let model = firebase.model()
    for round in 1...2 {
      _ = try await store.download(model)
      #expect(firebase.fileRequests.count == 2 * round)
      #expect(store.deletionError(model) == nil)
    }
    #expect(firebase.infoRequests.count == 4 && store.waits.isEmpty)
  }

  @Test("a URL that has expired twice is an error, and so is a URL that is rejected before it expires")
  func expiredTwice() async throws {
    for (time, code, count) in [
      ("2000-01-01T00:00:00Z", ModelStoreError.Code.expiredAddress, 2), ("2100-01-01T00:00:00Z", .invalidArgument, 1),
    ] {
      let firebase = try FakeFirebase(.init(expireTime: time), file: { _, _ in LoopbackResponse(status: 400) })
      let store = TestStore()
      let model = firebase.model()
      #expect(await store.failure(model)?.code == code)
      #expect(firebase.infoRequests.count == count && firebase.fileRequests.count == count)
      #expect(store.files.isEmpty)
    }
  }

  @Test("a file with another SHA-256 is discarded", arguments: [false, true])
  func wrongHash(isUpdate: Bool) async throws {
    let firebase = try FakeFirebase(file: { number, _ in
      isUpdate && number == 0 ? nil : LoopbackResponse(body: SampleModel.bytes(seed: 9))
    })
    let store = TestStore()
    if isUpdate { _ = try await store.download(firebase.model()) }
    let files = store.files
    firebase.publish(.init(hash: "\"hash-2\""))
    let model = firebase.model(sha256: SHA256.hex(of: SampleModel.bytes(seed: 3)))
    let error = try #require(await store.failure(model))
    #expect(error.code == .hashMismatch && error.message.contains(SHA256.hex(of: SampleModel.bytes(seed: 9))))
    #expect(store.files == files && !store.isInstalled(model))
    #expect(store.isInstalled(firebase.model()) == isUpdate)
  }

  @Test("a failing server is retried after 1, 2, and 4 seconds")
  func failingServer() async throws {
    for (status, code) in [(500, ModelStoreError.Code.internalError), (502, .internalError), (429, .resourceExhausted)]
    {
      let firebase = try FakeFirebase(file: { number, _ in number < 4 ? LoopbackResponse(status: status) : nil })
      let store = TestStore()
      let model = firebase.model()
      #expect(await store.failure(model)?.code == code)
      #expect(store.waits == [.seconds(1), .seconds(2), .seconds(4)])
      #expect(
        firebase.fileRequests.map(\.path).count == 4 && firebase.infoRequests.count == 1, "\(firebase.server.requests)")
      #expect(store.files.isEmpty)
      _ = try await store.download(model)
      #expect(store.isInstalled(model))
    }
  }

  /// Connections that end too early, as with real servers and networks.
  static let endings: [LoopbackResponse.Delivery] = [
    .cut(after: 40_000), .reset(after: 40_000), .cut(after: 1), .cut(after: 0), .cut(after: 99_999),
  ]

  @Test("a truncated body is resumed at its end", arguments: endings.indices)
  func cutOnce(index: Int) async throws {
    let firebase = try FakeFirebase(file: { number, request in
      number == 0 ? .file(Self.bytes, etag: "\"file-1\"", for: request).delivered(Self.endings[index]) : nil
    })
    let store = TestStore()
    let local = try await store.download(firebase.model())
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    #expect(store.waits == [.seconds(1)] && firebase.fileRequests.count == 2)
    if case .cut(let count) = Self.endings[index], count > 0 {
      #expect(
        firebase.fileRequests[1].headers["range"] == "bytes=\(count)-"
          && firebase.fileRequests[1].headers["if-range"] == "\"file-1\"")
    }
  }

  @Test(
    "a body that is always truncated is an error, and the partial download is kept",
    arguments: [LoopbackResponse.Length.actual, .chunked])
  func cutAlways(length: LoopbackResponse.Length) async throws {
    let firebase = try FakeFirebase(file: { number, _ in
      number < 4
        ? LoopbackResponse(
          headers: ["ETag": "\"file-1\""], body: Self.bytes, length: length, delivery: .cut(after: 30_000)) : nil
    })
    let store = TestStore()
    let model = firebase.model()
    let error = try #require(await store.failure(model))
    #expect(error.code == .truncated, "\(error)")
    #expect(store.modelFiles.isEmpty && !store.isInstalled(model) && store.files.count == 2)
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(Self.bytes))
    #expect(firebase.fileRequests.last?.headers["range"]?.hasPrefix("bytes=") == true)
    #expect(store.files.count == 2)
  }

  @Test("an unreachable file server is a failed precondition")
  func noServer() async throws {
    let gone = try LoopbackServer { _ in LoopbackResponse() }
    gone.stop()
    let store = TestStore()
    let model = SwiftletModelStore.RemoteModel(name: SampleModel.name(), url: gone.url("/model"))
    #expect(await store.failure(model)?.code == .failedPrecondition)
    #expect(store.waits.count == 3 && store.files.isEmpty)
  }
}
