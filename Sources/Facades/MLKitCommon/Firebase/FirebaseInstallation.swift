public import Foundation
import SwiftletBase
@_spi(Facades) public import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A Firebase installation of an app, with the tokens that authorize its requests. For apps without the Firebase SDK.
///
///     let installation = try FirebaseInstallation(propertyList: plistURL)
///     FirebaseConfiguration.default = try FirebaseConfiguration(propertyList: plistURL) { try await
///     installation.token() }
///
/// No request is sent before the first token is needed. The installation is registered once and stored in a file that
/// only its user may read. Tokens are renewed in the last hour before they expire. Concurrent callers share a request.
///
/// - Source: the Firebase Installations service, as used by Firebase's open-source client for iOS.
public actor FirebaseInstallation {
  /// The URL of Firebase's service.
  public static let defaultBaseURL =
    URL(string: "https://firebaseinstallations.googleapis.com") ?? URL(fileURLWithPath: "/")

  /// The default location of the installation file, next to the models.
  public static var defaultFile: URL {
    ModelStoreOptions.defaultDirectory.appendingPathComponent("firebase-installation.json")
  }

  private static let renewalTime: TimeInterval = 3600
  /// The software version that is sent to the service.
  private static let softwareVersion = "i:1.0.0"

  /// The stored data of a registration.
  private struct Registration: Codable {
    var projectID: String
    var appID: String
    /// The ID of the installation.
    var id: String
    var refreshToken: String
    var token: String
    var expires: Date
  }

  private struct Token: Decodable {
    var token: String
    /// The lifetime in seconds, with the suffix `s`.
    var expiresIn: String
  }

  private struct RegistrationAnswer: Decodable {
    var fid: String
    var refreshToken: String
    var authToken: Token
  }

  private let projectID: String
  private let apiKey: String
  private let appID: String
  private let file: PrivateFile
  private let baseURL: URL
  private let client: HTTPClient
  private let now: @Sendable () -> Date
  private var registration: Registration?
  private var pending: Task<String, any Error>?

  /// Creates an installation.
  ///
  /// - Parameters:
  ///   - projectID: The value of `PROJECT_ID` in the app's `GoogleService-Info.plist`.
  ///   - apiKey: The value of `API_KEY`.
  ///   - appID: The value of `GOOGLE_APP_ID`.
  ///   - file: The file that stores the installation between launches of the app.
  ///   - baseURL: The URL of the service; a different one for tests.
  public init(
    projectID: String, apiKey: String, appID: String, file: URL = FirebaseInstallation.defaultFile,
    baseURL: URL = FirebaseInstallation.defaultBaseURL
  ) {
    self.init(
      projectID: projectID, apiKey: apiKey, appID: appID, file: file, baseURL: baseURL, client: HTTPClient(),
      now: { Date() })
  }

  package init(
    projectID: String, apiKey: String, appID: String, file: URL, baseURL: URL, client: HTTPClient,
    now: @escaping @Sendable () -> Date
  ) {
    (self.projectID, self.apiKey, self.appID) = (projectID, apiKey, appID)
    (self.file, self.baseURL) = (PrivateFile(file), baseURL)
    (self.client, self.now) = (client, now)
  }

  /// Creates an installation from the file that the Firebase console provides.
  ///
  /// - Parameters:
  ///   - propertyList: The `GoogleService-Info.plist`.
  ///   - file: The file that stores the installation.
  /// - Throws: `ModelStoreError.Code.failedPrecondition` if it cannot be read or lacks the project, the key, or the
  ///   app.
  public init(propertyList: URL, file: URL = FirebaseInstallation.defaultFile) throws(ModelStoreError) {
    let list = try FirebasePropertyList(propertyList)
    guard let appID = list.appID else {
      throw ModelStoreError(.failedPrecondition, "\(propertyList.path) lacks GOOGLE_APP_ID")
    }
    self.init(projectID: list.projectID, apiKey: list.apiKey, appID: appID, file: file)
  }

  /// Returns a token that is valid for at least an hour.
  ///
  /// - Throws: `ModelStoreError`, like downloads: `permissionDenied` for a key or app that the service does not know,
  ///   `failedPrecondition` for an incomplete configuration, `internalError` for an invalid response, `storage` if the
  ///   installation cannot be stored.
  public func token() async throws -> String {
    if let pending { return try await pending.value }
    let task = Task { try await validToken() }
    pending = task
    defer { pending = nil }
    return try await task.value
  }

  private func validToken() async throws(ModelStoreError) -> String {
    guard ![projectID, apiKey, appID].contains("") else {
      throw ModelStoreError(
        .failedPrecondition,
        "a Firebase installation needs a project ID, an API key and an app ID; one of them is empty")
    }
    if registration == nil { registration = kept() }
    if let registration {
      if registration.expires > now().addingTimeInterval(Self.renewalTime) {
        return registration.token
      }
      do {
        return try keep(try await renewed(registration))
      } catch  where [.permissionDenied, .notFound].contains(error.code) {
        // The service has deleted the installation, as it does after months without use, so register again.
      }
    }
    return try keep(try await registered())
  }

  // MARK: The service

  private func registered() async throws(ModelStoreError) -> Registration {
    let body = ["fid": Self.newID(), "authVersion": "FIS_v2", "appId": appID, "sdkVersion": Self.softwareVersion]
    let answer: RegistrationAnswer = try await answer("installations/", body: body, authorization: nil)
    return Registration(
      projectID: projectID, appID: appID, id: answer.fid, refreshToken: answer.refreshToken,
      token: answer.authToken.token,
      expires: try expiry(answer.authToken))
  }

  private func renewed(_ registration: Registration) async throws(ModelStoreError) -> Registration {
    let answer: Token = try await answer(
      "installations/\(registration.id.escapedForURL)/authTokens:generate",
      body: ["installation": ["sdkVersion": Self.softwareVersion]],
      authorization: "FIS_v2 \(registration.refreshToken)")
    var registration = registration
    registration.token = answer.token
    registration.expires = try expiry(answer)
    return registration
  }

  private func expiry(_ token: Token) throws(ModelStoreError) -> Date {
    guard token.expiresIn.hasSuffix("s"), let seconds = Double(token.expiresIn.dropLast()), seconds.isFinite,
      seconds > 0
    else {
      throw ModelStoreError(
        .internalError,
        "Firebase Installations returned a token with an invalid expiration time: '\(token.expiresIn.excerpt)'")
    }
    return now().addingTimeInterval(min(seconds, 1e9))
  }

  private func answer<Answer: Decodable>(_ path: String, body: some Encodable, authorization: String?)
    async throws(ModelStoreError) -> Answer
  {
    let base = baseURL.absoluteString
    guard
      let url = URL(
        string: base + (base.hasSuffix("/") ? "" : "/") + "v1/projects/\(projectID.escapedForURL)/" + path)
    else {
      throw ModelStoreError(.invalidArgument, "'\(projectID.excerpt)' makes no address of a Firebase project")
    }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = try? JSONEncoder().encode(body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue(apiKey, forHTTPHeaderField: "x-goog-api-key")
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    let document = try await client.document(for: request)
    guard 200..<300 ~= document.status else {
      let error = document.error
      throw ModelStoreError(error.code, "Firebase Installations: \(error.message)")
    }
    do {
      return try JSONDecoder().decode(Answer.self, from: document.body)
    } catch {
      throw ModelStoreError(
        .internalError, "Firebase Installations returned a response without the requested token")
    }
  }

  /// Returns 17 random bytes that begin with the bits 0111, encoded as 22 URL-safe characters.
  private static func newID() -> String {
    var bytes = (0..<17).map { _ in UInt8.random(in: .min ... .max) }
    bytes[0] = 0b0111_0000 | bytes[0] & 0b1111
    let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    return String(text.prefix(22))
  }

  // MARK: The file

  /// Returns the stored registration, if the file is valid and belongs to this app.
  private func kept() -> Registration? {
    guard let registration = file.value(as: Registration.self), registration.projectID == projectID,
      registration.appID == appID
    else { return nil }
    return registration
  }

  private func keep(_ registration: Registration) throws(ModelStoreError) -> String {
    self.registration = registration
    try file.write(registration)
    return registration.token
  }
}
