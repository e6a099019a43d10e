import Foundation
import MLKit
import MLKitCommon
import ModelStoreTestSupport
import SwiftletBase
@_spi(Facades) import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("Firebase installations")
struct FirebaseInstallationTests {
  /// A server that registers installations and renews tokens, with faults that a test configures.
  private final class Service: Sendable {
    let server: LoopbackServer
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "swiftlet-installation-\(UUID().uuidString)/installation.json")

    init(_ fault: @escaping @Sendable (LoopbackServer.Request) -> LoopbackResponse? = { _ in nil }) throws {
      let count = Mutex(0)
      server = try LoopbackServer { request in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if let answer = fault(request) { return answer }
        if request.path == "/v1/projects/demo/installations/" {
          return LoopbackResponse(
            json:
              #"{"fid": "cabcdefghijklmnopqrstu", "refreshToken": "refresh-1", "authToken": {"token": "token-\#(number)", "expiresIn": "604800s"}}"#
          )
        }
        if request.path == "/v1/projects/demo/installations/cabcdefghijklmnopqrstu/authTokens:generate" {
          return LoopbackResponse(json: #"{"token": "token-\#(number)", "expiresIn": "604800s"}"#)
        }
        return LoopbackResponse(status: 404)
      }
    }

    deinit { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }

    /// Returns the installation after a restart of the app.
    func installation(
      projectID: String = "demo", apiKey: String = "key", appID: String = "1:2:ios:3", path: String = ""
    ) -> FirebaseInstallation {
      var options = ModelStoreOptions()
      options.allowsLoopbackHTTP = true
      var environment = StoreEnvironment()
      environment.sleep = { _ in }
      return FirebaseInstallation(
        projectID: projectID, apiKey: apiKey, appID: appID, file: file, baseURL: server.url(path),
        client: HTTPClient(options: options, environment: environment), now: { [self] in now.withLock { $0 } })
    }

    func advance(days: Double) { now.withLock { $0 += days * 86400 } }
  }

  private func error(_ installation: FirebaseInstallation) async -> ModelStoreError? {
    do {
      _ = try await installation.token()
      return nil
    } catch {
      return error as? ModelStoreError
    }
  }

  @Test("registers once, even with concurrent callers, with the required fields")
  func registration() async throws {
    let service = try Service()
    let installation = service.installation()
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<20 { group.addTask { try await installation.token() } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(tokens == ["token-1"])
    #expect(service.server.requests.count == 1)
    let request = try #require(service.server.requests.first)
    #expect(
      request.method == "POST" && request.headers["x-goog-api-key"] == "key"
        && request.headers["content-type"] == "application/json")
    #expect(request.headers["authorization"] == nil)
    let body = try #require(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: String])
    #expect(body["appId"] == "1:2:ios:3" && body["authVersion"] == "FIS_v2" && body["sdkVersion"] != nil)
    #expect(body["fid"]?.wholeMatch(of: /[cdef][A-Za-z0-9_-]{21}/) != nil)
  }

  @Test("keeps the installation for the next start, readable only by its user")
  func kept() async throws {
    let service = try Service()
    #expect(try await service.installation().token() == "token-1")
    #expect(try await service.installation().token() == "token-1")
    #expect(service.server.requests.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: service.file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try await service.installation(appID: "another").token() == "token-2")
  }

  @Test("renews the token in the hour before it expires")
  func renewal() async throws {
    let service = try Service()
    let installation = service.installation()
    #expect(try await installation.token() == "token-1")
    service.advance(days: 6.9)
    #expect(try await installation.token() == "token-1")
    service.advance(days: 0.07)
    #expect(try await installation.token() == "token-2")
    #expect(try await service.installation().token() == "token-2")
    let request = try #require(service.server.requests.last)
    #expect(request.path.hasSuffix("authTokens:generate") && request.headers["authorization"] == "FIS_v2 refresh-1")
  }

  @Test("registers again if the service has lost the installation", arguments: [401, 403, 404])
  func forgotten(status: Int) async throws {
    let service = try Service { $0.path.hasSuffix(":generate") ? LoopbackResponse(status: status, json: "{}") : nil }
    #expect(try await service.installation().token() == "token-1")
    service.advance(days: 8)
    #expect(try await service.installation().token() == "token-3")
  }

  @Test("registers again when the file is damaged", arguments: ["", "{", "[]", #"{"projectID": "demo"}"#])
  func damaged(content: String) async throws {
    let service = try Service()
    _ = try await service.installation().token()
    try Data(content.utf8).write(to: service.file)
    #expect(try await service.installation().token() == "token-2")
  }

  @Test("keeps its values if the service fails, and recovers with the service")
  func failure() async throws {
    let isDown = Mutex(false)
    let service = try Service { _ in isDown.withLock { $0 } ? LoopbackResponse(status: 503) : nil }
    let installation = service.installation()
    #expect(try await installation.token() == "token-1")
    service.advance(days: 8)
    isDown.withLock { $0 = true }
    #expect(await error(installation)?.code == .internalError)
    isDown.withLock { $0 = false }
    _ = try await installation.token()
    #expect(service.server.requests.last?.path.hasSuffix(":generate") == true)
  }

  /// Responses to a registration, with the resulting errors.
  static let answers: [(LoopbackResponse, ModelStoreError.Code, String)] = [
    (.init(status: 400, json: #"{"error": {"message": "API key not valid"}}"#), .invalidArgument, "API key not valid"),
    (.init(status: 403, json: #"{"error": {"message": "denied"}}"#), .permissionDenied, "denied"),
    (.init(status: 404), .notFound, "Firebase Installations"),
    (.init(json: "<html>"), .internalError, "without the requested token"),
    (.init(json: #"{"fid": "c", "refreshToken": "r"}"#), .internalError, "without the requested token"),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "soon"}}"#),
      .internalError, "soon"
    ),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "-5s"}}"#),
      .internalError, "-5s"
    ),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "0s"}}"#),
      .internalError, "Firebase Installations returned a token with an invalid expiration time: '0s'"
    ),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "60"}}"#),
      .internalError, "Firebase Installations returned a token with an invalid expiration time: '60'"
    ),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "infs"}}"#),
      .internalError, "Firebase Installations returned a token with an invalid expiration time: 'infs'"
    ),
    (.init(status: 300), .internalError, "Firebase Installations: "),
  ]

  @Test("rejects other responses without keeping any part", arguments: answers.indices)
  func refused(index: Int) async throws {
    let (answer, code, words) = Self.answers[index]
    let service = try Service { _ in answer }
    let error = try #require(await error(service.installation()))
    #expect(error.code == code && error.message.contains(words), "\(error.message)")
    #expect(!FileManager.default.fileExists(atPath: service.file.path))
  }

  @Test("requests nothing without a key or an app, or without https")
  func configuration() async throws {
    let service = try Service()
    #expect(await error(service.installation(apiKey: ""))?.code == .failedPrecondition)
    #expect(await error(service.installation(appID: ""))?.code == .failedPrecondition)
    let plain = FirebaseInstallation(
      projectID: "demo", apiKey: "key", appID: "app", file: service.file, baseURL: service.server.url(""))
    #expect(await error(plain)?.code == .insecureAddress)
    #expect(service.server.requests.isEmpty)
  }

  /// Returns a response to a registration with a token of limited validity.
  private static func registration(_ time: String) -> LoopbackResponse {
    LoopbackResponse(
      status: 299,
      json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "\#(time)"}}"#)
  }

  @Test(
    "uses a token while it is valid for more than an hour",
    arguments: [("3600s", 2), ("3601s", 1), ("3600.5s", 1), ("1s", 2)])
  func hour(time: String, count: Int) async throws {
    let service = try Service {
      $0.path.hasSuffix("/installations/")
        ? Self.registration(time) : LoopbackResponse(json: #"{"token": "next", "expiresIn": "9s"}"#)
    }
    _ = try await service.installation().token()
    // The second call requests another token, or uses the stored one.
    _ = try? await service.installation().token()
    #expect(service.server.requests.count == count)
  }

  @Test(
    "keeps all values of the response, and durations of at most 30 years", arguments: [("100s", 100), ("1e300s", 1e9)])
  func keptFields(time: String, seconds: Double) async throws {
    let service = try Service { $0.path.hasSuffix("/installations/") ? Self.registration(time) : nil }
    #expect(try await service.installation().token() == "t")
    let kept = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: service.file)) as? [String: Any])
    #expect(kept["projectID"] as? String == "demo" && kept["appID"] as? String == "1:2:ios:3")
    #expect(kept["id"] as? String == "c" && kept["refreshToken"] as? String == "r" && kept["token"] as? String == "t")
    // Foundation encodes dates as seconds since 2001.
    let expires = try #require(kept["expires"] as? Double)
    #expect(expires == 1_800_000_000 - 978_307_200 + seconds && kept.count == 6)
    let names = try FileManager.default.contentsOfDirectory(atPath: service.file.deletingLastPathComponent().path)
    #expect(names == ["installation.json"])
  }

  @Test("does not use the installation of another project")
  func otherProject() async throws {
    let service = try Service { $0.path.contains("/other/") ? Self.registration("9999s") : nil }
    #expect(try await service.installation().token() == "token-1")
    #expect(try await service.installation(projectID: "other").token() == "t")
  }

  @Test("does not register again for other rejections", arguments: [400, 409, 500])
  func notForgotten(status: Int) async throws {
    let service = try Service { $0.path.hasSuffix(":generate") ? LoopbackResponse(status: status) : nil }
    _ = try await service.installation().token()
    service.advance(days: 8)
    #expect(await error(service.installation()) != nil)
    #expect(service.server.requests.filter { $0.path.hasSuffix("/installations/") }.count == 1)
  }

  @Test("appends to its URL with or without a trailing slash", arguments: ["", "/"])
  func addresses(path: String) async throws {
    let service = try Service()
    _ = try await service.installation(path: path).token()
    #expect(service.server.requests.map(\.path) == ["/v1/projects/demo/installations/"])
    #expect(service.server.requests[0].headers["accept"] == "application/json")
    let body = try #require(
      JSONSerialization.jsonObject(with: Data(service.server.requests[0].body)) as? [String: String])
    #expect(body["sdkVersion"] == "i:1.0.0" && body.count == 4)
    service.advance(days: 8)
    _ = try await service.installation(path: path).token()
    let renewal = try #require(
      JSONSerialization.jsonObject(with: Data(service.server.requests[1].body)) as? [String: [String: String]])
    #expect(renewal == ["installation": ["sdkVersion": "i:1.0.0"]])
  }

  @Test("requires a project, a key, and an app")
  func incomplete() async throws {
    let service = try Service()
    let words = "a Firebase installation needs a project ID, an API key and an app ID; one of them is empty"
    for installation in [
      service.installation(projectID: ""), service.installation(apiKey: ""), service.installation(appID: ""),
    ] {
      #expect(await error(installation) == ModelStoreError(.failedPrecondition, words))
    }
    #expect(service.server.requests.isEmpty)
  }

  @Test("cannot be kept if no directory can be created")
  func noFolder() async throws {
    let service = try Service()
    var options = ModelStoreOptions()
    options.allowsLoopbackHTTP = true
    let installation = FirebaseInstallation(
      projectID: "demo", apiKey: "k", appID: "a", file: URL(fileURLWithPath: "/dev/null/x/file.json"),
      baseURL: service.server.url(""), client: HTTPClient(options: options, environment: StoreEnvironment()),
      now: { Date() })
    let error = await error(installation)
    #expect(error?.code == .storage)
    #expect(error?.message.hasPrefix("/dev/null/x/file.json cannot be written: ") == true)
  }

  @Test("reads the app from its property list")
  func propertyList() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-plist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = folder.appendingPathComponent("whole.plist"), partial = folder.appendingPathComponent("partial.plist")
    try PropertyListEncoder().encode(["PROJECT_ID": "p", "API_KEY": "k", "GOOGLE_APP_ID": "a"]).write(to: whole)
    try PropertyListEncoder().encode(["PROJECT_ID": "p", "API_KEY": "k"]).write(to: partial)
    _ = try FirebaseInstallation(propertyList: whole)
    #expect { try FirebaseInstallation(propertyList: partial) } throws: {
      ($0 as? ModelStoreError)?.message.contains("GOOGLE_APP_ID") == true
    }
    #expect(throws: ModelStoreError.self) {
      try FirebaseInstallation(propertyList: folder.appendingPathComponent("none.plist"))
    }
  }
}
