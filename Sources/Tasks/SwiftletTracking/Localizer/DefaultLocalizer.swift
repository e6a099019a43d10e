import SwiftletBase
import SwiftletVision

/// The object detection model of trackers whose options name none.
///
/// There is none until a program sets one. The package's own is in a product of its own, so that no program carries it
/// that does not ask for it: with `import SwiftletModels`, `DefaultLocalizer.model = BaseOptions(model:
/// .embedded(.objectDetector))`.
///
/// - Thread safety: callable concurrently.
public enum DefaultLocalizer {
  private static let chosen = Mutex<BaseOptions?>(nil)

  /// The model for the whole process. Trackers that exist already keep theirs.
  public static var model: BaseOptions? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }
}
