public import Dispatch
public import Foundation
public import SwiftletModelStore

/// Downloads models, and finds the downloaded ones, with the calls of ML Kit's manager.
///
/// - Thread safety: callable concurrently.
public final class ModelManager: NSObject, Sendable {
  /// The store that keeps the models: an addition to ML Kit's interface.
  public let store: ModelStore
  /// The queue on which notifications are posted and completion handlers called: an addition to ML Kit's interface.
  public let callbackQueue: DispatchQueue

  private static let shared = ModelManager(store: ModelStore())

  /// Returns the manager of the app's models, in the default folder.
  public class func modelManager() -> ModelManager { shared }

  /// Creates a manager with a store of its own: an addition to ML Kit's interface.
  ///
  /// - Parameters:
  ///   - store: The store that keeps the models.
  ///   - callbackQueue: The queue on which notifications are posted and completion handlers called. A command-line
  ///     program that doesn't run its main queue must name another one.
  public init(store: ModelStore, callbackQueue: DispatchQueue = .main) {
    self.store = store
    self.callbackQueue = callbackQueue
  }

  /// Returns whether the model is on this device, whole and with its record. Does not use the network.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool { store.record(of: remoteModel.model) != nil }

  /// Returns the downloaded model as a file, to be used: an addition to ML Kit's interface. The model counts as used
  /// now, and its file is kept while the result lives.
  ///
  /// - Throws: `ModelStoreError.Code.modelNotDownloaded`.
  public func localModel(for remoteModel: RemoteModel) throws(ModelStoreError) -> LocalModel {
    LocalModel(try store.installedModel(remoteModel.model))
  }

  /// Downloads the model if it is not there, or if its source has a newer version.
  ///
  /// At the end `mlkitModelDownloadDidSucceed` or `mlkitModelDownloadDidFail` is posted, once per call, on
  /// ``callbackQueue``. Calls for a model that is being downloaded share one transfer, under the conditions of the
  /// first.
  ///
  /// - Returns: The progress in bytes. It is indeterminate while the source is asked, and finished on success only, as
  ///   the last byte counts when the file is checked. Cancelling it cancels this call, and the transfer if no other call
  ///   wants it. What was transferred so far is kept and resumed by the next download.
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

  /// Deletes a downloaded model, and what is left of an interrupted download. A detector that was made with it goes on
  /// working.
  ///
  /// - Parameters:
  ///   - remoteModel: The model.
  ///   - completion: The handler that is called on ``callbackQueue``, with `nil` or a `ModelStoreError`: `notFound` if
  ///     there was nothing.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void) {
    let result = Result { () throws(ModelStoreError) in try store.delete(remoteModel.model) }
    // A caller's closure need not be Sendable: it is handed over here and called once, on the queue.
    nonisolated(unsafe) let completion = completion
    callbackQueue.async {
      switch result {
      case .success: completion(nil)
      case .failure(let error): completion(error)
      }
    }
  }

  /// Deletes a downloaded model, for code that waits.
  ///
  /// - Throws: `ModelStoreError`: `notFound` if there was nothing.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws { try store.delete(remoteModel.model) }
}

extension Progress {
  fileprivate func update(_ step: DownloadProgress) {
    switch step {
    case .waiting, .checking, .verifying: break
    case .downloading(let count, let total):
      // The Foundation of Linux ends the program where a number of units above 0 becomes 0.
      totalUnitCount = total.map { $0 > 0 ? $0 : -1 } ?? -1
      // The last byte counts when the file is checked: a progress that has all of them is finished.
      completedUnitCount = total.map { max(0, min(count, $0 - 1)) } ?? count
    case .installed(let model):
      totalUnitCount = model.record.byteCount
      completedUnitCount = model.record.byteCount
    }
  }
}

/// Under which conditions a download may run.
///
/// - Thread safety: callable concurrently.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// A Boolean value that indicates whether it may use a mobile network. Systems without mobile networks ignore it.
  public let allowsCellularAccess: Bool
  /// A Boolean value that is accepted so that code for ML Kit compiles, and ignored: downloads run while the program
  /// does, and go on where they were in the next one.
  public let allowsBackgroundDownloading: Bool

  /// Creates conditions that allow mobile networks, and no download in the background.
  public convenience override init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// - Parameters:
  ///   - allowsCellularAccess: whether a mobile network may be used.
  ///   - allowsBackgroundDownloading: ignored.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// The same object, as it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension Notification.Name {
  /// A download succeeded, or found that the newest version is there. `userInfo` has the model under
  /// `ModelDownloadUserInfoKey.remoteModel`.
  public static let mlkitModelDownloadDidSucceed = Notification.Name("MLKModelDownloadDidSucceedNotification")
  /// A download failed. `userInfo` has the model, and the `NSError` under `ModelDownloadUserInfoKey.error`.
  public static let mlkitModelDownloadDidFail = Notification.Name("MLKModelDownloadDidFailNotification")
}

/// A key of the `userInfo` of notifications about downloads.
public struct ModelDownloadUserInfoKey: RawRepresentable, Sendable, Hashable {
  /// The key in the dictionary.
  public var rawValue: String

  /// - Parameter rawValue: the key in the dictionary.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `RemoteModel`.
  public static let remoteModel = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
  /// The `NSError`.
  public static let error = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyError")
}
