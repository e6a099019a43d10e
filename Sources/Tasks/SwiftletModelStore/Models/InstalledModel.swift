public import Foundation

/// A downloaded and checked model, ready to be used.
///
/// The store doesn't remove the file to make room while a copy of this value lives, in this process or another.
public struct InstalledModel: Sendable {
  /// The name, version, hash, and size of the model.
  public let record: ModelRecord
  /// The absolute path of the file.
  public let path: String
  private let lease: ModelLease

  init(record: ModelRecord, path: String, lease: ModelLease) {
    self.record = record
    self.path = path
    self.lease = lease
  }

  /// The URL of the file.
  public var url: URL { URL(fileURLWithPath: path) }
}
