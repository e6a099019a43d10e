import Foundation
import SwiftletBase
import SwiftletModelStore

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
