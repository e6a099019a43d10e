import SwiftletBase

/// The synthetic timestamps that MediaPipe's iOS tasks assign to single images: 0 for the first, and one second more
/// for each further one.
package final class ImageTimes: Sendable {
  private let next = Mutex(Duration.zero)

  package init() {}

  /// Returns the timestamp of the next image.
  package func tick() -> Duration {
    next.withLock { next in
      defer { next += .seconds(1) }
      return next
    }
  }
}

extension Duration {
  /// The whole milliseconds, MediaPipe's unit of time.
  ///
  /// A duration that was created from a number of milliseconds gives that number, so there is no overflow.
  package var inMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
