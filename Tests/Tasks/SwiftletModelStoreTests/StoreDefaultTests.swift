import Foundation
import ModelStoreTestSupport
import SwiftletTestSupport
import Testing

@_spi(Facades) @testable import SwiftletModelStore

@Suite("Defaults of the store")
struct StoreDefaultTests {
  @Test("of options equal the documented values")
  func options() {
    let folder = URL(fileURLWithPath: "/somewhere/else")
    let options = ModelStoreOptions(directory: folder)
    #expect(options.directory == folder)
    #expect(options.totalByteLimit == 4_294_967_296 && options.modelByteLimit == 2_147_483_648)
    #expect(options.stallTime == .seconds(30) && options.stallByteCount == 4096)
    #expect(options.transferTimeLimit == .seconds(600))
    #expect(options.retryDelays == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(options.maximumRetryDelay == .seconds(60))
    #expect(!options.allowsLoopbackHTTP)
    #expect(ModelStoreOptions().directory == ModelStoreOptions.defaultDirectory)
    #expect(ModelStoreOptions.defaultDirectory.path.hasSuffix("/swiftlet/models"))
  }

  @Test("of the client, the rules, and the environment")
  func client() {
    #expect(HTTPClient.maximumDocument == 1_048_576 && URLPolicy.maximumRedirects == 5)
    let client = HTTPClient()
    #expect(client.conditions.isEmpty && client.options.directory == ModelStoreOptions.defaultDirectory)
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

  @Test("a file description requires only a URL, and keeps every field")
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

  @Test("models are distinguishable and describe themselves")
  func models() throws {
    let url = try #require(URL(string: "https://example.com/m?x=1"))
    let file = RemoteModel(name: "n", url: url, headers: ["A": "b"], sha256: "ABCD")
    #expect(file.name == "n" && file.sha256 == "abcd" && file.source.identity == "url https://example.com/m?x=1")
    let manifest = RemoteModel(name: "n", manifest: url)
    #expect(manifest.source.identity == "manifest https://example.com/m?x=1" && manifest.sha256 == nil)
    #expect(Set([file, manifest, RemoteModel(name: "n", url: url), RemoteModel(name: "o", url: url)]).count == 4)
    #expect(file == RemoteModel(name: "n", url: url, sha256: "abcd"))
  }

  private static func resolution(_ model: RemoteModel, installed: String?) async throws -> RemoteModelFile? {
    let record = ModelRecord(
      name: "n", source: "s", version: installed, sha256: String(repeating: "b", count: 64), byteCount: 1,
      installed: Date(timeIntervalSince1970: 0))
    let query = ModelQuery(modelName: "n", sha256: model.sha256, installed: record, client: HTTPClient())
    guard case .file(let file) = try await model.source.resolve(query) else { return nil }
    return file
  }

  @Test("a URL is revalidated only if no SHA-256 is given")
  func resolution() async throws {
    let url = try #require(URL(string: "https://example.com/m"))
    let digest = String(repeating: "a", count: 64)
    let pinned = try await Self.resolution(
      RemoteModel(name: "n", url: url, headers: ["A": "b"], sha256: digest.uppercased()), installed: "v")
    #expect(pinned?.url == url && pinned?.headers == ["A": "b"] && pinned?.sha256 == digest)
    #expect(pinned != nil && pinned?.knownETag == nil)
    let bare = try await Self.resolution(RemoteModel(name: "n", url: url), installed: "v")
    #expect(bare?.knownETag == "v" && bare?.sha256 == nil)
    let store = TestStore()
    let error = await store.failure(RemoteModel(name: "n", url: url, sha256: String(digest.dropLast())))
    #expect(
      error
        == ModelStoreError(.invalidArgument, "a SHA-256 has 64 hexadecimal digits, got '\(digest.dropLast())'"))
  }
}
