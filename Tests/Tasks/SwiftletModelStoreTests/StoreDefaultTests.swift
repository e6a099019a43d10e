import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

@Suite("Defaults of the store")
struct StoreDefaultTests {
  @Test("of options are the documented ones")
  func options() {
    let folder = URL(fileURLWithPath: "/somewhere/else")
    let options = ModelStoreOptions(directory: folder)
    #expect(options.directory == folder)
    #expect(options.totalByteLimit == 4_294_967_296 && options.modelByteLimit == 2_147_483_648)
    #expect(options.stallTime == .seconds(30) && options.stallByteCount == 4096)
    #expect(options.transferTimeLimit == .seconds(600))
    #expect(options.retryDelays == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(options.longestRetryDelay == .seconds(60))
    #expect(!options.allowsLoopbackHTTP)
    #expect(options.callbackQueue.label == DispatchQueue.main.label)
    #expect(ModelStoreOptions().directory == ModelStoreOptions.defaultDirectory)
    #expect(ModelStoreOptions.defaultDirectory.path.hasSuffix("/swiftlet/models"))
  }

  @Test("of the client, the rules and the surroundings")
  func client() {
    #expect(HTTPClient.longestDocument == 1_048_576 && AddressRules.mostRedirects == 5)
    let client = HTTPClient()
    #expect(client.allowsCellularAccess && client.options.directory == ModelStoreOptions.defaultDirectory)
    let environment = StoreEnvironment()
    let jitters = (0..<200).map { _ in environment.jitter() }
    #expect(jitters.allSatisfy { (-1...1).contains($0) } && jitters.contains { $0 < 0 } && jitters.contains { $0 > 0 })
    #expect(abs(environment.now().timeIntervalSinceNow) < 3600)
    #expect(environment.freeByteCount("/nowhere/at/all") == nil)
    #expect(
      StoreEnvironment.Step.allCases.map(\.rawValue) == [
        "noted", "received", "verified", "synced", "renamed", "recorded", "cleaned",
      ])
  }

  @Test("of download conditions: mobile networks allowed, background not")
  func conditions() {
    let conditions = ModelDownloadConditions()
    #expect(conditions.allowsCellularAccess && !conditions.allowsBackgroundDownloading)
    for (first, second) in [(true, false), (false, true)] {
      let other = ModelDownloadConditions(allowsCellularAccess: first, allowsBackgroundDownloading: second)
      #expect(other.allowsCellularAccess == first && other.allowsBackgroundDownloading == second)
      #expect(other.copy() as? ModelDownloadConditions === other)
    }
  }

  @Test("names of notifications and keys are ML Kit's")
  func names() {
    #expect(Notification.Name.mlkitModelDownloadDidSucceed.rawValue == "MLKModelDownloadDidSucceedNotification")
    #expect(Notification.Name.mlkitModelDownloadDidFail.rawValue == "MLKModelDownloadDidFailNotification")
    #expect(ModelDownloadUserInfoKey.remoteModel.rawValue == "MLKModelDownloadUserInfoKeyRemoteModel")
    #expect(ModelDownloadUserInfoKey.error.rawValue == "MLKModelDownloadUserInfoKeyError")
    #expect(ModelDownloadUserInfoKey(rawValue: "x").rawValue == "x")
  }

  @Test("of Firebase's settings: no app, and Google's addresses")
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

  @Test("a file that a source describes has no more than its address, and keeps every field")
  func remoteFile() throws {
    let url = try #require(URL(string: "https://example.com/m"))
    let bare = RemoteModelFile(url: url)
    #expect(bare.url == url && bare.headers.isEmpty && bare.expires == nil && bare.size == nil)
    #expect(bare.version == nil && bare.sha256 == nil && bare.knownETag == nil && !bare.isLocalFileAllowed)
    let date = Date(timeIntervalSince1970: 5)
    let full = RemoteModelFile(
      url: url, headers: ["A": "b"], expires: date, size: 7, version: "v", sha256: "ABcd", knownETag: "E")
    #expect(full.headers == ["A": "b"] && full.expires == date && full.size == 7 && full.version == "v")
    #expect(full.sha256 == "abcd" && full.knownETag == "E" && !full.isLocalFileAllowed)
  }

  @Test("sources tell themselves apart and say what they know")
  func sources() async throws {
    let url = try #require(URL(string: "https://example.com/m?x=1"))
    let address = URLModelSource(name: "n", url: url, headers: ["A": "b"], sha256: "ABCD")
    #expect(address.name == "n" && address.url == url && address.headers == ["A": "b"] && address.sha256 == "abcd")
    #expect(address.identity == "url https://example.com/m?x=1")
    #expect(URLModelSource(name: "n", url: url).headers.isEmpty && URLModelSource(name: "n", url: url).sha256 == nil)

    let manifest = ManifestModelSource(name: "m", manifestURL: url, headers: ["C": "d"])
    #expect(manifest.name == "m" && manifest.manifestURL == url && manifest.headers == ["C": "d"])
    #expect(manifest.identity == "manifest https://example.com/m?x=1" && manifest.sha256 == nil)

    let configuration = FirebaseConfiguration(projectID: "p", apiKey: "k", appID: "a") { "t" }
    let firebase = FirebaseModelSource(name: "f", configuration: configuration, sha256: "EF")
    #expect(firebase.name == "f" && firebase.identity == "firebase p a" && firebase.sha256 == "ef")
    #expect(FirebaseModelSource(name: "f", configuration: configuration).sha256 == nil)

    let bare = RemoteModelSource(name: "b")
    #expect(bare.identity.hasSuffix("RemoteModelSource") && bare.sha256 == nil)
    let error = await #expect(throws: ModelStoreError.self) { try await bare.resolve(known: nil) }
    #expect(error == ModelStoreError(.failedPrecondition, "a model source must override resolve(known:)"))
    #expect(CustomRemoteModel(remoteModelSource: bare).name == "b")
  }

  private static func record(sha256: String, version: String?) -> ModelRecord {
    ModelRecord(
      name: "n", source: "s", version: version, sha256: sha256, byteCount: 1, installed: Date(timeIntervalSince1970: 0))
  }

  @Test("an address is asked for the known version only where no SHA-256 is given")
  func resolution() async throws {
    let url = try #require(URL(string: "https://example.com/m"))
    let digest = String(repeating: "a", count: 64), other = String(repeating: "b", count: 64)
    let pinned = URLModelSource(name: "n", url: url, headers: ["A": "b"], sha256: digest.uppercased())
    guard case .notModified = try await pinned.resolve(known: Self.record(sha256: digest, version: "v")) else {
      Issue.record("the file is there")
      return
    }
    for known in [Self.record(sha256: other, version: "v"), nil] {
      guard case .file(let file) = try await pinned.resolve(known: known) else {
        Issue.record("the file is another one")
        return
      }
      #expect(file.url == url && file.headers == ["A": "b"] && file.sha256 == digest && file.knownETag == nil)
    }
    let bare = URLModelSource(name: "n", url: url)
    guard case .file(let file) = try await bare.resolve(known: Self.record(sha256: digest, version: "v")) else {
      Issue.record("the server is to be asked")
      return
    }
    #expect(file.knownETag == "v" && file.sha256 == nil)
    let odd = URLModelSource(name: "n", url: url, sha256: String(digest.dropLast()))
    let error = await #expect(throws: ModelStoreError.self) { try await odd.resolve(known: nil) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "a SHA-256 has 64 hexadecimal digits, got '\(digest.dropLast())'")
  }
}
