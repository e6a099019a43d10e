import Foundation

/// All models of the store together: how much room they take, and which go first.
struct ModelCache: Sendable {
  let options: ModelStoreOptions
  let environment: StoreEnvironment

  private struct Entry {
    var folder: String
    var record: ModelRecord
    var lastUse: Date
  }

  /// Notes that a model is used now: the time is that of its record's file.
  func touch(_ folder: ModelFolder) {
    try? FileManager.default.setAttributes([.modificationDate: environment.now()], ofItemAtPath: folder.recordPath)
  }

  /// Removes the models that were not used for longest until the others have no more bytes than the limit. Those in use stay.
  ///
  /// - Parameter kept: the one that was just installed.
  func makeRoom(keeping kept: ModelFolder) {
    let entries = entries()
    var total = entries.reduce(0) { $0 + $1.record.byteCount }
    for entry in entries.sorted(by: { ($0.lastUse, $0.folder) < ($1.lastUse, $1.folder) }) where total > options.totalByteLimit {
      guard entry.folder != kept.path, removeUnused(entry) else { continue }
      total -= entry.record.byteCount
    }
  }

  private func entries() -> [Entry] {
    let root = options.directory.path
    return ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { name in
      let folder = root + "/" + name, path = folder + "/record.json"
      guard let record = ModelFolder.record(atPath: path),
        let lastUse = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      else { return nil }
      return Entry(folder: folder, record: record, lastUse: lastUse)
    }
  }

  /// Removes a model that nobody holds a lease of, and whose folder nobody works in.
  private func removeUnused(_ entry: Entry) -> Bool {
    guard let work = SystemCalls.lock(entry.folder, isShared: false) else { return false }
    defer { SystemCalls.unlock(work) }
    let file = entry.folder + "/" + entry.record.fileName
    guard let lock = SystemCalls.lock(file, isShared: false) else { return false }
    defer { SystemCalls.unlock(lock) }
    remove(entry.folder)
    return true
  }

  /// - Returns: an error if there was nothing, or it could not be removed.
  func delete(_ folder: ModelFolder, name: String) -> ModelStoreError? {
    let manager = FileManager.default
    guard manager.fileExists(atPath: folder.recordPath) || manager.fileExists(atPath: folder.partialDataPath) else {
      return ModelStoreError(.notFound, "the model '\(name)' is not downloaded, so it cannot be deleted")
    }
    // A download of it that is under way goes on, and installs it anew.
    if let work = SystemCalls.lock(folder.path, isShared: false) {
      remove(folder.path)
      SystemCalls.unlock(work)
    } else {
      let record = folder.record()
      folder.remove(folder.recordPath)
      if let record { folder.remove(folder.filePath(record)) }
    }
    guard manager.fileExists(atPath: folder.recordPath) else { return nil }
    return ModelStoreError(.storage, "\(folder.recordPath) cannot be removed")
  }

  /// The record first: without it the rest is no model.
  private func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder + "/record.json")
    try? FileManager.default.removeItem(atPath: folder)
  }
}
