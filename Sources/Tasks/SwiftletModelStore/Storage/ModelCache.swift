import Foundation
import SwiftletBase

/// All models of the store: their total size, and the order in which they are removed.
package struct ModelCache: Sendable {
  let options: ModelStoreOptions
  let environment: StoreEnvironment

  package init(options: ModelStoreOptions, environment: StoreEnvironment) {
    self.options = options
    self.environment = environment
  }

  /// An installed model, or the partial file of a download.
  private struct Entry {
    var folder: String
    /// The record of the model; `nil` for a partial file.
    var record: ModelRecord?
    var byteCount: Int64
    var lastUse: Date

    func goes(before other: Entry) -> Bool {
      guard (record == nil) == (other.record == nil) else { return record == nil }
      return (lastUse, folder) < (other.lastUse, other.folder)
    }
  }

  /// Marks a model as used now, with the modification time of its record file.
  func touch(_ folder: ModelFolder) {
    try? FileManager.default.setAttributes([.modificationDate: environment.now()], ofItemAtPath: folder.recordPath)
  }

  /// Removes abandoned partial files, and then the least recently used models, until the limit is met. Files in use are
  /// kept.
  ///
  /// - Parameter kept: The model that was just installed.
  package func makeRoom(keeping kept: ModelFolder) {
    let root = options.directory.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let entries = names.flatMap { self.entries(of: root + "/" + $0) }.sorted { $0.goes(before: $1) }
    // Sparse files can have arbitrary sizes, so the sum may overflow.
    var total = entries.reduce(Int64(0)) { sum, entry in
      let (next, isTooLarge) = sum.addingReportingOverflow(entry.byteCount)
      return isTooLarge ? Int64.max : next
    }
    for entry in entries where total > options.totalByteLimit {
      guard entry.folder != kept.path, removeUnused(entry) else { continue }
      total -= entry.byteCount
    }
  }

  /// The records of all installed models, ordered by name.
  var records: [ModelRecord] {
    let root = options.directory.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return names.compactMap { name in
      guard case .folder? = PathKind(of: root + "/" + name),
        let record = ModelFolder.record(atPath: root + "/" + name + "/" + ModelFolder.recordName)
      else { return nil }
      let folder = ModelFolder(name: record.name, source: record.source, in: options.directory)
      return folder.path == root + "/" + name ? folder.record() : nil
    }
    .sorted { ($0.name, $0.source) < ($1.name, $1.source) }
  }

  private func entries(of folder: String) -> [Entry] {
    func date(_ path: String) -> Date? {
      try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    // A symbolic link may lead outside the store.
    guard case .folder? = PathKind(of: folder) else { return [] }
    var entries: [Entry] = []
    let data = folder + "/" + ModelFolder.partialDataName, path = folder + "/" + ModelFolder.recordName
    if let count = PathKind.byteCount(of: data), let date = date(data) {
      entries.append(Entry(folder: folder, record: nil, byteCount: count, lastUse: date))
    }
    if let record = ModelFolder.record(atPath: path), let date = date(path) {
      // Use the actual size of the file, because the record may contain any number.
      entries.append(
        Entry(
          folder: folder, record: record, byteCount: PathKind.byteCount(of: folder + "/" + record.fileName) ?? 0,
          lastUse: date))
    }
    return entries
  }

  /// Removes an entry unless somebody holds a lease on it or is working in its directory. Returns whether it was
  /// removed.
  private func removeUnused(_ entry: Entry) -> Bool {
    guard let work = SystemCalls.lock(entry.folder, isShared: false) else { return false }
    defer { SystemCalls.unlock(work) }
    guard let record = entry.record else {
      try? FileManager.default.removeItem(atPath: entry.folder + "/" + ModelFolder.partialDataName)
      return true
    }
    guard let lock = SystemCalls.lock(entry.folder + "/" + record.fileName, isShared: false) else { return false }
    defer { SystemCalls.unlock(lock) }
    remove(entry.folder)
    return true
  }

  /// Deletes a model.
  ///
  /// - Returns: An error if there was no model, or it could not be removed.
  func delete(_ folder: ModelFolder, name: String) -> ModelStoreError? {
    let manager = FileManager.default
    guard manager.fileExists(atPath: folder.recordPath) || manager.fileExists(atPath: folder.partialDataPath) else {
      return ModelStoreError(.notFound, "the model '\(name.excerpt)' is not downloaded, so it cannot be deleted")
    }
    // If a download of the model is in progress, it continues and installs the model again.
    if let work = SystemCalls.lock(folder.path, isShared: false) {
      remove(folder.path)
      SystemCalls.unlock(work)
    } else {
      let record = folder.record()
      try? folder.remove(folder.recordPath)
      if let record { try? folder.remove(folder.filePath(record)) }
    }
    guard manager.fileExists(atPath: folder.recordPath) else { return nil }
    return ModelStoreError(.storage, "\(folder.recordPath.excerpt) cannot be removed")
  }

  /// Removes the record first: without it, the other files don't count as a model.
  private func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder + "/" + ModelFolder.recordName)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
