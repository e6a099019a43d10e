public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A service that knows the URL of a model's newest version.
///
/// Conform to it for a service of your own. Otherwise create a ``RemoteModel`` from a URL or a manifest.
public protocol RemoteModelSource: Sendable {
  /// What distinguishes this source from others whose model has the same name. Models of different sources never
  /// replace each other.
  var identity: String { get }

  /// Returns the newest version. Called once per download, and again if the URL that it returned had expired.
  ///
  /// - Parameter query: The model, and the version that is installed.
  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution
}

/// The newest version of a model, as its source knows it.
public enum ModelResolution: Sendable {
  /// The installed version is the newest.
  case notModified
  /// The newest version is a file that is to be downloaded.
  case file(RemoteModelFile)
}

/// A store's question for the newest version of a model.
public struct ModelQuery: Sendable {
  /// The model's name.
  public let modelName: String
  /// The SHA-256 that the file must have, if it is known.
  public let sha256: String?
  /// The installed version, or `nil`.
  public let installed: ModelRecord?
  let client: HTTPClient

  package init(modelName: String, sha256: String? = nil, installed: ModelRecord? = nil, client: HTTPClient) {
    self.modelName = modelName
    self.sha256 = sha256
    self.installed = installed
    self.client = client
  }

  /// Returns a service's answer, with the limits, retries, and cancellation of the store.
  ///
  /// - Parameter request: A request for an answer of at most a megabyte.
  /// - Returns: The answer, whatever its status.
  public func document(for request: URLRequest) async throws(ModelStoreError) -> HTTPDocument {
    try await client.document(for: request)
  }
}

/// The file of a model on a server.
public struct RemoteModelFile: Sendable {
  /// The `https` URL of the file.
  public var url: URL
  /// Headers of the request. Other hosts that the server redirects to don't get them.
  public var headers: [String: String]
  /// When the URL expires. If the server refuses it after that, the source is asked for another one.
  public var expires: Date?
  /// The size in bytes. A file of another size is refused.
  public var size: Int64?
  /// The source's name for this version, which is stored as ``ModelRecord/version``. The default is the server's `ETag`.
  public var version: String?
  /// The SHA-256 of the file as 64 hexadecimal digits. Another file is refused.
  public var sha256: String?
  /// The `ETag` of the installed version, to ask whether that is still the newest.
  public var knownETag: String?
  /// Set for mirrors on this device only: a URL that a server gave must never be a local file.
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
