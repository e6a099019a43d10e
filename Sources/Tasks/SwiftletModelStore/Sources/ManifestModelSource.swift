package import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A JSON file on a server that names the newest version of a model.
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
    if let size = manifest.size, size <= 0 { throw refusal("says that the model has \(size) bytes") }
    guard let url = URL(string: manifest.url, relativeTo: self.url)?.absoluteURL else {
      throw refusal("has an address that is none: '\(manifest.url.excerpt)'")
    }
    try policy.check(url)
    return RemoteModelFile(url: url, size: manifest.size, version: manifest.version, sha256: manifest.sha256)
  }

  private func refusal(_ reason: String) -> ModelStoreError {
    ModelStoreError(.internalError, "the manifest at \(HTTPClient.shown(url)) \(reason)")
  }
}
