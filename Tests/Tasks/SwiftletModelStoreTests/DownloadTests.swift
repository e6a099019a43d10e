import Foundation
import ModelStoreTestSupport
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("Download")
struct DownloadTests {
  @Test("a downloaded model is installed, and its record describes it")
  func success() async throws {
    let bytes = SampleModel.bytes()
    let server = try LoopbackServer { .file(bytes, etag: "\"one\"", for: $0) }
    let store = TestStore()
    let model = RemoteModel(
      name: SampleModel.name(), url: server.url("/model.tflite"), sha256: SHA256.hex(of: bytes).uppercased())
    #expect(!store.isInstalled(model))
    #expect(throws: ModelStoreError.self) { try store.modelStore.installedModel(model) }
    #expect(server.requests.isEmpty)

    var installed: InstalledModel?
    var steps: [String] = []
    for try await progress in store.modelStore.download(model) {
      steps.append("\(progress)".prefix { $0 != "(" }.description)
      if case .installed(let model) = progress { installed = model }
    }
    #expect(steps.last == "installed" && !steps.dropLast().contains("installed"))
    #expect(store.isInstalled(model))
    let local = try store.modelStore.installedModel(model)
    #expect(installed?.path == local.path && installed?.record == local.record)
    #expect(try Data(contentsOf: local.url) == Data(bytes))
    let record = try #require(store.modelStore.record(of: model))
    #expect(
      record.sha256 == SHA256.hex(of: bytes) && record.byteCount == Int64(bytes.count) && record.installed == store.now)
    #expect(store.files.count == 2)
    #expect(server.requests.map(\.path) == ["/model.tflite"])
  }
}
