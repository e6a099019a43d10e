import Foundation
import SwiftletBase

/// All models of the store together: how much room they take, and which go first.
package struct ModelCache: Sendable {
  let options: ModelStoreOptions
  let environment: StoreEnvironment

  package init(options: ModelStoreOptions, environment: StoreEnvironment) {
    self.options = options
    self.environment = environment
  }

  /// An installed model, or what came of a download.
  private struct Entry {
    var folder: String
    /// `nil` for what came of a download.
    var record: ModelRecord?
    var byteCount: Int64
    var lastUse: Date

    func goes(before other: Entry) -> Bool {
      guard (record == nil) == (other.record == nil) else { return record == nil }
      return (lastUse, folder) < (other.lastUse, other.folder)
    }
  }

  /// Notes that a model is used now: the time is that of its record's file.
  func touch(_ folder: ModelFolder) {
    try? FileManager.default.setAttributes([.modificationDate: environment.now()], ofItemAtPath: folder.recordPath)
  }

  /// Removes what came of downloads that nobody continued, and then the models that were not used for longest, until
  /// the rest has no more bytes than the limit. What is in use stays.
  ///
  /// - Parameter kept: the model that was just installed.
  package func makeRoom(keeping kept: ModelFolder) {
    let root = options.directory.path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let entries = names.flatMap { self.entries(of: root + "/" + $0) }.sorted { $0.goes(before: $1) }
    // Files may be sparse, so their sizes may be any numbers.
    var total = entries.reduce(Int64(0)) { sum, entry in
      let (next, isTooLarge) = sum.addingReportingOverflow(entry.byteCount)
      return isTooLarge ? Int64.max : next
    }
    for entry in entries where total > options.totalByteLimit {
      guard entry.folder != kept.path, removeUnused(entry) else { continue }
      total -= entry.byteCount
    }
  }

  /// The records of all installed models, by name.
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
    // What a link leads to is not the store's.
    guard case .folder? = PathKind(of: folder) else { return [] }
    var entries: [Entry] = []
    let data = folder + "/" + ModelFolder.partialDataName, path = folder + "/" + ModelFolder.recordName
    if let count = PathKind.byteCount(of: data), let date = date(data) {
      entries.append(Entry(folder: folder, record: nil, byteCount: count, lastUse: date))
    }
    if let record = ModelFolder.record(atPath: path), let date = date(path) {
      // The size that the file has: a record may say any.
      entries.append(
        Entry(
          folder: folder, record: record, byteCount: PathKind.byteCount(of: folder + "/" + record.fileName) ?? 0,
          lastUse: date))
    }
    return entries
  }

  /// Removes what nobody holds a lease of, and whose folder nobody works in.
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

  /// - Returns: an error if there was nothing, or it could not be removed.
  func delete(_ folder: ModelFolder, name: String) -> ModelStoreError? {
    let manager = FileManager.default
    guard manager.fileExists(atPath: folder.recordPath) || manager.fileExists(atPath: folder.partialDataPath) else {
      return ModelStoreError(.notFound, "the model '\(name.excerpt)' is not downloaded, so it cannot be deleted")
    }
    // A download of it that is under way goes on, and installs it again.
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

  /// The record first: without it the rest is no model.
  private func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder + "/" + ModelFolder.recordName)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
