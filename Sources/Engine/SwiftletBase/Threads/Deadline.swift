/// The latest time at which work may end.
///
/// A time since a fixed one, not the clock's instant: copying an optional instant takes a noticeable part of a small
/// model's run.
package struct Deadline: Sendable {
  private static let origin = ContinuousClock.now
  /// Times further from the fixed one than a century count as a century: sums of arbitrary times would overflow.
  private static let farthest = Duration.seconds(3_155_760_000)
  private let time: Duration

  package init(_ instant: ContinuousClock.Instant) {
    if instant > Self.origin + Self.farthest {
      time = Self.farthest
    } else if instant < Self.origin - Self.farthest {
      time = .zero - Self.farthest
    } else {
      time = instant - Self.origin
    }
  }

  package init(after duration: Duration) {
    time = ContinuousClock.now - Self.origin + min(max(duration, .zero - Self.farthest), Self.farthest)
  }

  package var isOver: Bool { ContinuousClock.now - Self.origin >= time }

  /// The earlier of two deadlines, or the one that there is.
  package static func earliest(_ first: Deadline?, _ second: Deadline?) -> Deadline? {
    guard let first, let second else { return first ?? second }
    return first.time <= second.time ? first : second
  }
}
