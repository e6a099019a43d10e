import Foundation
import MLKit
import ModelStoreTestSupport
import SwiftletBase
import SwiftletTestSupport
import Testing

/// Runs the flows of ML Kit's guide to custom models, with the guide's own calls.
@Suite("Flows of the guide")
struct GuideFlowTests {
  static let bytes = SampleModel.bytes()

  /// Returns the bytes that a detector would load from the model at this moment.
  private func bytes(_ model: LocalModel) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: model.checkedPath()))
  }

  private func bundled() throws -> (folder: URL, path: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-bundle-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("model.tflite")
    try Data(SampleModel.bytes(5000, seed: 77)).write(to: file)
    return (folder, file.path)
  }

  @Test("bundled only: the model is available without a manager, a network, or a project")
  func bundledOnly() throws {
    let (folder, path) = try bundled()
    defer { try? FileManager.default.removeItem(at: folder) }
    let localModel = LocalModel(path: path)
    #expect(try bytes(localModel) == Data(SampleModel.bytes(5000, seed: 77)))
  }

  @Test("hosted only: the feature is off until the notification arrives, and then the model is available")
  func hostedOnly() async throws {
    let firebase = try FakeFirebase()
    let store = TestManager()
    FirebaseConfiguration.default = firebase.configuration
    defer { FirebaseConfiguration.default = nil }
    let remoteModel = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: firebase.name))
    let isFeatureOn = Mutex(store.manager.isModelDownloaded(remoteModel))
    #expect(!isFeatureOn.withLock { $0 })

    func observe(_ isFeatureOn: borrowing Mutex<Bool>) async throws -> Progress {
      let downloadConditions = ModelDownloadConditions(allowsCellularAccess: true, allowsBackgroundDownloading: true)
      let downloadProgress: Progress = store.manager.download(remoteModel, conditions: downloadConditions)
      let notes = await store.notifications.of(remoteModel)
      isFeatureOn.withLock { $0 = notes.contains { $0.hasSucceeded && $0.model == remoteModel.name } }
      return downloadProgress
    }
    let progress = try await observe(isFeatureOn)
    #expect(isFeatureOn.withLock { $0 } && progress.isFinished && store.manager.isModelDownloaded(remoteModel))
    #expect(try bytes(store.manager.localModel(for: remoteModel)) == Data(Self.bytes))
  }

  @Test("hosted only: a failure is reported with the model and an error, and the feature stays off")
  func hostedFails() async throws {
    let firebase = try FakeFirebase(info: { _, _ in LoopbackResponse(status: 404) })
    let store = TestManager()
    let remoteModel = firebase.remoteModel()
    let progress: Progress = store.manager.download(remoteModel, conditions: ModelDownloadConditions())
    let notes = await store.notifications.of(remoteModel)
    #expect(
      notes == [.init(hasSucceeded: false, model: remoteModel.name, code: 5, domain: ModelStoreError.errorDomain)])
    #expect(!progress.isFinished && !store.manager.isModelDownloaded(remoteModel))
  }

  @Test("both: the bundled model is used until the hosted one is available")
  func both() async throws {
    let (folder, path) = try bundled()
    defer { try? FileManager.default.removeItem(at: folder) }
    let firebase = try FakeFirebase()
    let store = TestManager()
    let remoteModel = firebase.remoteModel()
    func model() throws -> LocalModel {
      if store.manager.isModelDownloaded(remoteModel) { return try store.manager.localModel(for: remoteModel) }
      return LocalModel(path: path)
    }
    #expect(try bytes(model()) == Data(SampleModel.bytes(5000, seed: 77)))
    _ = try await store.download(remoteModel)
    #expect(try bytes(model()) == Data(Self.bytes))
    // Offline, in a later run of the app.
    firebase.server.stop()
    #expect(try bytes(model()) == Data(Self.bytes))
    #expect(await store.deletionError(remoteModel) == nil)
    #expect(try bytes(model()) == Data(SampleModel.bytes(5000, seed: 77)))
  }

  @Test("for download conditions: mobile networks are allowed, and background downloads aren't")
  func conditions() {
    let conditions = ModelDownloadConditions()
    #expect(conditions.allowsCellularAccess && !conditions.allowsBackgroundDownloading)
    for (first, second) in [(true, false), (false, true)] {
      let other = ModelDownloadConditions(allowsCellularAccess: first, allowsBackgroundDownloading: second)
      #expect(other.allowsCellularAccess == first && other.allowsBackgroundDownloading == second)
      #expect(other.copy() as? ModelDownloadConditions === other)
    }
  }

  @Test("notification names and keys equal ML Kit's")
  func names() {
    #expect(Notification.Name.mlkitModelDownloadDidSucceed.rawValue == "MLKModelDownloadDidSucceedNotification")
    #expect(Notification.Name.mlkitModelDownloadDidFail.rawValue == "MLKModelDownloadDidFailNotification")
    #expect(ModelDownloadUserInfoKey.remoteModel.rawValue == "MLKModelDownloadUserInfoKeyRemoteModel")
    #expect(ModelDownloadUserInfoKey.error.rawValue == "MLKModelDownloadUserInfoKeyError")
    #expect(ModelDownloadUserInfoKey(rawValue: "x").rawValue == "x")
  }

  @Test("errors are NSErrors with a domain, a code, and a message")
  func errors() {
    let error = ModelStoreError(.notFound, "no such model") as NSError
    #expect(
      error.domain == "com.swiftlet.modelstore" && error.code == 5 && error.localizedDescription == "no such model")
    #expect(ModelStoreError(.internalError, String(repeating: "x", count: 5000)).message.count < 1100)
  }
}
