public import Foundation
import SwiftletBase

/// Downloads models, keeps them, and finds them again.
///
/// Nothing is requested until `download` is called, and nothing of a download is visible until all of it is there and
/// checked.
///
///     let model = CustomRemoteModel(remoteModelSource: URLModelSource(name: "birds", url: url, sha256: digest))
///     let local = try await ModelManager.modelManager().downloadedModel(model, conditions: ModelDownloadConditions())
///
/// - Thread safety: callable concurrently. Several managers, also of several processes, may share a folder.
public final class ModelManager: NSObject, Sendable {
  /// Where it keeps models, and its limits.
  public let options: ModelStoreOptions
  let environment: StoreEnvironment
  private let running = Mutex<[String: Download]>([:])

  private static let shared = ModelManager(options: ModelStoreOptions())

  /// The manager of the app's models, in the default folder.
  public class func modelManager() -> ModelManager { shared }

  /// A manager with a folder or limits of its own.
  public convenience init(options: ModelStoreOptions) {
    self.init(options: options, environment: StoreEnvironment())
  }

  package init(options: ModelStoreOptions, environment: StoreEnvironment) {
    self.options = options
    self.environment = environment
  }

  // MARK: What is there

  /// Whether the model is on this device, whole and with its record. Does not ask the network.
  public func isModelDownloaded(_ remoteModel: RemoteModel) -> Bool { downloadedRecord(of: remoteModel) != nil }

  /// What is known of a downloaded model; `nil` if it is not on this device.
  public func downloadedRecord(of remoteModel: RemoteModel) -> ModelRecord? {
    guard let record = folder(of: remoteModel).record() else { return nil }
    // An app that knows the hash wants that file and no older one.
    guard remoteModel.source.sha256 == nil || remoteModel.source.sha256 == record.sha256 else { return nil }
    return record
  }

  /// The downloaded model as a file, to be used. It counts as used now, and is kept while the result lives.
  ///
  /// - Throws: `ModelStoreError.Code.modelNotDownloaded`.
  public func localModel(for remoteModel: RemoteModel) throws(ModelStoreError) -> LocalModel {
    let folder = folder(of: remoteModel)
    // Between the check and the lease another version may have replaced it, or the holder of its lock may be about to
    // remove it.
    for attempt in 0..<50 {
      guard let record = downloadedRecord(of: remoteModel) else { break }
      if attempt > 0 { Thread.sleep(forTimeInterval: 0.002) }
      guard let lease = ModelLease(folder.filePath(record)), folder.record() == record else { continue }
      ModelCache(options: options, environment: environment).touch(folder)
      return LocalModel(path: folder.filePath(record), lease: lease)
    }
    throw ModelStoreError(
      .modelNotDownloaded,
      "the model '\(remoteModel.name.excerpt)' is not downloaded; call download(_:conditions:) first")
  }

  /// The file of a downloaded model, to be shown and not to be used: it does not count as used, and nothing keeps it.
  package func installedPath(of remoteModel: RemoteModel) -> String? {
    downloadedRecord(of: remoteModel).map { folder(of: remoteModel).filePath($0) }
  }

  /// How far the model is.
  public func state(of remoteModel: RemoteModel) -> ModelDownloadState {
    if let download = running.withLock({ $0[folder(of: remoteModel).path] }) { return download.state }
    return isModelDownloaded(remoteModel) ? .installed : .absent
  }

  // MARK: Download

  /// Downloads the model if it is not there, or if its source has a newer version.
  ///
  /// At the end `mlkitModelDownloadDidSucceed` or `mlkitModelDownloadDidFail` is posted, once for each call, on
  /// `options.callbackQueue`. Calls for a model that is being downloaded share one transfer, under the conditions of
  /// the first.
  ///
  /// - Returns: counts bytes; indeterminate while the source is asked; finished on success only, as the last byte counts
  ///   when the file is checked. Cancelling it cancels this call, and the transfer if no other call wants it; what came
  ///   so far is kept and continued by the next download.
  @discardableResult
  public func download(_ remoteModel: RemoteModel, conditions: ModelDownloadConditions) -> Progress {
    let progress = Progress(totalUnitCount: -1)
    begin(remoteModel, conditions, progress) { _ in }
    return progress
  }

  /// The same for code that waits. Cancelling the task cancels the download.
  ///
  /// Its name is another one, so that `download` gives a progress in asynchronous functions too.
  ///
  /// - Parameters:
  ///   - remoteModel: the model.
  ///   - conditions: under which it may run.
  ///   - progress: is given the model's size and counts its bytes.
  /// - Throws: `ModelStoreError`, also for what was cancelled.
  public func downloadedModel(
    _ remoteModel: RemoteModel, conditions: ModelDownloadConditions,
    progress: Progress = Progress(totalUnitCount: -1)
  ) async throws -> LocalModel {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(remoteModel, conditions, progress) { continuation.resume(with: $0.mapError { $0 as any Error }) }
        if Task.isCancelled { progress.cancel() }
      }
    } onCancel: {
      progress.cancel()
    }
  }

  private func begin(
    _ model: RemoteModel, _ conditions: ModelDownloadConditions, _ progress: Progress,
    _ completion: @escaping @Sendable (Download.Outcome) -> Void
  ) {
    let key = folder(of: model).path
    var joined: (Download, Int)?
    while joined == nil {
      let (download, isNew) = running.withLock { running in
        if let download = running[key] { return (download, false) }
        let download = Download()
        running[key] = download
        return (download, true)
      }
      if let id = download.join(
        progress,
        { [self] outcome in
          notify(model, outcome)
          completion(outcome)
        })
      {
        joined = (download, id)
        if isNew { start(download, model, conditions, key: key) }
      } else {
        remove(download, key)
      }
    }
    guard let (download, id) = joined else { return }
    progress.cancellationHandler = { [self] in
      if download.leave(id) { remove(download, key) }
    }
    if progress.isCancelled, download.leave(id) { remove(download, key) }
  }

  private func start(_ download: Download, _ model: RemoteModel, _ conditions: ModelDownloadConditions, key: String) {
    let folder = folder(of: model)
    let client = HTTPClient(
      options: options, environment: environment, allowsCellularAccess: conditions.allowsCellularAccess)
    let fetch = ModelFetch(model: model, folder: folder, client: client) { download.report($0) }
    download.start { [self] in
      var byteCount: Int64?
      let outcome: Download.Outcome
      do throws(ModelStoreError) {
        let record = try await fetch.run()
        // Before others are removed to make room: the lease says that this one is in use.
        let local = try localModel(for: model)
        ModelCache(options: options, environment: environment).makeRoom(keeping: folder)
        byteCount = record.byteCount
        outcome = .success(local)
      } catch {
        outcome = .failure(error)
      }
      remove(download, key)
      download.finish(outcome, byteCount: byteCount)
    }
  }

  /// Makes way for another download of the same model.
  private func remove(_ download: Download, _ key: String) {
    running.withLock { running in
      if running[key] === download { running[key] = nil }
    }
  }

  private func notify(_ model: RemoteModel, _ outcome: Download.Outcome) {
    options.callbackQueue.async {
      var details: [String: Any] = [ModelDownloadUserInfoKey.remoteModel.rawValue: model]
      switch outcome {
      case .success:
        NotificationCenter.default.post(name: .mlkitModelDownloadDidSucceed, object: nil, userInfo: details)
      case .failure(let error):
        details[ModelDownloadUserInfoKey.error.rawValue] = error as NSError
        NotificationCenter.default.post(name: .mlkitModelDownloadDidFail, object: nil, userInfo: details)
      }
    }
  }

  // MARK: Deletion

  /// Removes a downloaded model, and what came of a download that is not finished. A detector that was made with it
  /// goes on working.
  ///
  /// - Parameters:
  ///   - remoteModel: the model.
  ///   - completion: called on `options.callbackQueue`, with `nil` or a `ModelStoreError`: `notFound` if there was
  ///     nothing.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel, completion: @escaping ((any Error)?) -> Void) {
    let error = delete(remoteModel)
    // A caller's closure need not be Sendable: it is handed over here and called once, on the queue that the options
    // name.
    nonisolated(unsafe) let completion = completion
    options.callbackQueue.async { completion(error) }
  }

  /// The same for code that waits.
  ///
  /// - Throws: `ModelStoreError`: `notFound` if there was nothing.
  public func deleteDownloadedModel(_ remoteModel: RemoteModel) async throws {
    if let error = delete(remoteModel) { throw error }
  }

  private func delete(_ remoteModel: RemoteModel) -> (any Error)? {
    ModelCache(options: options, environment: environment).delete(folder(of: remoteModel), name: remoteModel.name)
  }

  private func folder(of model: RemoteModel) -> ModelFolder { ModelFolder(model, in: options.directory) }
}
