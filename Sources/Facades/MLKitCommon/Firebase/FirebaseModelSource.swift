import Foundation
import SwiftletBase
package import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Unchecked because its base class is: it has constants only.

/// A source for a custom model that Firebase hosts, by its published name.
///
/// Firebase has announced that this service will end on June 15, 2027. Move the file to a storage bucket, and use
/// `RemoteModelSource(model:)`.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  /// Creates a source for a model in the project of `FirebaseConfiguration.default`.
  ///
  /// - Parameter name: The name in the Firebase console.
  public convenience init(name: String) {
    self.init(name: name, configuration: nil)
  }

  /// Creates a source for a model in any project.
  ///
  /// - Parameters:
  ///   - name: The name in the Firebase console.
  ///   - configuration: The project; `nil` for the value of `FirebaseConfiguration.default` at the time of the
  ///     download.
  ///   - sha256: The required SHA-256 of the file, if the app knows it. Firebase itself provides no hash of the
  ///     contents.
  public init(name: String, configuration: FirebaseConfiguration?, sha256: String? = nil) {
    super.init(model: .init(name: name, source: FirebaseHosting(given: configuration), sha256: sha256))
  }
}

/// Firebase's model hosting as a source for the model store.
package struct FirebaseHosting: SwiftletModelStore.RemoteModelSource {
  let given: FirebaseConfiguration?

  /// An identity derived from the project and the app.
  package var identity: String {
    let configuration = given ?? .default
    return "firebase \(configuration?.projectID ?? "") \(configuration?.appID ?? "")"
  }

  package func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    let document = try await query.document(for: try await request(query))
    let response = FirebaseResponse(document, model: query.modelName)
    switch document.status {
    case 200: return .file(try response.file(sha256: query.sha256))
    case 304:
      try response.checkNotModified(since: query.installed)
      return .notModified
    default: throw response.failure
    }
  }

  private func request(_ query: ModelQuery) async throws(ModelStoreError) -> URLRequest {
    guard let configuration = given ?? .default else {
      throw ModelStoreError(
        .failedPrecondition,
        "no Firebase project is known: set FirebaseConfiguration.default, or give the source a configuration")
    }
    guard !configuration.projectID.isEmpty, !configuration.apiKey.isEmpty else {
      throw ModelStoreError(
        .failedPrecondition,
        "the Firebase configuration lacks its \(configuration.projectID.isEmpty ? "project ID" : "API key")")
    }
    let path =
      "v1beta2/projects/\(configuration.projectID.escapedForURL)/models/\(query.modelName.escapedForURL):download"
    let base = configuration.baseURL.absoluteString
    guard
      let url = URL(
        string: base + (base.hasSuffix("/") ? "" : "/") + path + "?key=" + configuration.apiKey.escapedForURL)
    else {
      throw ModelStoreError(.invalidArgument, "'\(query.modelName.excerpt)' makes no address of a Firebase model")
    }
    var request = URLRequest(url: url)
    do {
      request.setValue(
        try await configuration.installationToken(), forHTTPHeaderField: "x-goog-firebase-installations-auth")
    } catch {
      throw ModelStoreError(
        .failedPrecondition,
        "the app gave no Firebase Installations token: \(error.localizedDescription)"
      )
    }
    request.setValue(configuration.bundleID, forHTTPHeaderField: "x-ios-bundle-identifier")
    if let version = query.installed?.version { request.setValue(version, forHTTPHeaderField: "if-none-match") }
    return request
  }
}
