import Foundation
import SwiftletModelStore
import SwiftletTestSupport
import SwiftletBase

/// A store in a folder of its own that goes away with it, and whose clock does not wait.
final class TestStore: Sendable {
  private final class Time: Sendable {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let waits = Mutex<[Duration]>([])
  }

  let folder: URL
  let manager: ModelManager
  let notifications: NotificationLog
  private let time: Time

  /// - Parameters:
  ///   - adjust: changes the options.
  ///   - change: changes the surroundings.
  init(
    _ adjust: (inout ModelStoreOptions) -> Void = { _ in },
    environment change: (inout StoreEnvironment) -> Void = { _ in }
  ) {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-store-" + UUID().uuidString)
    var options = ModelStoreOptions(directory: folder)
    options.allowsLoopbackHTTP = true
    options.callbackQueue = DispatchQueue(label: "callbacks")
    adjust(&options)
    let time = Time()
    var environment = StoreEnvironment()
    environment.now = { time.now.withLock { $0 } }
    environment.sleep = { wait in time.waits.withLock { $0.append(wait) } }
    environment.jitter = { 0 }
    change(&environment)
    manager = ModelManager(options: options, environment: environment)
    notifications = NotificationLog()
    self.time = time
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// How long the store wanted to wait before its tries.
  var waits: [Duration] { time.waits.withLock { $0 } }

  func advance(by seconds: Double) { time.now.withLock { $0 += seconds } }

  var now: Date { time.now.withLock { $0 } }

  func download(_ model: RemoteModel) async throws -> LocalModel {
    try await manager.downloadedModel(model, conditions: ModelDownloadConditions())
  }

  /// The error of a download that must fail.
  func failure(_ model: RemoteModel) async -> ModelStoreError? {
    do {
      _ = try await download(model)
      return nil
    } catch {
      return error as? ModelStoreError
    }
  }

  /// All files of the store, as paths in its folder.
  var files: [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.filter {
      !((try? folder.appendingPathComponent($0).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false)
    }.sorted()
  }

  /// The models that can be seen, by name of file: what must never be a part of one.
  var modelFiles: [String] { files.filter { $0.hasSuffix(".tflite") } }

  func deletionError(_ model: RemoteModel) async -> (any Error)? {
    await withCheckedContinuation { continuation in
      manager.deleteDownloadedModel(model) { continuation.resume(returning: $0) }
    }
  }
}

/// The notifications about downloads of certain models, as they come.
// Unchecked because of the observers' tokens, which are only touched when it is made and when it goes away.
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

  /// Those of one model, once there are as many as expected or they do not come.
  func of(_ model: RemoteModel, count: Int = 1) async -> [Entry] {
    for _ in 0..<500 {
      let found = entries.list.withLock { $0.filter { $0.model == model.name } }
      if found.count >= count { return found }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return entries.list.withLock { $0.filter { $0.model == model.name } }
  }
}

/// Bytes that look like a model from outside, which is all that the store looks at.
enum SampleModel {
  static func bytes(_ count: Int = 100_000, seed: UInt64 = 1) -> [UInt8] {
    var random = SplitMix64(state: seed)
    var bytes: [UInt8] = [28, 0, 0, 0] + Array("TFL3".utf8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
  }

  /// A name that no other test uses, so that notifications can be told apart.
  static func name(_ stem: String = "model") -> String { stem + "-" + UUID().uuidString.prefix(8) }
}
