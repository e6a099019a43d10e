package import Foundation
import SwiftletBase

/// The folder of one model in the store.
///
///     record.json     what is installed: the model counts from the moment that this file is there
///     HASH.tflite     the model itself
///     partial.data    what has come of a download that is not finished
///     partial.json    what that is a part of
package struct ModelFolder: Sendable {
  let path: String
  let name: String
  let source: String

  package static let recordName = "record.json"
  package static let partialDataName = "partial.data"

  var recordPath: String { path + "/" + Self.recordName }
  package var partialDataPath: String { path + "/" + Self.partialDataName }
  package var partialNotePath: String { path + "/partial.json" }

  /// - Parameter directory: the folder of all models.
  package init(_ model: RemoteModel, in directory: URL) {
    self.init(name: model.name, source: model.source.identity, in: directory)
  }

  init(name: String, source: String, in directory: URL) {
    self.name = name
    self.source = source
    path = directory.appendingPathComponent(Self.key(name: name, source: source), isDirectory: true).path
  }

  /// Readable, safe as a file name whatever the model's name holds, and different for different models also where case
  /// does not count.
  private static func key(name: String, source: String) -> String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let readable = (name.addingPercentEncoding(withAllowedCharacters: plain) ?? "").prefix(60)
    return readable + "-" + SHA256.hex(of: Array((name + "\0" + source).utf8)).prefix(16)
  }

  func filePath(_ record: ModelRecord) -> String { path + "/" + record.fileName }

  /// What is installed: the record, if it is whole and its file is there with the size it had.
  func record() -> ModelRecord? {
    guard let record = Self.record(atPath: recordPath), record.name == name, record.source == source,
      PathKind.byteCount(of: filePath(record)) == record.byteCount
    else { return nil }
    return record
  }

  /// The record in a file, if it can be one.
  package static func record(atPath path: String) -> ModelRecord? {
    guard let record: ModelRecord = value(atPath: path), record.isSound else { return nil }
    return record
  }

  /// What a small file of the store holds; `nil` where there is none, or something else.
  static func value<Value: Decodable>(atPath path: String) -> Value? {
    guard let bytes = try? MappedFile.read(path, maximumByteCount: maximumNote, followsLinks: false) else { return nil }
    return try? JSONDecoder().decode(Value.self, from: Data(bytes.bytes))
  }

  /// More bytes than anything has that the store notes.
  private static let maximumNote = 1 << 20

  /// - Throws: `ModelStoreError.Code.storage` when the folder cannot be made, or something else has its place, such as
  ///   a link out of the store.
  package func make() throws(ModelStoreError) {
    if case .folder? = PathKind(of: path) { return }
    guard PathKind(of: path) == nil else {
      throw ModelStoreError(.storage, "\(path.excerpt) is no folder of the store's own; remove it")
    }
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ModelStoreError(
        .storage, "the folder \(path.excerpt) cannot be made: \(error.localizedDescription.excerpt)")
    }
  }

  /// Writes a small file whole or not at all, and so that it is there after a loss of power.
  func write(_ value: some Encodable, to path: String) throws(ModelStoreError) {
    let temporary = path + ".new"
    try Self.write(value, toNew: temporary, for: path)
    try SystemCalls.sync(temporary)
    try SystemCalls.rename(temporary, to: path)
    try SystemCalls.sync(self.path)
  }

  /// Writes a file that nobody else can have opened, in place of what is there.
  ///
  /// - Parameter target: what it is to become, for errors.
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

  /// Removes a file that may not be there.
  ///
  /// - Throws: `ModelStoreError.Code.storage` if it is still there.
  func remove(_ path: String) throws(ModelStoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch  where PathKind(of: path) == nil {
      return
    } catch {
      throw Self.failure(error, "\(path.excerpt) cannot be removed")
    }
  }

  /// An error of Foundation's with its own code where the disk is full.
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
