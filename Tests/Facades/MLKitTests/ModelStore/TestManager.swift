import Foundation
import MLKit
import ModelStoreTestSupport
import SwiftletBase

/// A manager with a store in a temporary directory.
final class TestManager: Sendable {
  let store: TestStore
  let manager: ModelManager
  let notifications = NotificationLog()

  init(_ adjust: (inout ModelStoreOptions) -> Void = { _ in }) {
    store = TestStore(adjust)
    manager = ModelManager(store: store.modelStore, callbackQueue: DispatchQueue(label: "callbacks"))
  }

  /// Downloads a model, and waits for the notification.
  @discardableResult
  func download(_ model: CustomRemoteModel) async throws -> LocalModel {
    let before = await notifications.of(model, count: 0).count
    manager.download(model, conditions: ModelDownloadConditions())
    _ = await notifications.of(model, count: before + 1)
    return try manager.localModel(for: model)
  }

  func deletionError(_ model: RemoteModel) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      manager.deleteDownloadedModel(model) { continuation.resume(returning: $0) }
    }
  }
}

/// The notifications about downloads of certain models, in order of arrival.
// Unchecked `Sendable` because of the observers' tokens, which are only used in init and deinit.
final class NotificationLog: @unchecked Sendable {
  struct Entry: Sendable, Equatable {
    var hasSucceeded: Bool
    var model: String
    var code: Int?
    var domain: String?
  }

  private final class Entries: Sendable {
    let list = Mutex<[Entry]>([])
  }

  private let entries = Entries()
  private var observers: [any NSObjectProtocol] = []

  init() {
    for name in [Notification.Name.mlkitModelDownloadDidSucceed, .mlkitModelDownloadDidFail] {
      let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [entries] note in
        guard let model = note.userInfo?[ModelDownloadUserInfoKey.remoteModel.rawValue] as? RemoteModel else { return }
        let error = note.userInfo?[ModelDownloadUserInfoKey.error.rawValue] as? NSError
        entries.list.withLock {
          $0.append(
            Entry(
              hasSucceeded: name == .mlkitModelDownloadDidSucceed, model: model.name, code: error?.code,
              domain: error?.domain))
        }
      }
      observers.append(observer)
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  /// Returns the notifications about one model, once the expected number has arrived or the wait times out.
  func of(_ model: RemoteModel, count: Int = 1) async -> [Entry] {
    for _ in 0..<500 {
      let found = entries.list.withLock { $0.filter { $0.model == model.name } }
      if found.count >= count { return found }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return entries.list.withLock { $0.filter { $0.model == model.name } }
  }
}
