import SwiftletBase

/// The made-up times that MediaPipe's iOS tasks give to single images: 0 for the first, and a second more for each
/// further one.
package final class ImageTimes: Sendable {
  private let next = Mutex(Duration.zero)

  package init() {}

  /// Returns the time of the next image.
  package func tick() -> Duration {
    next.withLock { next in
      defer { next += .seconds(1) }
      return next
    }
  }
}
