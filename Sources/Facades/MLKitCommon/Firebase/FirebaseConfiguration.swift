public import Foundation
import SwiftletBase
public import SwiftletModelStore

/// The configuration of an app that Firebase requires for a hosted model.
public struct FirebaseConfiguration: Sendable {
  /// `PROJECT_ID` of the app's `GoogleService-Info.plist`.
  public var projectID: String
  /// `API_KEY`.
  public var apiKey: String
  /// `GOOGLE_APP_ID`; part of what tells this app's models from another's.
  public var appID: String
  /// `BUNDLE_ID`.
  public var bundleID: String
  /// Gives a Firebase Installations token, which each request is signed with. The app gets it where it gets its others,
  /// or from `FirebaseInstallation`.
  public var installationToken: @Sendable () async throws -> String
  /// The service's address; another one for tests.
  public var baseURL: URL

  /// The address of the service that Firebase runs.
  public static let defaultBaseURL = URL(string: "https://firebaseml.googleapis.com") ?? URL(fileURLWithPath: "/")

  /// - Parameters: as the properties of these names.
  public init(
    projectID: String, apiKey: String, appID: String = "", bundleID: String = Bundle.main.bundleIdentifier ?? "",
    baseURL: URL = FirebaseConfiguration.defaultBaseURL,
    installationToken: @escaping @Sendable () async throws -> String
  ) {
    self.projectID = projectID
    self.apiKey = apiKey
    self.appID = appID
    self.bundleID = bundleID
    self.baseURL = baseURL
    self.installationToken = installationToken
  }

  /// Creates a configuration from the file that Firebase's console gives.
  ///
  /// - Parameters:
  ///   - propertyList: the `GoogleService-Info.plist`.
  ///   - installationToken: gives a Firebase Installations token.
  /// - Throws: `ModelStoreError.Code.failedPrecondition` when it cannot be read or lacks the project or the key.
  public init(propertyList: URL, installationToken: @escaping @Sendable () async throws -> String)
    throws(ModelStoreError)
  {
    let list = try FirebasePropertyList(propertyList)
    self.init(
      projectID: list.projectID, apiKey: list.apiKey, appID: list.appID ?? "", bundleID: list.bundleID ?? "",
      installationToken: installationToken)
  }

  // MARK: The app's

  private static let shared = Mutex<FirebaseConfiguration?>(nil)

  /// The configuration of sources that are made with a name only. Set it once, when the app starts.
  public static var `default`: FirebaseConfiguration? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
}

/// What the file that Firebase's console gives for an app says: its `GoogleService-Info.plist`.
struct FirebasePropertyList {
  let projectID: String
  let apiKey: String
  let appID: String?
  let bundleID: String?

  /// - Throws: `ModelStoreError.Code.failedPrecondition` when it cannot be read or lacks the project or the key.
  init(_ url: URL) throws(ModelStoreError) {
    guard url.isFileURL, let bytes = try? MappedFile.read(url.path, maximumByteCount: 1 << 20),
      let list = try? PropertyListSerialization.propertyList(from: Data(bytes.bytes), format: nil) as? [String: Any]
    else {
      throw ModelStoreError(.failedPrecondition, "\(url.path) cannot be read as a property list")
    }
    guard let projectID = list["PROJECT_ID"] as? String, let apiKey = list["API_KEY"] as? String else {
      throw ModelStoreError(.failedPrecondition, "\(url.path) lacks PROJECT_ID or API_KEY")
    }
    (self.projectID, self.apiKey) = (projectID, apiKey)
    (appID, bundleID) = (list["GOOGLE_APP_ID"] as? String, list["BUNDLE_ID"] as? String)
  }
}

extension String {
  /// As one segment of a path, or a value of a query.
  var escapedForURL: String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
