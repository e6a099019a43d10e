public import Foundation

/// Where a remote model comes from: tells the store the address of its newest version.
///
/// Subclass it for a service of one's own: override `resolve(known:)`, and `identity` where two sources may use the
/// same name. A subclass is used from several threads and must declare `@unchecked Sendable` itself: all of its
/// properties must be constants.
// Unchecked because an open class cannot be checked; this one has constants only.
open class RemoteModelSource: NSObject, @unchecked Sendable {
  /// What a source says when it is asked for the newest version.
  public enum Resolution: Sendable {
    /// The version that is there is the newest.
    case notModified
    /// The newest version is to be fetched.
    case file(RemoteModelFile)
  }

  /// The model's name: for people, notifications and errors.
  public let name: String

  /// - Parameter name: must not be empty, or every download fails with `emptyModelName`.
  public init(name: String) { self.name = name }

  /// What tells this source from others whose model has the same name; models of different sources never replace each
  /// other.
  open var identity: String { String(reflecting: type(of: self)) }

  /// The SHA-256 that the model must have, in lower case, where the app knows it: another file is never used.
  open var sha256: String? { nil }

  /// Asks for the newest version. Called once for a download, and again when the address it gave had expired.
  ///
  /// - Parameter known: the version that is there, or `nil`.
  /// - Throws: anything; an error that is no `ModelStoreError` fails the download as `internalError`.
  open func resolve(known: ModelRecord?) async throws -> Resolution {
    throw ModelStoreError(.failedPrecondition, "a model source must override resolve(known:)")
  }

  /// The same for sources that ask a server, with the store's own client: its limits, its retries, its cancellation.
  func resolve(known: ModelRecord?, using client: HTTPClient) async throws -> Resolution {
    try await resolve(known: known)
  }
}

/// The file of a model on a server, as a source describes it.
public struct RemoteModelFile: Sendable {
  /// Must be `https`.
  public var url: URL
  /// Sent with the request, but never to another host that the server may lead to.
  public var headers: [String: String]
  /// Until when the address is valid: if the server refuses it after that, the source is asked for another one.
  public var expires: Date?
  /// The size in bytes; a file of another size is refused.
  public var size: Int64?
  /// What the source calls this version; it comes back in `ModelRecord.version`. Without one, the server's `ETag` is
  /// used.
  public var version: String?
  /// The SHA-256 of the file as 64 hexadecimal digits; another file is refused.
  public var sha256: String?
  /// The `ETag` of the version that is there, to ask whether it is still the newest.
  public var knownETag: String?
  /// Set for mirrors on this device only: an address that a server gave must never be a local file.
  var isLocalFileAllowed = false

  /// - Parameters: as the properties of these names; all but the address may be left out.
  public init(
    url: URL, headers: [String: String] = [:], expires: Date? = nil, size: Int64? = nil, version: String? = nil,
    sha256: String? = nil,
    knownETag: String? = nil
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
