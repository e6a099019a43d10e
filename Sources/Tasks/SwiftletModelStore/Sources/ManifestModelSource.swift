public import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Unchecked because its base class is: it has constants only.

/// A model whose newest version a small JSON file on a server names.
///
///     {"name": "birds", "version": "3", "url": "birds-3.tflite", "sha256": "…64 digits…", "size": 4012345}
///
/// `url` may be relative to the manifest's address; `sha256` and `url` are required. The manifest decides which model
/// an app gets, so two manifests make an A/B test.
public final class ManifestModelSource: RemoteModelSource, @unchecked Sendable {
  /// The address of the manifest.
  public let manifestURL: URL
  /// Sent with each request for the manifest.
  public let headers: [String: String]

  private struct Manifest: Decodable {
    var name: String?
    var version: String?
    var url: String
    var sha256: String
    var size: Int64?
  }

  /// - Parameters:
  ///   - name: the model's name; a manifest that has another one is refused.
  ///   - manifestURL: an `https` address.
  ///   - headers: sent with each request for the manifest, such as credentials; not with that for the model.
  public init(name: String, manifestURL: URL, headers: [String: String] = [:]) {
    self.manifestURL = manifestURL
    self.headers = headers
    super.init(name: name)
  }

  /// The manifest's address.
  public override var identity: String { "manifest " + manifestURL.absoluteString }

  /// Fetches the manifest.
  ///
  /// - Throws: `ModelStoreError` for a manifest that cannot be had or used.
  public override func resolve(known: ModelRecord?) async throws -> Resolution {
    try await resolve(known: known, using: HTTPClient())
  }

  override func resolve(known: ModelRecord?, using client: HTTPClient) async throws -> Resolution {
    var request = URLRequest(url: manifestURL)
    for (field, value) in headers { request.setValue(value, forHTTPHeaderField: field) }
    let (response, body) = try await client.document(request)
    guard response.statusCode == 200 else { throw HTTPStatus.error(response, body: body, url: manifestURL) }
    let file = try file(of: body, client: client)
    if let known, known.sha256 == file.sha256 { return .notModified }
    return .file(file)
  }

  func file(of body: Data, client: HTTPClient) throws(ModelStoreError) -> RemoteModelFile {
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
    if let size = manifest.size, size <= 0 { throw refusal("says that the model has \(size) bytes") }
    guard let url = URL(string: manifest.url, relativeTo: manifestURL)?.absoluteURL else {
      throw refusal("has an address that is none: '\(manifest.url.excerpt)'")
    }
    try client.rules.check(url)
    return RemoteModelFile(url: url, size: manifest.size, version: manifest.version, sha256: manifest.sha256)
  }

  private func refusal(_ reason: String) -> ModelStoreError {
    ModelStoreError(.internalError, "the manifest at \(HTTPClient.shown(manifestURL)) \(reason)")
  }
}
