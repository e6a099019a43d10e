import Foundation
import SwiftletBase

/// Downloads, stores, and looks up models.
///
/// Only ``model(_:conditions:)`` and ``download(_:conditions:)`` use the network. A partial file never counts as a
/// model. model.
///
/// ```swift
/// let store = ModelStore()
/// let model = try await store.model(.published("blaze-face-short-range"))
/// let detector = try FaceDetector(.file(model.path))
/// ```
///
/// Several stores, even in several processes, may share a directory.
public actor ModelStore {
  /// The directory and limits of the store.
  public nonisolated let options: ModelStoreOptions
  private nonisolated let environment: StoreEnvironment
  private var downloads: [String: SharedDownload] = [:]

  /// Creates a store.
  ///
  /// - Parameter options: The directory and limits of the store.
  public init(options: ModelStoreOptions = ModelStoreOptions()) {
    self.init(options: options, environment: StoreEnvironment())
  }

  package init(options: ModelStoreOptions, environment: StoreEnvironment) {
    self.options = options
    self.environment = environment
  }

  // MARK: Installed models

  /// The records of all installed models, ordered by name.
  public nonisolated var records: [ModelRecord] { cache.records }

  /// Returns the record of the model, or `nil` if the model isn't installed or doesn't have the required SHA-256.
  public nonisolated func record(of model: RemoteModel) -> ModelRecord? {
    guard let record = folder(of: model).record(), model.sha256 == nil || model.sha256 == record.sha256 else {
      return nil
    }
    return record
  }

  /// Returns the model if it is installed, without using the network. This marks the model as used now.
  ///
  /// - Throws: ``ModelStoreError/Code/modelNotDownloaded``.
  public nonisolated func installedModel(_ model: RemoteModel) throws(ModelStoreError) -> InstalledModel {
    let folder = folder(of: model)
    // Between the check and the lease, another version may have replaced the model, or another process that holds a
    // lock may be about to remove it.
    for attempt in 0..<50 {
      guard let record = record(of: model) else { break }
      if attempt > 0 { Thread.sleep(forTimeInterval: 0.002) }
      guard let lease = ModelLease(folder.filePath(record)), folder.record() == record else { continue }
      cache.touch(folder)
      return InstalledModel(record: record, path: folder.filePath(record), lease: lease)
    }
    throw ModelStoreError(
      .modelNotDownloaded, "the model '\(model.name.excerpt)' is not downloaded; download it first")
  }

  /// Returns the path of an installed model, for display. It doesn't mark the model as used or protect its file.
  package nonisolated func installedPath(of model: RemoteModel) -> String? {
    record(of: model).map { folder(of: model).filePath($0) }
  }

  /// Returns whether the model is installed, or is being downloaded by this store.
  public func state(of model: RemoteModel) -> ModelState {
    if let progress = downloads[folder(of: model).path]?.progress { return .downloading(progress) }
    return record(of: model).map { .installed($0) } ?? .absent
  }

  // MARK: Downloads

  /// Returns the newest version of the model, and downloads it first if it isn't installed.
  ///
  /// Cancelling the task cancels the download, unless others wait for the same model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - conditions: The networks that must not be used.
  /// - Throws: ``ModelStoreError``.
  public nonisolated func model(_ model: RemoteModel, conditions: DownloadConditions = [])
    async throws(ModelStoreError) -> InstalledModel
  {
    var steps = download(model, conditions: conditions).makeAsyncIterator()
    while let step = try await steps.next() {
      if case .installed(let model) = step { return model }
    }
    throw .cancelled
  }

  /// Returns the steps of a download, the last of which has the installed model.
  ///
  /// ```swift
  /// for try await progress in store.download(birds) {
  ///   if case .installed(let model) = progress { print(model.path) }
  /// }
  /// ```
  ///
  /// Nothing is requested before the first iteration.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - conditions: The networks that must not be used.
  public nonisolated func download(_ model: RemoteModel, conditions: DownloadConditions = []) -> ModelDownload {
    ModelDownload(store: self, model: model, conditions: conditions)
  }

  /// Joins the download of a model, or starts it.
  func updates(of model: RemoteModel, _ conditions: DownloadConditions) -> SharedDownload.Updates {
    let folder = folder(of: model)
    if let updates = downloads[folder.path]?.join() { return updates }
    let download = SharedDownload()
    downloads[folder.path] = download
    defer { start(download, model, conditions, folder) }
    return download.join() ?? SharedDownload.Updates { $0.finish() }
  }

  private func start(
    _ download: SharedDownload, _ model: RemoteModel, _ conditions: DownloadConditions, _ folder: ModelFolder
  ) {
    let client = HTTPClient(options: options, environment: environment, conditions: conditions)
    let fetch = ModelFetch(model: model, folder: folder, client: client) { download.report($0) }
    download.start { [self] in
      let outcome: Result<InstalledModel, ModelStoreError>
      do throws(ModelStoreError) {
        try await fetch.run()
        // Acquire the lease before other models are removed to make room: it marks this one as in use.
        let installed = try installedModel(model)
        cache.makeRoom(keeping: folder)
        outcome = .success(installed)
      } catch {
        outcome = .failure(error)
      }
      await remove(download, folder.path)
      download.finish(outcome)
    }
  }

  /// Removes a finished download, so that another one for the same model can start.
  private func remove(_ download: SharedDownload, _ key: String) {
    if downloads[key] === download { downloads[key] = nil }
  }

  // MARK: Deletion

  /// Deletes an installed model and the partial file of an interrupted download. A task that was created from the model
  /// keeps working.
  ///
  /// - Throws: ``ModelStoreError/Code/notFound`` if there is nothing to delete, ``ModelStoreError/Code/storage`` if the
  ///   files can't be deleted.
  public nonisolated func delete(_ model: RemoteModel) throws(ModelStoreError) {
    if let error = cache.delete(folder(of: model), name: model.name) { throw error }
  }

  private nonisolated var cache: ModelCache { ModelCache(options: options, environment: environment) }

  private nonisolated func folder(of model: RemoteModel) -> ModelFolder { ModelFolder(model, in: options.directory) }
}
