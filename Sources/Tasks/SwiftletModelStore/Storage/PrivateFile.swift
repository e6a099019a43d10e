public import Foundation
import SwiftletBase

/// A small file with a value that only its user may read. It is always whole: a new value replaces the old atomically.
@_spi(Facades)
public struct PrivateFile: Sendable {
  private let path: String

  /// Creates a value for the file at a URL, which need not exist.
  public init(_ url: URL) { path = url.path }

  /// Returns what the file holds, or `nil` if there is no file, or another one.
  public func value<Value: Decodable>(as type: Value.Type) -> Value? { ModelFolder.value(atPath: path) }

  /// Writes a value, and creates the folder of the file first.
  ///
  /// - Throws: ``ModelStoreError/Code/storage``, ``ModelStoreError/Code/notEnoughSpace``.
  public func write(_ value: some Encodable) throws(ModelStoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    } catch {
      throw ModelFolder.failure(error, "\(path) cannot be written")
    }
    let temporary = path + ".new"
    try ModelFolder.write(value, toNew: temporary, for: path, permissions: 0o600)
    try SystemCalls.rename(temporary, to: path)
  }
}
