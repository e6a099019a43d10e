public import Foundation

/// What the store knows of a downloaded model.
public struct ModelRecord: Sendable, Hashable, Codable {
  /// The model's name.
  public var name: String
  /// What tells its source from others, as in `RemoteModelSource.identity`.
  public var source: String
  /// What the source calls this version of the model: Firebase's model hash, a manifest's version, or an `ETag`.
  public var version: String?
  /// The SHA-256 of the file, as 64 lower-case hexadecimal digits.
  public var sha256: String
  /// The size of the file in bytes.
  public var byteCount: Int64
  /// When it was installed.
  public var installed: Date

  /// The file's name in the folder of the model: named by content, so that a new version never has the path of an old
  /// one.
  var fileName: String { sha256 + ".tflite" }

  /// Whether it can be what the store wrote; a damaged or hostile record must not name other files.
  var isSound: Bool { SHA256.isHexDigest(sha256) && byteCount > 0 }
}

extension SHA256 {
  /// Whether `text` has the form of a digest, in lower case.
  static func isHexDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
