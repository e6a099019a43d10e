import Foundation
import MLKit
import ModelStoreTestSupport
import SwiftletTestSupport
import Testing

@testable import MLKitCommon
@_spi(Facades) @testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Firebase's protocol")
struct FirebaseProtocolTests {
  @Test("sends key, token, and bundle, and downloads the file without them")
  func success() async throws {
    let firebase = try FakeFirebase()
    let store = TestStore()
    let model = firebase.model()
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(SampleModel.bytes()))
    let info = try #require(firebase.infoRequests.first)
    #expect(info.method == "GET" && info.query == "key=key%261")
    #expect(info.headers["x-goog-firebase-installations-auth"] == "token-1")
    #expect(info.headers["x-ios-bundle-identifier"] == "com.example.app")
    #expect(info.headers["if-none-match"] == nil)
    let file = try #require(firebase.fileRequests.first)
    #expect(file.headers["x-goog-firebase-installations-auth"] == nil && file.headers["x-ios-bundle-identifier"] == nil)
    #expect(file.headers["cookie"] == nil && file.headers["accept-encoding"] == "identity")
    #expect(firebase.server.requests.count == 2)
    #expect(store.modelStore.record(of: model)?.version == "\"hash-1\"")
  }

  @Test("revalidates an installed model, and succeeds immediately if it is unchanged")
  func notModified() async throws {
    let firebase = try FakeFirebase()
    let store = TestStore()
    let model = firebase.model()
    let first = try await store.download(model)
    let second = try await store.download(model)
    #expect(first.path == second.path)
    #expect(firebase.infoRequests.map { $0.headers["if-none-match"] } == [nil, "\"hash-1\""])
    #expect(firebase.fileRequests.count == 1)
  }

  @Test("installs a newer version, and users of the old one keep it")
  func update() async throws {
    let firebase = try FakeFirebase()
    let store = TestStore()
    let model = firebase.model()
    let old = try await store.download(model)
    let newer = SampleModel.bytes(50_000, seed: 2)
    firebase.publish(.init(bytes: newer, hash: "\"hash-2\""))
    let new = try await store.download(model)
    #expect(new.path != old.path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: new.path)) == Data(newer))
    #expect(try Data(contentsOf: URL(fileURLWithPath: old.path)) == Data(SampleModel.bytes()))
  }

  /// Responses to the information request, with the resulting errors.
  static let answers: [(String, LoopbackResponse, ModelStoreError.Code, String)] = [
    (
      "400",
      .init(status: 400, json: #"{"error": {"code": 400, "message": "bad name", "status": "INVALID_ARGUMENT"}}"#),
      .invalidArgument, "bad name"
    ),
    (
      "401", .init(status: 401, headers: ["WWW-Authenticate": "Bearer"], json: #"{"error": {"message": "who?"}}"#),
      .permissionDenied, "401"
    ),
    (
      "403", .init(status: 403, json: #"{"error": {"message": "API not enabled"}}"#), .permissionDenied,
      "API not enabled"
    ),
    ("404", .init(status: 404), .notFound, "published"),
    ("409", .init(status: 409, json: #"{"error": {"message": "odd"}}"#), .internalError, "odd"),
    (
      "304 without a model", .init(status: 304, headers: ["ETag": "x"], length: .none), .internalError,
      "no model was downloaded"
    ),
    (
      "no ETag",
      .init(json: #"{"downloadUri": "https://a/b", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "5"}"#),
      .internalError, "ETag"
    ),
    ("no JSON", .init(headers: ["ETag": "x"], json: "<html>"), .internalError, "JSON"),
    (
      "no address", .init(headers: ["ETag": "x"], json: #"{"expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "5"}"#),
      .internalError, "downloadUri"
    ),
    (
      "bad address",
      .init(
        headers: ["ETag": "x"], json: #"{"downloadUri": "", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "5"}"#),
      .internalError, "invalid URL"
    ),
    (
      "file address",
      .init(
        headers: ["ETag": "x"],
        json: #"{"downloadUri": "file:///etc/passwd", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "5"}"#),
      .internalError, "invalid URL"
    ),
    (
      "plain address",
      .init(
        headers: ["ETag": "x"],
        json: #"{"downloadUri": "http://example.com/x", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "5"}"#),
      .insecureAddress, "https"
    ),
    (
      "bad time",
      .init(
        headers: ["ETag": "x"], json: #"{"downloadUri": "https://a/b", "expireTime": "tomorrow", "sizeBytes": "5"}"#),
      .internalError, "tomorrow"
    ),
    (
      "size as number",
      .init(
        headers: ["ETag": "x"],
        json: #"{"downloadUri": "https://a/b", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": 5}"#), .internalError,
      "sizeBytes"
    ),
    (
      "size as word",
      .init(
        headers: ["ETag": "x"],
        json: #"{"downloadUri": "https://a/b", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "many"}"#),
      .internalError, "many"
    ),
    (
      "negative size",
      .init(
        headers: ["ETag": "x"],
        json: #"{"downloadUri": "https://a/b", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "-5"}"#),
      .internalError, "-5"
    ),
    (
      "huge size",
      .init(
        headers: ["ETag": "x"],
        json:
          #"{"downloadUri": "https://a/b", "expireTime": "2100-01-01T00:00:00Z", "sizeBytes": "99999999999999999999"}"#),
      .internalError, "9999"
    ),
    (
      "too long",
      .init(
        headers: ["ETag": "x"], body: [UInt8](repeating: 0x20, count: 100_000), length: .none, delivery: .endless()),
      .tooLarge, "1048576"
    ),
    (
      "too long, length said",
      .init(
        headers: ["ETag": "x"], body: [UInt8](repeating: 0x20, count: 100_000), length: .claimed("99999999999"),
        delivery: .endless()), .tooLarge, "1048576"
    ),
  ]

  @Test("rejects an error response with its error and notification, and installs nothing", arguments: answers.indices)
  func refusedAnswer(index: Int) async throws {
    let (_, response, code, words) = Self.answers[index]
    let firebase = try FakeFirebase(info: { _, _ in response })
    let store = TestStore()
    let model = firebase.model()
    let error = try #require(await store.failure(model))
    #expect(error.code == code && error.message.contains(words), "\(error)")
    #expect(!error.message.contains("key"), "the key is a secret: \(error)")
    #expect(store.waits.isEmpty && firebase.server.requests.count == 1)
    #expect(store.files.isEmpty && !store.isInstalled(model))
  }

  @Test("keeps the installed model if the next response is rejected", arguments: answers.indices)
  func refusedUpdate(index: Int) async throws {
    let (_, response, code, _) = Self.answers[index]
    let firebase = try FakeFirebase(info: { number, _ in number == 0 ? nil : response })
    let store = TestStore()
    let model = firebase.model()
    let path = try await store.download(model).path
    let files = store.files
    let error = try #require(await store.failure(model))
    #expect(error.code == code, "\(error)")
    #expect(try store.modelStore.installedModel(model).path == path && store.files == files)
  }

  @Test("a status 304 must contain the installed version", arguments: [nil, "\"hash-7\""])
  func falseNotModified(etag: String?) async throws {
    let firebase = try FakeFirebase(info: { number, _ in
      number == 0 ? nil : LoopbackResponse(status: 304, headers: etag.map { ["ETag": $0] } ?? [:], length: .none)
    })
    let store = TestStore()
    let model = firebase.model()
    _ = try await store.download(model)
    #expect(await store.failure(model)?.code == .internalError)
    #expect(store.isInstalled(model))
  }

  @Test(
    "retries after 1, 2, and 4 seconds if the service fails, and then gives up",
    arguments: [(500, ModelStoreError.Code.internalError), (503, .internalError), (429, .resourceExhausted)])
  func failingService(status: Int, code: ModelStoreError.Code) async throws {
    let firebase = try FakeFirebase(info: { number, _ in
      number < 4 ? LoopbackResponse(status: status, json: #"{"error": {"message": "busy"}}"#) : nil
    })
    let store = TestStore()
    let model = firebase.model()
    let error = try #require(await store.failure(model))
    #expect(error.code == code && error.message.contains("busy"))
    #expect(store.waits == [.seconds(1), .seconds(2), .seconds(4)] && firebase.infoRequests.count == 4)
    #expect(store.files.isEmpty)
    _ = try await store.download(model)
    #expect(store.isInstalled(model))
  }

  @Test("waits as long as the service requests, up to a limit")
  func retryAfter() async throws {
    let firebase = try FakeFirebase(info: { number, _ in
      number == 0
        ? LoopbackResponse(status: 429, headers: ["retry-after": "17"])
        : number == 2 ? LoopbackResponse(status: 503, headers: ["Retry-After": "3600"]) : nil
    })
    let store = TestStore()
    let model = firebase.model()
    _ = try await store.download(model)
    #expect(store.waits == [.seconds(17)])
    #expect(await store.failure(model)?.code == .internalError)
    #expect(store.waits == [.seconds(17)] && firebase.infoRequests.count == 3)
  }

  @Test("an unreachable service is an internal error")
  func noService() async throws {
    let firebase = try FakeFirebase()
    firebase.server.stop()
    let store = TestStore()
    let error = try #require(await store.failure(firebase.model()))
    #expect(error.code == .internalError && store.waits.count == 3)
  }

  @Test("requests nothing without a project, a key, a token, or a name")
  func incompleteConfiguration() async throws {
    let firebase = try FakeFirebase()
    let store = TestStore()
    func code(_ change: (inout FirebaseConfiguration) -> Void, name: String? = nil) async -> ModelStoreError.Code? {
      var configuration = firebase.configuration
      change(&configuration)
      return await store.failure(
        CustomRemoteModel(
          remoteModelSource: FirebaseModelSource(name: name ?? firebase.name, configuration: configuration)
        ).model)?.code
    }
    #expect(await code { $0.projectID = "" } == .failedPrecondition)
    #expect(await code { $0.apiKey = "" } == .failedPrecondition)
    #expect(
      await code { $0.installationToken = { throw URLError(.userAuthenticationRequired) } } == .failedPrecondition)
    #expect(await code({ _ in }, name: "") == .emptyModelName)
    #expect(
      await store.failure(
        CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: firebase.name)).model)?.code
        == .failedPrecondition)
    #expect(firebase.server.requests.isEmpty)
  }

  @Test("reads project, key, app, and bundle from the console's file")
  func propertyList() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    func write(_ values: [String: String]) throws {
      try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: file)
    }
    try write(["PROJECT_ID": "p", "API_KEY": "k", "GOOGLE_APP_ID": "a", "BUNDLE_ID": "b"])
    let configuration = try FirebaseConfiguration(propertyList: file) { "" }
    #expect(
      configuration.projectID == "p" && configuration.apiKey == "k" && configuration.appID == "a"
        && configuration.bundleID == "b")
    #expect(configuration.baseURL.absoluteString == "https://firebaseml.googleapis.com")
    try write(["PROJECT_ID": "p"])
    #expect(throws: ModelStoreError.self) { try FirebaseConfiguration(propertyList: file) { "" } }
    try Data("no list".utf8).write(to: file)
    #expect(throws: ModelStoreError.self) { try FirebaseConfiguration(propertyList: file) { "" } }
  }

  @Test(
    "reads times with any fraction and offset",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2001-09-09T01:46:40.5Z", 1_000_000_000.5),
      ("2001-09-09T03:46:40.123456789+02:00", 1_000_000_000.123456789),
      ("2000-02-29t00:00:00z", 951_782_400), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2001-09-08T20:16:40-05:30", 1_000_000_000), ("2001-09-10T01:45:40+23:59", 1_000_000_000),
      ("2001-09-09 01:46:40Z", 1_000_000_000), ("1970-12-31T23:59:59Z", 31_535_999), ("1970-01-01T00:00:60Z", 60),
      ("1970-01-31T00:00:00Z", 2_592_000), ("1970-01-01T00:00:00.25+00:01", -59.75),
    ] as [(String, Double)])
  func times(text: String, seconds: Double) throws {
    let date = try #require(RFC3339.date(text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-5)
  }

  @Test(
    "rejects invalid times",
    arguments: [
      "", "2001-09-09", "2001-13-09T01:46:40Z", "2001-02-30T01:46:40Z", "2001-09-09T24:46:40Z", "2001-09-09T01:46:40",
      "2001-09-09T01:46:40.Z", "2001-09-09T01:46:40+2:00", "2001-00-09T01:46:40Z", "2001-09-00T01:46:40Z",
      "2001-09-31T01:46:40Z", "2001-10-32T01:46:40Z", "2001-02-29T01:46:40Z", "2001-09-09T01:60:40Z",
      "2001-09-09T01:46:61Z", "2001-09-09T01:46:40+24:00", "2001-09-09T01:46:40-01:60", "2001-09-09T01:46:40z ",
      "2001-9-09T01:46:40Z", "2001-09-09_01:46:40Z", "٢٠٠١-٠٩-٠٩T٠١:٤٦:٤٠Z",
    ])
  func noTimes(text: String) {
    #expect(RFC3339.date(text) == nil)
  }

  @Test("from Firebase are requested below its URL with all required parameters", arguments: ["", "/", "/base"])
  func firebaseRequest(path: String) async throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 304, headers: ["ETag": "v"], length: .none) }
    var options = ModelStoreOptions()
    options.allowsLoopbackHTTP = true
    options.retryDelays = []
    let client = HTTPClient(options: options)
    let configuration = FirebaseConfiguration(
      projectID: "a/b", apiKey: "k&1", appID: "app", bundleID: "com.example", baseURL: server.url(path)
    ) { "token" }
    let source = CustomRemoteModel(
      remoteModelSource: FirebaseModelSource(name: "my model", configuration: configuration)
    ).model.source
    func record(_ version: String?) -> ModelRecord {
      ModelRecord(
        name: "n", source: "s", version: version, sha256: String(repeating: "a", count: 64), byteCount: 1,
        installed: Date(timeIntervalSince1970: 0))
    }
    guard
      case .notModified = try await source.resolve(
        ModelQuery(modelName: "my model", installed: record("v"), client: client))
    else {
      Issue.record("the model has not changed")
      return
    }
    _ = try? await source.resolve(ModelQuery(modelName: "my model", installed: record(nil), client: client))
    let requests = server.requests
    #expect(requests.count == 2)
    let base = path == "/" ? "" : path
    for (request, version) in zip(requests, ["v", nil]) {
      #expect(request.path.removingPercentEncoding == base + "/v1beta2/projects/a/b/models/my model:download")
      #expect(request.method == "GET" && request.query == "key=k%261")
      #expect(request.headers["x-goog-firebase-installations-auth"] == "token")
      #expect(request.headers["x-ios-bundle-identifier"] == "com.example")
      #expect(request.headers["if-none-match"] == version)
    }
  }

  @Test("URL components keep only letters, digits, and four punctuation marks")
  func escaped() {
    for value in UInt8(0)..<128 {
      let character = String(UnicodeScalar(value))
      let isPlain = character.wholeMatch(of: /[A-Za-z0-9._~-]/) != nil
      let digits = String(value, radix: 16, uppercase: true)
      #expect(character.escapedForURL == (isPlain ? character : "%" + (value < 16 ? "0" : "") + digits))
    }
    #expect("a/é".escapedForURL == "a%2F%C3%A9" && "".escapedForURL.isEmpty)
  }

  @Test("continues a partial download at the next URL of the same version")
  func signedAddress() async throws {
    let firebase = try FakeFirebase(file: { number, request in
      number == 0 ? .file(SampleModel.bytes(), etag: "\"file-1\"", for: request).delivered(.cut(after: 30_000)) : nil
    })
    let store = TestStore { $0.retryDelays = [] }
    let model = firebase.model()
    #expect(await store.failure(model)?.code == .truncated)
    _ = try await store.download(model)
    #expect(firebase.fileRequests.map { $0.headers["range"] } == [nil, "bytes=30000-"])
    #expect(firebase.fileRequests[0].query != firebase.fileRequests[1].query)
  }

  @Test("does not continue a partial download of another version")
  func newVersion() async throws {
    let firebase = try FakeFirebase(file: { number, request in
      number == 0 ? .file(SampleModel.bytes(), etag: "\"file-1\"", for: request).delivered(.cut(after: 30_000)) : nil
    })
    let store = TestStore { $0.retryDelays = [] }
    let model = firebase.model()
    #expect(await store.failure(model)?.code == .truncated)
    let newer = SampleModel.bytes(seed: 8)
    firebase.publish(.init(bytes: newer, hash: "\"hash-2\""))
    let local = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.path)) == Data(newer))
    #expect(firebase.fileRequests.map { $0.headers["range"] } == [nil, nil])
  }
}
