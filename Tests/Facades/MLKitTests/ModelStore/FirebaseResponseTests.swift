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

/// Checks Firebase's responses about a model, and its settings, without servers.
@Suite("Firebase responses")
struct FirebaseResponseTests {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  private static func error(_ body: () throws -> Void) -> ModelStoreError? {
    let error: ModelStoreError? = thrownError(body)
    return error
  }

  private static func response(_ status: Int, headers: [String: String] = [:], body: Data = Data()) throws
    -> FirebaseResponse
  {
    let request = RecordedResponse.Request(
      url: try #require(URL(string: "https://example.com/models/birds.json?key=secret")),
      directory: FileManager.default.temporaryDirectory)
    return FirebaseResponse(
      try RecordedResponse(status: status, headers: headers, pieces: [body]).document(request), model: "recorded")
  }

  private static func answer(
    _ address: String = "https://a.com/f?x=1", expires: String = "2001-09-09T01:46:40Z", size: String = "5"
  ) -> Data {
    Data(#"{"downloadUri": "\#(address)", "expireTime": "\#(expires)", "sizeBytes": "\#(size)"}"#.utf8)
  }

  private static func firebase(_ body: Data, etag: String? = "h") throws -> RemoteModelFile {
    try response(200, headers: etag.map { ["ETag": $0] } ?? [:], body: body).file(sha256: digest)
  }

  @Test("have every field", arguments: ["1", "9223372036854775807"])
  func firebaseFields(size: String) throws {
    let file = try Self.firebase(Self.answer(size: size))
    #expect(file.url.absoluteString == "https://a.com/f?x=1" && file.version == "h" && file.sha256 == Self.digest)
    #expect(file.expires == Date(timeIntervalSince1970: 1_000_000_000) && file.size == Int64(size))
    #expect(file.headers.isEmpty && file.knownETag == nil && !file.isLocalFileAllowed)
  }

  static let refusals: [(name: String, body: Data, etag: String?, reason: String)] = [
    ("no ETag", answer(), nil, "has no ETag, which is the model's hash"),
    ("empty ETag", answer(), "", "has no ETag, which is the model's hash"),
    (
      "no JSON", Data("x".utf8), "h",
      "is not JSON with the strings \"downloadUri\", \"expireTime\" and \"sizeBytes\""
    ),
    ("size 0", answer(size: "0"), "h", "has an invalid size: '0'"),
    ("size -1", answer(size: "-1"), "h", "has an invalid size: '-1'"),
    ("size x", answer(size: "x"), "h", "has an invalid size: 'x'"),
    ("time", answer(expires: "soon"), "h", "has an invalid expiration time: 'soon'"),
    ("address", answer("file:///x"), "h", "has an invalid URL"),
    ("path", answer("/x"), "h", "has an invalid URL"),
  ]

  @Test("are rejected with the reason", arguments: refusals.map(\.name))
  func firebaseRefusal(name: String) throws {
    let refusal = try #require(Self.refusals.first { $0.name == name })
    let error = Self.error { _ = try Self.firebase(refusal.body, etag: refusal.etag) }
    #expect(
      error == ModelStoreError(.internalError, "Firebase's answer for the model 'recorded' \(refusal.reason)"))
  }

  @Test(
    "of other statuses suggest the reason",
    arguments: [
      (400, "does not understand the request (status 400)"),
      (401, "denies access (status 401); is the Firebase ML API enabled for the project, and is the token valid?"),
      (403, "denies access (status 403); is the Firebase ML API enabled for the project, and is the token valid?"),
      (404, "has no such file or model (status 404); is the model published, and is 'recorded' its name?"),
      (500, "failed (status 500)"),
    ])
  func firebaseFailure(status: Int, words: String) throws {
    let error = try Self.response(status).failure
    #expect(error.message == "https://example.com/models/birds.json \(words)")
  }

  private static func notModified(_ etag: String?, known: String?) throws -> ModelStoreError? {
    let response = try response(304, headers: etag.map { ["ETag": $0] } ?? [:])
    let record = known.map {
      ModelRecord(
        name: "m", source: "s", version: $0 == "none" ? nil : $0, sha256: digest, byteCount: 1, installed: Date())
    }
    return error { try response.checkNotModified(since: record) }
  }

  @Test("that have not changed must have the installed version")
  func firebaseNotModified() throws {
    #expect(try Self.notModified("h", known: "h") == nil)
    let start = "Firebase's answer for the model 'recorded' reports that the model has not changed, but "
    for (etag, known, words) in [
      ("h", nil, "no model was downloaded before"), (nil, "h", "does not contain its hash"),
      ("", "h", "does not contain its hash"),
      ("i", "h", "its hash is 'i' and was 'h'"), ("i", "none", "its hash is 'i' and was ''"),
    ] as [(String?, String?, String)] {
      #expect(try Self.notModified(etag, known: known) == ModelStoreError(.internalError, start + words))
    }
  }

  // MARK: Firebase settings

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-plist-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func write(_ values: [String: String], to folder: URL) throws -> URL {
    let file = folder.appendingPathComponent("list.plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0).write(to: file)
    return file
  }

  @Test("require a project and a key, and have an empty app and bundle by default")
  func propertyList() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try Self.write(["PROJECT_ID": "p", "API_KEY": "k"], to: folder)
    let configuration = try FirebaseConfiguration(propertyList: file) { "token" }
    #expect(configuration.projectID == "p" && configuration.apiKey == "k")
    #expect(configuration.appID.isEmpty && configuration.bundleID.isEmpty)
    #expect(try await configuration.installationToken() == "token")
    for values in [["PROJECT_ID": "p"], ["API_KEY": "k"]] {
      let file = try Self.write(values, to: folder)
      let error = Self.error { _ = try FirebasePropertyList(file) }
      #expect(error == ModelStoreError(.failedPrecondition, "\(file.path) lacks PROJECT_ID or API_KEY"))
    }
    let remote = try #require(URL(string: "https://example.com" + file.path))
    for url in [remote, folder.appendingPathComponent("none")] {
      let error = Self.error { _ = try FirebasePropertyList(url) }
      #expect(error == ModelStoreError(.failedPrecondition, "\(url.path) cannot be read as a property list"))
    }
    let app = Self.error {
      _ = try FirebaseInstallation(propertyList: try Self.write(["PROJECT_ID": "p", "API_KEY": "k"], to: folder))
    }
    #expect(app == ModelStoreError(.failedPrecondition, "\(file.path) lacks GOOGLE_APP_ID"))
  }

  @Test("are read up to a megabyte", arguments: [1 << 20, 1 << 20 + 1])
  func largePropertyList(byteCount: Int) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try Self.write(["PROJECT_ID": "p", "API_KEY": "k"], to: folder)
    var bytes = try Data(contentsOf: file)
    bytes += Data(repeating: 0x20, count: byteCount - bytes.count)
    try bytes.write(to: file)
    #expect(((try? FirebasePropertyList(file)) != nil) == (byteCount == 1 << 20))
  }

  @Test("from Firebase omit the missing settings")
  func incompleteSettings() async throws {
    func message(_ configuration: FirebaseConfiguration) async -> String? {
      let source = FirebaseHosting(given: configuration)
      do {
        _ = try await source.resolve(ModelQuery(modelName: "m", client: HTTPClient()))
        return nil
      } catch {
        return error.message
      }
    }
    let base = try #require(URL(string: "https://127.0.0.1:1"))
    func configuration(_ project: String, _ key: String) -> FirebaseConfiguration {
      FirebaseConfiguration(projectID: project, apiKey: key, baseURL: base) {
        throw NSError(domain: "d", code: 1, userInfo: [NSLocalizedDescriptionKey: "no token today"])
      }
    }
    #expect(await message(configuration("", "k")) == "the Firebase configuration lacks its project ID")
    #expect(await message(configuration("p", "")) == "the Firebase configuration lacks its API key")
    #expect(
      await message(configuration("p", "k")) == "the app gave no Firebase Installations token: no token today")
  }

  @Test("for Firebase settings: no app, and Google's URLs")
  func firebase() throws {
    #expect(FirebaseConfiguration.defaultBaseURL.absoluteString == "https://firebaseml.googleapis.com")
    #expect(FirebaseInstallation.defaultBaseURL.absoluteString == "https://firebaseinstallations.googleapis.com")
    #expect(
      FirebaseInstallation.defaultFile
        == ModelStoreOptions.defaultDirectory.appendingPathComponent("firebase-installation.json"))
    let bare = FirebaseConfiguration(projectID: "p", apiKey: "k") { "t" }
    #expect(bare.projectID == "p" && bare.apiKey == "k" && bare.appID.isEmpty)
    #expect(bare.bundleID == Bundle.main.bundleIdentifier ?? "")
    #expect(bare.baseURL == FirebaseConfiguration.defaultBaseURL)
    let other = FirebaseConfiguration(
      projectID: "p", apiKey: "k", appID: "a", bundleID: "b", baseURL: try #require(URL(string: "https://x.y/z"))
    ) { "t" }
    #expect(
      [other.projectID, other.apiKey, other.appID, other.bundleID, other.baseURL.absoluteString]
        == ["p", "k", "a", "b", "https://x.y/z"])
  }
}
