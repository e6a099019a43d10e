import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Sources")
struct SourceTests {
  static let bytes = SampleModel.bytes()

  @Test("a URL without a SHA-256 is revalidated")
  func changedAddress() async throws {
    let current = Mutex((bytes: Self.bytes, etag: "\"one\""))
    let server = try LoopbackServer { request in current.withLock { .file($0.bytes, etag: $0.etag, for: request) } }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), url: server.url("/m"))
    let first = try await store.download(model)
    #expect(try await store.download(model).path == first.path)
    let newer = SampleModel.bytes(seed: 5)
    current.withLock { $0 = (newer, "W/\"two\"") }
    let second = try await store.download(model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: second.path)) == Data(newer))
    #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, "\"one\"", "\"one\""])
    #expect(store.modelStore.record(of: model)?.version == "W/\"two\"")
  }

  @Test("a URL with a SHA-256 isn't requested after the download, and a new SHA-256 requires a new file")
  func pinnedAddress() async throws {
    let current = Mutex(Self.bytes)
    let server = try LoopbackServer { request in current.withLock { .file($0, etag: "\"same\"", for: request) } }
    let store = TestStore()
    let name = SampleModel.name()
    func model(_ bytes: [UInt8]) -> RemoteModel {
      RemoteModel(
        name: name, url: server.url("/m"), headers: ["X-Key": "secret"], sha256: SHA256.hex(of: bytes))
    }
    _ = try await store.download(model(Self.bytes))
    _ = try await store.download(model(Self.bytes))
    #expect(server.requests.count == 1 && server.requests[0].headers["x-key"] == "secret")
    let newer = SampleModel.bytes(seed: 5)
    #expect(!store.isInstalled(model(newer)))
    current.withLock { $0 = newer }
    _ = try await store.download(model(newer))
    #expect(store.isInstalled(model(newer)) && !store.isInstalled(model(Self.bytes)))
    #expect(server.requests.count == 2 && server.requests[1].headers["if-none-match"] == nil)
  }

  @Test("models of one name from different sources do not replace each other")
  func sameName() async throws {
    let server = try LoopbackServer { .file(SampleModel.bytes(seed: UInt64($0.path.count)), for: $0) }
    let store = TestStore()
    let name = SampleModel.name("a/../b@@c \u{1F426}")
    let models = ["/m", "/other"].map {
      RemoteModel(name: name, url: server.url($0))
    }
    let paths = [try await store.download(models[0]).path, try await store.download(models[1]).path]
    #expect(paths[0] != paths[1] && store.modelFiles.count == 2)
    // Whatever a name contains, the path stays in the store's directory, two levels deep.
    for path in paths {
      #expect(
        path.hasPrefix(store.folder.path + "/")
          && path.dropFirst(store.folder.path.count + 1).split(separator: "/").count == 2)
    }
    #expect(models.allSatisfy(store.isInstalled))
  }

  @Test("names that are too long for a file system work")
  func longName() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let store = TestStore()
    let name = SampleModel.name() + String(repeating: "ü/", count: 400)
    let model = RemoteModel(name: name, url: server.url("/m"))
    _ = try await store.download(model)
    #expect(store.isInstalled(model))
  }

  @Test("a manifest contains URL, size, and SHA-256 of the newest version")
  func manifest() async throws {
    let current = Mutex((bytes: Self.bytes, version: "1"))
    let server = try LoopbackServer { request in
      current.withLock { current in
        request.path == "/models/birds.json"
          ? LoopbackResponse(
            json:
              #"{"name": "\#(request.headers["x-name"] ?? "")", "version": "\#(current.version)", "url": "files/birds-\#(current.version).tflite", "sha256": "\#(SHA256.hex(of: current.bytes).uppercased())", "size": \#(current.bytes.count)}"#
          )
          : .file(current.bytes, for: request)
      }
    }
    let store = TestStore()
    let name = SampleModel.name()
    let model = RemoteModel(
      name: name, manifest: server.url("/models/birds.json"), headers: ["X-Name": name])
    _ = try await store.download(model)
    _ = try await store.download(model)
    current.withLock { $0 = (SampleModel.bytes(seed: 7), "2") }
    _ = try await store.download(model)
    #expect(
      server.requests.map(\.path) == [
        "/models/birds.json", "/models/files/birds-1.tflite", "/models/birds.json", "/models/birds.json",
        "/models/files/birds-2.tflite",
      ])
    #expect(server.requests[1].headers["x-name"] == nil)
    #expect(store.modelStore.record(of: model)?.version == "2")
  }

  static let manifests: [(String, ModelStoreError.Code)] = [
    ("no JSON", .internalError), (#"{"url": "x"}"#, .internalError), (#"{"url": "x", "sha256": "12"}"#, .internalError),
    (#"{"url": "file:///etc/passwd", "sha256": "\#(SHA256.hex(of: bytes))"}"#, .insecureAddress),
    (#"{"url": "http://example.com/x", "sha256": "\#(SHA256.hex(of: bytes))"}"#, .insecureAddress),
    (#"{"url": "m", "name": "another", "sha256": "\#(SHA256.hex(of: bytes))"}"#, .internalError),
    (#"{"url": "m", "size": -1, "sha256": "\#(SHA256.hex(of: bytes))"}"#, .internalError),
    (#"{"url": "m", "size": 5, "sha256": "\#(SHA256.hex(of: bytes))"}"#, .sizeMismatch),
    (#"{"url": "m", "sha256": "\#(SHA256.hex(of: [1]))"}"#, .hashMismatch),
  ]

  @Test("an invalid manifest is rejected", arguments: manifests.indices)
  func badManifest(index: Int) async throws {
    let server = try LoopbackServer {
      $0.path == "/manifest" ? LoopbackResponse(json: Self.manifests[index].0) : .file(Self.bytes, for: $0)
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), manifest: server.url("/manifest"))
    #expect(await store.failure(model)?.code == Self.manifests[index].1)
    #expect(store.files.isEmpty)
  }

  @Test("an app can implement a source")
  func ownSource() async throws {
    let server = try LoopbackServer { .file(Self.bytes, for: $0) }
    let store = TestStore()
    func model(_ answer: @escaping FixedSource.Answer) -> RemoteModel {
      RemoteModel(name: SampleModel.name(), source: FixedSource(answer))
    }
    let own = model { query in
      query.installed?.version == "v7" ? .notModified : .file(RemoteModelFile(url: server.url("/x"), version: "v7"))
    }
    _ = try await store.download(own)
    _ = try await store.download(own)
    #expect(server.requests.count == 1)

    let failing = model { _ throws(ModelStoreError) in throw ModelStoreError(.resourceExhausted, "not now") }
    #expect(await store.failure(failing) == ModelStoreError(.resourceExhausted, "not now"))
    #expect(await store.failure(model { _ in .notModified })?.code == .internalError)
    let local = model { _ in .file(RemoteModelFile(url: URL(fileURLWithPath: "/etc/passwd"))) }
    #expect(await store.failure(local)?.code == .insecureAddress)
  }

  @Test("a source can ask a service with the store's limits and retries")
  func service() async throws {
    struct Service: RemoteModelSource {
      let url: URL
      var identity: String { "service" }

      func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
        let document = try await query.document(for: URLRequest(url: url))
        guard document.status == 200, let path = document.header("X-Path") else { throw document.error }
        return .file(RemoteModelFile(url: url.appendingPathComponent(path), sha256: query.sha256))
      }
    }
    let server = try LoopbackServer { request in
      switch request.path {
      case "/service": LoopbackResponse(headers: ["X-Path": "birds"])
      case "/service/birds": .file(Self.bytes, for: request)
      default: LoopbackResponse(status: 404)
      }
    }
    let store = TestStore()
    let model = RemoteModel(name: SampleModel.name(), source: Service(url: server.url("/service")))
    #expect(try await store.download(model).record.byteCount == Int64(Self.bytes.count))
    let absent = RemoteModel(name: SampleModel.name(), source: Service(url: server.url("/absent")))
    #expect(await store.failure(absent)?.code == .notFound)
  }
}
