public import Dispatch
public import Foundation
public import SwiftletModelStore

/// Downloads models, and looks up downloaded models, with the API of ML Kit's manager.
///
/// - Thread safety: callable concurrently.
public final class ModelManager: NSObject, Sendable {
  /// The store that contains the models. This is an addition to ML Kit's API.
  public let store: ModelStore
  /// The queue on which notifications are posted and completion handlers are called. This is an addition to ML Kit's
  /// API.
  public let callbackQueue: DispatchQueue

  private static let shared = ModelManager(store: ModelStore())

  /// Returns the manager of the app's models, in the default directory.
  public class func modelManager() -> ModelManager { shared }

  /// Creates a manager with its own store. This is an addition to ML Kit's API.
  ///
  /// - Parameters:
  ///   - store: The store that contains the models.
  ///   - callbackQueue: The queue on which notifications are posted and completion handlers are called. A command-line
  ///     program that doesn't run its main queue must specify another one.
  public init(store: ModelStore, callbackQueue: DispatchQueue = .main) {
    self.store = store
    self.callbackQueue = callbackQueue
  }

  /// Returns whether the model is on this device, complete and with its record. Does not use the network.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool { store.record(of: remoteModel.model) != nil }

  /// Returns the downloaded model as a local model. The model is marked as used now, and its file is kept as long as
  /// the result exists. This is an addition to ML Kit's API.
  ///
  /// - Throws: `ModelStoreError.Code.modelNotDownloaded`.
  public func localModel(for remoteModel: RemoteModel) throws(ModelStoreError) -> LocalModel {
    LocalModel(try store.installedModel(remoteModel.model))
  }

  /// Downloads the model if it is not installed, or if its source has a newer version.
  ///
  /// At the end, `mlkitModelDownloadDidSucceed` or `mlkitModelDownloadDidFail` is posted, once per call, on
  /// ``callbackQueue``. Concurrent calls for the same model share one transfer, under the conditions of the first call.
  ///
  /// - Returns: The progress in bytes. It is indeterminate while the source is queried. It finishes only if the
  ///   download succeeds, because the last byte is counted after verification. Cancelling it cancels this call, and the
  ///   transfer if no other call needs it. The bytes transferred so far are kept, and the next download resumes from
  ///   there.
  @discardableResult
  public func download(_ remoteModel: RemoteModel, conditions: ModelDownloadConditions) -> Progress {
    let progress = Progress(totalUnitCount: -1)
    let steps = store.download(
      remoteModel.model, conditions: conditions.allowsCellularAccess ? [] : .noCellularNetwork)
    let task = Task { [self] in
      do throws(ModelStoreError) {
        var iterator = steps.makeAsyncIterator()
        while let step = try await iterator.next() { progress.update(step) }
        notify(remoteModel, nil)
      } catch {
        notify(remoteModel, error)
      }
    }
    progress.cancellationHandler = { task.cancel() }
    return progress
  }

  private func notify(_ model: RemoteModel, _ error: ModelStoreError?) {
    callbackQueue.async {
      var details: [String: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
      details[ModelDownloadUserInfoKey.error.rawValue] = error.map { $0 as NSError }
      NotificationCenter.default.post(
        name: error == nil ? .mlkitModelDownloadDidSucceed : .mlkitModelDownloadDidFail, object: nil, userInfo: details)
    }
  }

  /// Deletes a downloaded model, and the partial file of an interrupted download. A detector that was created from it
  /// keeps working.
  ///
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - completion: Is called on ``callbackQueue``, with `nil` or a `ModelStoreError`: `notFound` if there was nothing
  ///     to delete.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void) {
    let result = Result { () throws(ModelStoreError) in try store.delete(remoteModel.model) }
    // The closure need not be `Sendable`: it is passed on here and called once, on the queue.
    nonisolated(unsafe) let completion = completion
    callbackQueue.async {
      switch result {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }

  /// Deletes a downloaded model, for asynchronous code.
  ///
  /// - Throws: `ModelStoreError`: `notFound` if there was nothing to delete.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws { try store.delete(remoteModel.model) }
}

extension Progress {
  fileprivate func update(_ step: DownloadProgress) {
    switch step {
    case .waiting, .checking, .verifying: break
    case .downloading(let count, let total):
      // Foundation on Linux crashes if a positive unit count becomes 0.
      totalUnitCount = total.map { $0 > 0 ? $0 : -1 } ?? -1
      // A progress with all units is finished, so count the last byte only after verification.
      completedUnitCount = total.map { max(0, min(count, $0 - 1)) } ?? count
    case .installed(let model):
      totalUnitCount = model.record.byteCount
      completedUnitCount = model.record.byteCount
    }
  }
}

/// The conditions under which a download may run.
///
/// - Thread safety: callable concurrently.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// A Boolean value that indicates whether cellular networks may be used. Systems without cellular networks ignore it.
  public let allowsCellularAccess: Bool
  /// A Boolean value for compatibility with ML Kit, which is ignored. Downloads run while the program does, and resume
  /// in its next run.
  public let allowsBackgroundDownloading: Bool

  /// Creates conditions that allow cellular networks, and no background downloads.
  public convenience override init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// Creates conditions.
  ///
  /// - Parameters:
  ///   - allowsCellularAccess: Whether cellular networks may be used.
  ///   - allowsBackgroundDownloading: Ignored.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// Returns the same object, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension Notification.Name {
  /// Posted if a download succeeded, or the newest version was already installed. `userInfo` has the model under
  /// `ModelDownloadUserInfoKey.remoteModel`.
  public static let mlkitModelDownloadDidSucceed = Notification.Name("MLKModelDownloadDidSucceedNotification")
  /// Posted if a download failed. `userInfo` has the model, and the `NSError` under `ModelDownloadUserInfoKey.error`.
  public static let mlkitModelDownloadDidFail = Notification.Name("MLKModelDownloadDidFailNotification")
}

/// A key in the `userInfo` of download notifications.
public struct ModelDownloadUserInfoKey: RawRepresentable, Sendable, Hashable {
  /// The key in the dictionary.
  public var rawValue: String

  /// Creates a key.
  ///
  /// - Parameter rawValue: The key in the dictionary.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The key of the `RemoteModel`.
  public static let remoteModel = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
  /// The key of the `NSError`.
  public static let error = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyError")
}
