public import Foundation

/// Under which conditions a download may run.
///
/// - Thread safety: callable concurrently.
public final class ModelDownloadConditions: NSObject, NSCopying, Sendable {
  /// Whether it may use a mobile network. Systems without mobile networks ignore it.
  public let allowsCellularAccess: Bool
  /// Accepted so that code for ML Kit compiles, and ignored: downloads run while the program does, and go on where they
  /// were in the next one.
  public let allowsBackgroundDownloading: Bool

  /// Mobile networks allowed, background not.
  public convenience override init() {
    self.init(allowsCellularAccess: true, allowsBackgroundDownloading: false)
  }

  /// - Parameters:
  ///   - allowsCellularAccess: whether a mobile network may be used.
  ///   - allowsBackgroundDownloading: ignored.
  public init(allowsCellularAccess: Bool, allowsBackgroundDownloading: Bool) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
  }

  /// The same object, as it never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
