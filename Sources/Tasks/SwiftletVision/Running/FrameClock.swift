/// The time of the last picture that a task accepted.
struct FrameClock: Sendable {
  private var last: Int?

  /// The made-up time of a picture in image mode, in milliseconds: 0 for the first, a second later for each further
  /// one.
  mutating func tick() -> Int {
    let next = last.map { $0 + 1000 } ?? 0
    last = next
    return next
  }

  /// Takes the time of a frame.
  ///
  /// - Throws: `VisionTaskError` (`invalidArgument`) unless it is later than the last accepted one; it then stays
  ///   unaccepted.
  mutating func accept(_ timestampInMilliseconds: Int) throws(VisionTaskError) {
    if let last, timestampInMilliseconds <= last {
      throw .invalid("Input timestamp must be monotonically increasing.")
    }
    last = timestampInMilliseconds
  }
}
