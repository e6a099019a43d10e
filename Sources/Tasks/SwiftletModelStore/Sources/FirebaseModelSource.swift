import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Unchecked because its base class is: it has constants only.

/// A custom model that Firebase hosts, under the name it was published with.
///
/// Firebase announced that it ends this service on 15 June 2027; move the file to a storage bucket and use
/// `URLModelSource` or `ManifestModelSource`.
public final class FirebaseModelSource: RemoteModelSource, @unchecked Sendable {
  private let given: FirebaseConfiguration?
  private let expectedSHA256: String?

  /// A model of the project that `FirebaseConfiguration.default` names.
  ///
  /// - Parameter name: as in the Firebase console.
  public override convenience init(name: String) {
    self.init(name: name, configuration: nil)
  }

  /// - Parameters:
  ///   - name: as in the Firebase console.
  ///   - configuration: of the project; `nil` for the app's, `FirebaseConfiguration.default`, when it is needed.
  ///   - sha256: the SHA-256 of the only file to accept, where the app knows it: Firebase itself tells no hash of the
  ///     bytes.
  public init(name: String, configuration: FirebaseConfiguration?, sha256: String? = nil) {
    given = configuration
    expectedSHA256 = sha256?.lowercased()
    super.init(name: name)
  }

  /// The project and the app.
  public override var identity: String {
    let configuration = given ?? .default
    return "firebase \(configuration?.projectID ?? "") \(configuration?.appID ?? "")"
  }

  /// The SHA-256 that the file must have, if it is known.
  public override var sha256: String? { expectedSHA256 }

  /// Asks Firebase for the newest version.
  ///
  /// - Throws: `ModelStoreError`; before anything is asked, `failedPrecondition` for what the configuration lacks.
  public override func resolve(known: ModelRecord?) async throws -> Resolution {
    try await resolve(known: known, using: HTTPClient())
  }

  override func resolve(known: ModelRecord?, using client: HTTPClient) async throws -> Resolution {
    let request = try await request(known: known)
    let (response, body) = try await client.document(request)
    let answer = FirebaseAnswer(response: response, body: body, model: name)
    switch response.statusCode {
    case 200: return .file(try answer.file(sha256: expectedSHA256, rules: client.rules))
    case 304:
      try answer.checkNotModified(since: known)
      return .notModified
    default: throw answer.failure
    }
  }

  private func request(known: ModelRecord?) async throws -> URLRequest {
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
    let path = "v1beta2/projects/\(configuration.projectID.escapedForAddress)/models/\(name.escapedForAddress):download"
    let base = configuration.baseURL.absoluteString
    guard
      let url = URL(
        string: base + (base.hasSuffix("/") ? "" : "/") + path + "?key=" + configuration.apiKey.escapedForAddress)
    else {
      throw ModelStoreError(.invalidArgument, "'\(name.excerpt)' makes no address of a Firebase model")
    }
    var request = URLRequest(url: url)
    do {
      request.setValue(
        try await configuration.installationToken(), forHTTPHeaderField: "x-goog-firebase-installations-auth")
    } catch {
      throw ModelStoreError(
        .failedPrecondition,
        "the app gave no Firebase Installations token: \(ModelStoreError.wrapping(error, as: .failedPrecondition).message)"
      )
    }
    request.setValue(configuration.bundleID, forHTTPHeaderField: "x-ios-bundle-identifier")
    if let version = known?.version { request.setValue(version, forHTTPHeaderField: "if-none-match") }
    return request
  }
}
