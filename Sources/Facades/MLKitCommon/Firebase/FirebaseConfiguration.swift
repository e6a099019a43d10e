public import Foundation
import SwiftletBase
public import SwiftletModelStore

/// The configuration that Firebase requires of an app to download hosted models.
public struct FirebaseConfiguration: Sendable {
  /// The value of `PROJECT_ID` in the app's `GoogleService-Info.plist`.
  public var projectID: String
  /// The value of `API_KEY`.
  public var apiKey: String
  /// The value of `GOOGLE_APP_ID`, which distinguishes this app's models from those of other apps.
  public var appID: String
  /// The value of `BUNDLE_ID`.
  public var bundleID: String
  /// A closure that returns the Firebase Installations token for each request. The app gets it from the same place as its
  /// other tokens, or from `FirebaseInstallation`.
  public var installationToken: @Sendable () async throws -> String
  /// The URL of the service; a different one for tests.
  public var baseURL: URL

  /// The URL of Firebase's service.
  public static let defaultBaseURL = URL(string: "https://firebaseml.googleapis.com") ?? URL(fileURLWithPath: "/")

  /// Creates a configuration. The parameters have the same meaning as the properties.
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

  /// Creates a configuration from the file that the Firebase console provides.
  ///
  /// - Parameters:
  ///   - propertyList: The `GoogleService-Info.plist`.
  ///   - installationToken: Returns a Firebase Installations token.
  /// - Throws: `ModelStoreError.Code.failedPrecondition` if the file cannot be read or lacks the project or the key.
  public init(propertyList: URL, installationToken: @escaping @Sendable () async throws -> String)
    throws(ModelStoreError)
  {
    let list = try FirebasePropertyList(propertyList)
    self.init(
      projectID: list.projectID, apiKey: list.apiKey, appID: list.appID ?? "", bundleID: list.bundleID ?? "",
      installationToken: installationToken)
  }

  // MARK: App configuration

  private static let shared = Mutex<FirebaseConfiguration?>(nil)

  /// The configuration for sources that are created with only a name. Set it once, when the app starts.
  public static var `default`: FirebaseConfiguration? {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }
}

/// The contents of an app's `GoogleService-Info.plist` from the Firebase console.
struct FirebasePropertyList {
  let projectID: String
  let apiKey: String
  let appID: String?
  let bundleID: String?

  /// Reads the file.
  ///
  /// - Throws: `ModelStoreError.Code.failedPrecondition` if it cannot be read or lacks the project or the key.
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
  /// The string escaped as a path segment or query value.
  var escapedForURL: String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
