public import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A service that provides the URL of a model's newest version.
///
/// Conform to this protocol to support your own service. Otherwise, create a ``RemoteModel`` from a URL or a manifest.
public protocol RemoteModelSource: Sendable {
  /// An identity that distinguishes this source from others. Models with the same name from different sources never
  /// replace each other.
  var identity: String { get }

  /// Returns the newest version. Called once per download, and again if the returned URL has expired.
  ///
  /// - Parameter query: The model, and the installed version.
  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution
}

/// The newest version of a model according to its source.
public enum ModelResolution: Sendable {
  /// The installed version is the newest.
  case notModified
  /// The newest version is a file to download.
  case file(RemoteModelFile)
}

/// A query for the newest version of a model.
public struct ModelQuery: Sendable {
  /// The model's name.
  public let modelName: String
  /// The required SHA-256 of the file, if it is known.
  public let sha256: String?
  /// The installed version, or `nil` if there is none.
  public let installed: ModelRecord?
  let client: HTTPClient

  package init(modelName: String, sha256: String? = nil, installed: ModelRecord? = nil, client: HTTPClient) {
    self.modelName = modelName
    self.sha256 = sha256
    self.installed = installed
    self.client = client
  }

  /// Returns the response of a service, with the limits, retries, and cancellation of the store.
  ///
  /// - Parameter request: A request whose response has at most 1 MB.
  /// - Returns: The response, whatever its status.
  public func document(for request: URLRequest) async throws(ModelStoreError) -> HTTPDocument {
    try await client.document(for: request)
  }
}

/// A model file on a server.
public struct RemoteModelFile: Sendable {
  /// The `https` URL of the file.
  public var url: URL
  /// The headers of the request. They are not sent to other hosts after a redirect.
  public var headers: [String: String]
  /// The expiration date of the URL. If the server rejects the URL after that, the source is queried for another one.
  public var expires: Date?
  /// The size in bytes. A file of another size is rejected.
  public var size: Int64?
  /// The version according to the source, which is stored as ``ModelRecord/version``. The default is the server's
  /// `ETag`.
  public var version: String?
  /// The SHA-256 of the file as 64 hexadecimal digits. A file with another hash is rejected.
  public var sha256: String?
  /// The `ETag` of the installed version, for a conditional request.
  public var knownETag: String?
  /// Whether the URL may be a file URL. Set for mirrors on this device only: a URL from a server must never refer to a
  /// local file.
  package var isLocalFileAllowed = false

  /// Creates a file from its properties.
  public init(
    url: URL, headers: [String: String] = [:], expires: Date? = nil, size: Int64? = nil, version: String? = nil,
    sha256: String? = nil, knownETag: String? = nil
  ) {
    self.url = url
    self.headers = headers
    self.expires = expires
    self.size = size
    self.version = version
    self.sha256 = sha256?.lowercased()
    self.knownETag = knownETag
  }
}

/// A source that reads the newest version of a model from a JSON manifest on a server.
package struct ManifestModelSource: RemoteModelSource {
  let url: URL
  let headers: [String: String]

  private struct Manifest: Decodable {
    var name: String?
    var version: String?
    var url: String
    var sha256: String
    var size: Int64?
  }

  package init(url: URL, headers: [String: String] = [:]) {
    self.url = url
    self.headers = headers
  }

  package var identity: String { "manifest " + url.absoluteString }

  package func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    var request = URLRequest(url: url)
    for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
    let document = try await query.document(for: request)
    guard document.status == 200 else { throw document.error }
    let file = try file(of: document.body, name: query.modelName, policy: query.client.policy)
    if let installed = query.installed, installed.sha256 == file.sha256 { return .notModified }
    return .file(file)
  }

  package func file(of body: Data, name: String, policy: URLPolicy) throws(ModelStoreError) -> RemoteModelFile {
    let manifest: Manifest
    do {
      manifest = try JSONDecoder().decode(Manifest.self, from: body)
    } catch {
      throw refusal("is not JSON with the strings \"url\" and \"sha256\"")
    }
    if let given = manifest.name, given != name {
      throw refusal("is that of the model '\(given.excerpt)', not of '\(name.excerpt)'")
    }
    guard SHA256.isHexDigest(manifest.sha256.lowercased()) else {
      throw refusal("has no SHA-256 of 64 hexadecimal digits")
    }
    if let size = manifest.size, size <= 0 { throw refusal("states an invalid model size of \(size) bytes") }
    guard let url = URL(string: manifest.url, relativeTo: self.url)?.absoluteURL else {
      throw refusal("has an invalid URL: '\(manifest.url.excerpt)'")
    }
    try policy.check(url)
    return RemoteModelFile(url: url, size: manifest.size, version: manifest.version, sha256: manifest.sha256)
  }

  private func refusal(_ reason: String) -> ModelStoreError {
    ModelStoreError(.internalError, "the manifest at \(HTTPClient.shown(url)) \(reason)")
  }
}

/// A source for a file at a fixed URL.
struct URLModelSource: RemoteModelSource {
  let url: URL
  let headers: [String: String]

  var identity: String { "url " + url.absoluteString }

  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    .file(
      RemoteModelFile(
        url: url, headers: headers, sha256: query.sha256,
        knownETag: query.sha256 == nil ? query.installed?.version : nil))
  }
}

/// A source for a copy of a model from another source.
struct MirrorModelSource: RemoteModelSource {
  let identity: String
  let url: URL

  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    var copy = RemoteModelFile(url: url, sha256: query.sha256)
    copy.isLocalFileAllowed = true
    return .file(copy)
  }
}
