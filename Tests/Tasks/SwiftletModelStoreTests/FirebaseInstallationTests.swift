import Foundation
import SwiftletTestSupport
import SwiftletSynchronization
import Testing

@testable import SwiftletModelStore

@Suite("Firebase installations")
struct FirebaseInstallationTests {
  /// A server that registers installations and renews tokens, and goes wrong where a test says so.
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

    /// The app, started anew.
    func installation(apiKey: String = "key", appID: String = "1:2:ios:3") -> FirebaseInstallation {
      var options = ModelStoreOptions()
      options.allowsLoopbackHTTP = true
      var environment = StoreEnvironment()
      environment.now = { [self] in now.withLock { $0 } }
      environment.sleep = { _ in }
      return FirebaseInstallation(
        projectID: "demo", apiKey: apiKey, appID: appID, file: file, baseURL: server.url(""), options: options,
        environment: environment)
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

  @Test("registers once, also when asked by many at the same time, and says what the service wants to know")
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

  @Test("keeps the installation for the next start, where only its user can read it")
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

  @Test("registers anew when the service has forgotten the installation", arguments: [401, 403, 404])
  func forgotten(status: Int) async throws {
    let service = try Service { $0.path.hasSuffix(":generate") ? LoopbackResponse(status: status, json: "{}") : nil }
    #expect(try await service.installation().token() == "token-1")
    service.advance(days: 8)
    #expect(try await service.installation().token() == "token-3")
  }

  @Test("registers anew when the file is damaged", arguments: ["", "{", "[]", #"{"projectID": "demo"}"#])
  func damaged(content: String) async throws {
    let service = try Service()
    _ = try await service.installation().token()
    try Data(content.utf8).write(to: service.file)
    #expect(try await service.installation().token() == "token-2")
  }

  @Test("keeps what it has when the service fails, and works again when it does")
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

  /// Answers to a registration, and what they come to.
  static let answers: [(LoopbackResponse, ModelStoreError.Code, String)] = [
    (.init(status: 400, json: #"{"error": {"message": "API key not valid"}}"#), .invalidArgument, "API key not valid"),
    (.init(status: 403, json: #"{"error": {"message": "denied"}}"#), .permissionDenied, "denied"),
    (.init(status: 404), .notFound, "Firebase Installations"),
    (.init(json: "<html>"), .internalError, "without the token"),
    (.init(json: #"{"fid": "c", "refreshToken": "r"}"#), .internalError, "without the token"),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "soon"}}"#),
      .internalError, "soon"
    ),
    (
      .init(json: #"{"fid": "c", "refreshToken": "r", "authToken": {"token": "t", "expiresIn": "-5s"}}"#),
      .internalError, "-5s"
    ),
  ]

  @Test("refuses other answers and keeps nothing of them", arguments: answers.indices)
  func refused(index: Int) async throws {
    let (answer, code, words) = Self.answers[index]
    let service = try Service { _ in answer }
    let error = try #require(await error(service.installation()))
    #expect(error.code == code && error.message.contains(words), "\(error.message)")
    #expect(!FileManager.default.fileExists(atPath: service.file.path))
  }

  @Test("asks nothing without a key or an app, and over nothing but https")
  func configuration() async throws {
    let service = try Service()
    #expect(await error(service.installation(apiKey: ""))?.code == .failedPrecondition)
    #expect(await error(service.installation(appID: ""))?.code == .failedPrecondition)
    let plain = FirebaseInstallation(
      projectID: "demo", apiKey: "key", appID: "app", file: service.file, baseURL: service.server.url(""))
    #expect(await error(plain)?.code == .insecureAddress)
    #expect(service.server.requests.isEmpty)
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
