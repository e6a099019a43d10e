/// When a load or a run is to end at the latest.
///
/// A time since a fixed one, not the clock's instant: to copy an optional one of those takes part of the time of a
/// small model's run.
struct RunDeadline {
  private static let origin = ContinuousClock.now
  /// Later and earlier times than a century from the fixed one are that: sums of any times would overflow.
  private static let farthest = Duration.seconds(3_155_760_000)
  private let time: Duration

  init(_ instant: ContinuousClock.Instant) {
    if instant > Self.origin + Self.farthest {
      time = Self.farthest
    } else if instant < Self.origin - Self.farthest {
      time = .zero - Self.farthest
    } else {
      time = instant - Self.origin
    }
  }

  init(after duration: Duration) {
    time = ContinuousClock.now - Self.origin + min(max(duration, .zero - Self.farthest), Self.farthest)
  }

  var isOver: Bool { ContinuousClock.now - Self.origin >= time }

  static func earlier(_ first: RunDeadline, _ second: RunDeadline) -> RunDeadline {
    first.time <= second.time ? first : second
  }
}
