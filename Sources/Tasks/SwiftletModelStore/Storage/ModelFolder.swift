package import Foundation
import SwiftletBase

/// The directory of one model in the store.
///
///     record.json     the record of the installed model, which counts as installed once this file exists
///     HASH.tflite     the model itself
///     partial.data    the partial file of an unfinished download
///     partial.json    the description of the file that it is a part of
package struct ModelFolder: Sendable {
  let path: String
  let name: String
  let source: String

  package static let recordName = "record.json"
  package static let partialDataName = "partial.data"

  var recordPath: String { path + "/" + Self.recordName }
  package var partialDataPath: String { path + "/" + Self.partialDataName }
  package var partialNotePath: String { path + "/partial.json" }

  /// Creates the directory of a model.
  ///
  /// - Parameter directory: The directory of all models.
  package init(_ model: RemoteModel, in directory: URL) {
    self.init(name: model.name, source: model.source.identity, in: directory)
  }

  init(name: String, source: String, in directory: URL) {
    self.name = name
    self.source = source
    path = directory.appendingPathComponent(Self.key(name: name, source: source), isDirectory: true).path
  }

  /// Returns the name of the directory. It is readable, a valid file name for any model name, and unique even on
  /// case-insensitive file systems.
  private static func key(name: String, source: String) -> String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let readable = (name.addingPercentEncoding(withAllowedCharacters: plain) ?? "").prefix(60)
    return readable + "-" + SHA256.hex(of: Array((name + "\0" + source).utf8)).prefix(16)
  }

  func filePath(_ record: ModelRecord) -> String { path + "/" + record.fileName }

  /// Returns the record, if it is valid and its file exists with the recorded size.
  func record() -> ModelRecord? {
    guard let record = Self.record(atPath: recordPath), record.name == name, record.source == source,
      PathKind.byteCount(of: filePath(record)) == record.byteCount
    else { return nil }
    return record
  }

  /// Returns the record from a file, if it is valid.
  package static func record(atPath path: String) -> ModelRecord? {
    guard let record: ModelRecord = value(atPath: path), record.isSound else { return nil }
    return record
  }

  /// Returns the contents of a small file of the store; `nil` if it doesn't exist, or has other contents.
  static func value<Value: Decodable>(atPath path: String) -> Value? {
    guard let bytes = try? MappedFile.read(path, maximumByteCount: maximumNote, followsLinks: false) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: Data(bytes.bytes))
  }

  /// The maximum size of a small file: larger than any file that the store writes.
  private static let maximumNote = 1 << 20

  /// Creates the directory.
  ///
  /// - Throws: `ModelStoreError.Code.storage` if the directory cannot be created, or its path is something else, such
  ///   as a symbolic link out of the store.
  package func make() throws(ModelStoreError) {
    if case .folder? = PathKind(of: path) { return }
    guard PathKind(of: path) == nil else {
      throw ModelStoreError(.storage, "\(path.excerpt) is not a directory of the store; remove it")
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ModelStoreError(
        .storage, "the folder \(path.excerpt) cannot be made: \(error.localizedDescription.excerpt)")
    }
  }

  /// Writes a small file atomically and durably, so that it survives a power failure.
  func write(_ value: some Encodable, to path: String) throws(ModelStoreError) {
    let temporary = path + ".new"
    try Self.write(value, toNew: temporary, for: path)
    try SystemCalls.sync(temporary)
    try SystemCalls.rename(temporary, to: path)
    try SystemCalls.sync(self.path)
  }

  /// Writes a file that nobody else can have opened, and replaces an existing one.
  ///
  /// - Parameter target: The final path of the file, for errors.
  static func write(_ value: some Encodable, toNew path: String, for target: String, permissions: mode_t = 0o644)
    throws(ModelStoreError)
  {
    try? FileManager.default.removeItem(atPath: path)
    let handle = try SystemCalls.openFile(path, for: .creating(permissions: permissions))
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      try handle.write(contentsOf: try encoder.encode(value))
      try handle.close()
    } catch {
      throw failure(error, "\(target.excerpt) cannot be written")
    }
  }

  /// Removes a file, which need not exist.
  ///
  /// - Throws: `ModelStoreError.Code.storage` if it still exists.
  func remove(_ path: String) throws(ModelStoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch  where PathKind(of: path) == nil {
      return
    } catch {
      throw Self.failure(error, "\(path.excerpt) cannot be removed")
    }
  }

  /// Returns an error from Foundation as a model store error, with a separate code for a full disk.
  static func failure(_ error: any Error, _ what: String) -> ModelStoreError {
    var cause = error as NSError
    while let underlying = cause.userInfo[NSUnderlyingErrorKey] as? NSError { cause = underlying }
    let isFull =
      cause.domain == NSPOSIXErrorDomain && SystemCalls.isFullDisk(Int32(clamping: cause.code))
      || (error as NSError).code == CocoaError.fileWriteOutOfSpace.rawValue
    return ModelStoreError(
      isFull ? .notEnoughSpace : .storage, "\(what): \(isFull ? "the disk is full" : error.localizedDescription)")
  }
}
