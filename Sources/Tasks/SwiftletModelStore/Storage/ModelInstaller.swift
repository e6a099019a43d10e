import Foundation
import SwiftletBase
import SwiftletSchema

/// Installs a complete download, if it is a valid model. At any moment there is the old model, the new one, or none,
/// but never a part of a model.
struct ModelInstaller: Sendable {
  let folder: ModelFolder
  let environment: StoreEnvironment

  /// Verifies the downloaded file and replaces the installed one.
  ///
  /// - Throws: `ModelStoreError` if the file is not the expected model. The download is then removed, and the installed
  ///   model is kept.
  @discardableResult
  func install(_ file: RemoteModelFile, sha256 pinned: String?, etag: String?) throws(ModelStoreError) -> ModelRecord {
    let data = folder.partialDataPath
    let record: ModelRecord
    do throws(ModelStoreError) {
      record = try verified(file, pinned: pinned, etag: etag)
    } catch {
      if error.code != .cancelled { try? PartialFile(folder: folder).discard() }
      throw error
    }
    environment.reached(.verified, record.byteCount)
    try SystemCalls.sync(data)
    environment.reached(.synced, record.byteCount)
    try SystemCalls.rename(data, to: folder.filePath(record))
    SystemCalls.forbidWriting(folder.filePath(record))
    try SystemCalls.sync(folder.path)
    environment.reached(.renamed, record.byteCount)
    // From now on, the new model is the installed one.
    try folder.write(record, to: folder.recordPath)
    environment.reached(.recorded, record.byteCount)
    removeAllBut(record)
    environment.reached(.cleaned, record.byteCount)
    return record
  }

  private func verified(_ file: RemoteModelFile, pinned: String?, etag: String?) throws(ModelStoreError) -> ModelRecord
  {
    let place = HTTPClient.shown(file.url)
    let count = PathKind.byteCount(of: folder.partialDataPath) ?? 0
    if let size = file.size, size != count {
      throw ModelStoreError(.sizeMismatch, "\(place) has \(count) bytes, but the model has \(size)")
    }
    let (start, hash) = try startAndHash()
    for expected in [file.sha256, pinned].compactMap(\.self) where expected != hash {
      throw ModelStoreError(
        .hashMismatch,
        "\(place) has the SHA-256 \(hash), but the model has \(expected); it was changed or damaged in transit")
    }
    let isBundle = file.url.path.hasSuffix(".task")
    if let reason = isBundle
      ? FileKind.reasonNotABundle(ByteRegion(start)) : FileKind.reasonNotAModel(ByteRegion(start))
    {
      throw ModelStoreError(.notAModel, "\(place): \(reason.message)")
    }
    return ModelRecord(
      name: folder.name, source: folder.source, version: file.version ?? etag, sha256: hash, byteCount: count,
      installed: environment.now())
  }

  /// Returns the first bytes of the download, and the SHA-256 of the whole file.
  private func startAndHash() throws(ModelStoreError) -> ([UInt8], String) {
    var start: [UInt8] = []
    var hash = SHA256()
    let handle = try SystemCalls.openFile(folder.partialDataPath, for: .reading)
    do {
      defer { try? handle.close() }
      while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty {
        try Task.checkCancellation()
        if start.isEmpty { start = Array(bytes.prefix(1024)) }
        hash.update([UInt8](bytes))
      }
    } catch {
      throw error is CancellationError
        ? .cancelled : ModelFolder.failure(error, "\(folder.partialDataPath.excerpt) cannot be read")
    }
    return (start, hash.hexDigest())
  }

  /// Removes older versions that are not in use, and leftovers of downloads.
  func removeAllBut(_ record: ModelRecord?) {
    let kept = [record?.fileName, record == nil ? nil : ModelFolder.recordName]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] where !kept.contains(name) {
      let path = folder.path + "/" + name
      // Don't open kinds of files that the store never creates, and don't follow symbolic links.
      if case .other? = PathKind(of: path) {
        try? folder.remove(path)
        continue
      }
      guard let descriptor = SystemCalls.lock(path, isShared: false) else { continue }
      try? folder.remove(path)
      SystemCalls.unlock(descriptor)
    }
  }
}
