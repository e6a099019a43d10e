public import Foundation

extension Notification.Name {
  /// A download succeeded, or found that the newest version is there. `userInfo` has the model under
  /// `ModelDownloadUserInfoKey.remoteModel`.
  public static let mlkitModelDownloadDidSucceed = Notification.Name("MLKModelDownloadDidSucceedNotification")
  /// A download failed. `userInfo` has the model, and the `NSError` under `ModelDownloadUserInfoKey.error`.
  public static let mlkitModelDownloadDidFail = Notification.Name("MLKModelDownloadDidFailNotification")
}

/// What the `userInfo` of notifications about downloads holds.
public struct ModelDownloadUserInfoKey: RawRepresentable, Sendable, Hashable {
  /// The key in the dictionary.
  public var rawValue: String

  /// - Parameter rawValue: the key in the dictionary.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The `RemoteModel`.
  public static let remoteModel = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
  /// The `NSError`.
  public static let error = ModelDownloadUserInfoKey(rawValue: "MLKModelDownloadUserInfoKeyError")
}
