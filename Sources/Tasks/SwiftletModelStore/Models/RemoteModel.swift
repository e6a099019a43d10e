public import Foundation
import SwiftletBase

/// A model that a ``ModelStore`` can download: its name, its source, and the SHA-256 of its file if that is known.
///
/// ```swift
/// let birds = RemoteModel(name: "birds", url: url, sha256: digest)
/// let faces = try RemoteModel.published("blaze-face-short-range")
/// ```
public struct RemoteModel: Sendable, Hashable {
  /// The model's name, for errors and lists. A download of a model without a name fails with
  /// ``ModelStoreError/Code/emptyModelName``.
  public let name: String
  /// The source of the model.
  public let source: any RemoteModelSource
  /// The SHA-256 of the only file to accept, as 64 hexadecimal digits in lowercase.
  ///
  /// The source isn't asked again once that file is installed.
  public let sha256: String?

  /// Creates a model from any source.
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - source: Where the model comes from.
  ///   - sha256: The SHA-256 of the only file to accept, as `sha256sum` prints it.
  public init(name: String, source: any RemoteModelSource, sha256: String? = nil) {
    self.name = name
    self.source = source
    self.sha256 = sha256?.lowercased()
  }

  /// Creates a model that is a file on a web server or in a storage bucket.
  ///
  /// Without a SHA-256, each download asks the server whether the file has changed (`ETag`, `If-None-Match`).
  ///
  /// - Parameters:
  ///   - name: The model's name.
  ///   - url: The `https` URL of the file.
  ///   - headers: Headers of each request to that host, such as credentials. Other hosts that the server redirects to
  ///     don't get them.
  ///   - sha256: The SHA-256 of the only file to accept, as `sha256sum` prints it.
  public init(name: String, url: URL, headers: [String: String] = [:], sha256: String? = nil) {
    self.init(name: name, source: URLModelSource(url: url, headers: headers), sha256: sha256)
  }

  /// Creates a model whose newest version is named by a JSON file on a server.
  ///
  ///     {"name": "birds", "version": "3", "url": "birds-3.tflite", "sha256": "…64 digits…", "size": 4012345}
  ///
  /// `url` and `sha256` are required. `url` may be relative to the manifest's URL.
  ///
  /// - Parameters:
  ///   - name: The model's name. A manifest with another name is refused.
  ///   - manifest: The `https` URL of the manifest.
  ///   - headers: Headers of each request for the manifest, such as credentials. The request for the model has none.
  public init(name: String, manifest: URL, headers: [String: String] = [:]) {
    self.init(name: name, source: ManifestModelSource(url: manifest, headers: headers))
  }

  /// Returns the published model of the given name.
  ///
  /// - Parameter name: A name in ``ModelCatalog``.
  /// - Throws: ``ModelStoreError/Code/notFound`` if no published model has that name.
  public static func published(_ name: String) throws(ModelStoreError) -> RemoteModel {
    guard let model = ModelCatalog.model(named: name) else {
      throw ModelStoreError(
        .notFound, "there is no published model '\(name.excerpt)'; ModelCatalog.models lists the names")
    }
    return model.remoteModel
  }

  /// Returns whether two values are the same model: name, identity of the source, and SHA-256.
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

/// The record of a downloaded model.
public struct ModelRecord: Sendable, Hashable, Codable {
  /// The model's name.
  public var name: String
  /// The identity of its source, as in `RemoteModelSource.identity`.
  public var source: String
  /// The version of the model at its source: Firebase's model hash, a manifest's version, or an `ETag`.
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
