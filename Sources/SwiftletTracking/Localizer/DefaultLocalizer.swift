import Foundation
import SwiftletVision

/// The object detection model of trackers whose options name none.
///
/// - Thread safety: callable concurrently.
public enum DefaultLocalizer {
  private static let chosen = Serialized<BaseOptions?>(nil)

  /// The model that the package itself brings along: none yet, so that one has to be named.
  static var embedded: BaseOptions? { nil }

  /// The model for the whole process; `nil` for the package's own, if it has one. Trackers that exist already keep theirs.
  public static var model: BaseOptions? {
    get { chosen.withLock { $0 } ?? embedded }
    set { chosen.withLock { $0 = newValue } }
  }
}
