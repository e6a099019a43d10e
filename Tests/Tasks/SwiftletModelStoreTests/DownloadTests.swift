import Foundation
import SwiftletModelStore
import SwiftletTestSupport
import Testing

@Suite("Download")
struct DownloadTests {
  @Test("a model is there when it is downloaded, with its record, its notification and a finished progress")
  func success() async throws {
    let bytes = SampleModel.bytes()
    let server = try LoopbackServer { .file(bytes, etag: "\"one\"", for: $0) }
    let store = TestStore()
    let model = CustomRemoteModel(
      remoteModelSource: URLModelSource(
        name: SampleModel.name(), url: server.url("/model.tflite"), sha256: SHA256.hex(of: bytes).uppercased()))
    #expect(!store.manager.isModelDownloaded(model) && store.manager.state(of: model) == .absent)
    #expect(throws: ModelStoreError.self) { try store.manager.localModel(for: model) }
    #expect(server.requests.isEmpty)

    let progress: Progress = store.manager.download(model, conditions: ModelDownloadConditions())
    #expect(await store.notifications.of(model) == [.init(hasSucceeded: true, model: model.name)])
    #expect(progress.isFinished && progress.totalUnitCount == Int64(bytes.count))
    #expect(store.manager.isModelDownloaded(model) && store.manager.state(of: model) == .installed)
    let local = try store.manager.localModel(for: model)
    #expect(try Data(contentsOf: URL(fileURLWithPath: local.checkedPath())) == Data(bytes))
    let record = try #require(store.manager.downloadedRecord(of: model))
    #expect(
      record.sha256 == SHA256.hex(of: bytes) && record.byteCount == Int64(bytes.count) && record.installed == store.now)
    #expect(store.files.count == 2)
    #expect(server.requests.map(\.path) == ["/model.tflite"])
  }
}
