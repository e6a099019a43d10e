public import Foundation
import SwiftletBase

/// A model that a ``ModelStore`` can download: its name, its source, and the SHA-256 of its file if it is known.
///
/// ```swift
/// let birds = RemoteModel(name: "birds", url: url, sha256: digest)
/// let faces = try RemoteModel.published("blaze-face-short-range")
/// ```
public struct RemoteModel: Sendable, Hashable {
  /// The model's name, for errors and lists. The download of a model with an empty name fails with
  /// ``ModelStoreError/Code/emptyModelName``.
  public let name: String
  /// The source of the model.
  public let source: any RemoteModelSource
  /// The required SHA-256 of the file, as 64 lowercase hexadecimal digits.
  ///
  /// The source isn't queried again once that file is installed.
  public let sha256: String?

  /// Creates a model from any source.
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - source: The source of the model.
  ///   - sha256: The required SHA-256 of the file, as printed by `sha256sum`.
  public init(name: String, source: any RemoteModelSource, sha256: String? = nil) {
    self.name = name
    self.source = source
    self.sha256 = sha256?.lowercased()
  }

  /// Creates a model from a file on a web server or in a storage bucket.
  ///
  /// Without a SHA-256, each download asks the server whether the file has changed (`ETag`, `If-None-Match`).
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - url: The `https` URL of the file.
  ///   - headers: The headers of each request to this host, such as credentials. They are not sent to other hosts after
  ///     a redirect.
  ///   - sha256: The required SHA-256 of the file, as printed by `sha256sum`.
  public init(name: String, url: URL, headers: [String: String] = [:], sha256: String? = nil) {
    self.init(name: name, source: URLModelSource(url: url, headers: headers), sha256: sha256)
  }

  /// Creates a model whose newest version is specified by a JSON manifest on a server.
  ///
  ///     {"name": "birds", "version": "3", "url": "birds-3.tflite", "sha256": "…64 digits…", "size": 4012345}
  ///
  /// `url` and `sha256` are required. `url` may be relative to the manifest's URL.
  ///
  /// - Parameters:
  ///   - name: The model's name. A manifest with another name is rejected.
  ///   - manifest: The `https` URL of the manifest.
  ///   - headers: The headers of each request for the manifest, such as credentials. They are not sent with the request
  ///     for the model.
  public init(name: String, manifest: URL, headers: [String: String] = [:]) {
    self.init(name: name, source: ManifestModelSource(url: manifest, headers: headers))
  }

  /// Returns the published model of the given name.
  ///
  /// - Parameter name: A name in ``ModelCatalog``.
  /// - Throws: ``ModelStoreError/Code/notFound`` if there is no published model with that name.
  public static func published(_ name: String) throws(ModelStoreError) -> RemoteModel {
    guard let model = ModelCatalog.model(named: name) else {
      throw ModelStoreError(
        .notFound, "there is no published model '\(name.excerpt)'; ModelCatalog.models lists the names")
    }
    return model.remoteModel
  }

  /// Returns whether two values are the same model, by name, identity of the source, and SHA-256.
  public static func == (first: RemoteModel, second: RemoteModel) -> Bool {
    first.name == second.name && first.source.identity == second.source.identity && first.sha256 == second.sha256
  }

  /// Hashes name, identity of the source, and SHA-256.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(source.identity)
    hasher.combine(sha256)
  }
}

/// A downloaded and verified model, ready for use.
///
/// The store doesn't remove the file to make room as long as a copy of this value exists, in this process or another.
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

/// The record of a downloaded model.
public struct ModelRecord: Sendable, Hashable, Codable {
  /// The model's name.
  public var name: String
  /// The identity of the source, as in `RemoteModelSource.identity`.
  public var source: String
  /// The version of the model at its source: Firebase's model hash, a manifest's version, or an `ETag`.
  public var version: String?
  /// The SHA-256 of the file, as 64 lowercase hexadecimal digits.
  public var sha256: String
  /// The size of the file in bytes.
  public var byteCount: Int64
  /// The date of installation.
  public var installed: Date

  /// The name of the file in the model's directory. It is derived from the content, so that different versions never
  /// have the same path.
  var fileName: String { sha256 + ".tflite" }

  /// Whether the store may have written this record. A damaged or hostile record must not refer to other files.
  var isSound: Bool { SHA256.isHexDigest(sha256) && byteCount > 0 }
}

extension SHA256 {
  /// Returns whether `text` is a digest in lowercase hexadecimal digits.
  static func isHexDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
