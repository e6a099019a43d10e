/// The time of the last picture that a task accepted.
package struct FrameClock: Sendable {
  private var last: Duration?

  package init() {}

  /// The made-up time of a picture in image mode: 0 for the first, a second later for each further one.
  package mutating func tick() -> Duration {
    let next = last.map { $0 + .seconds(1) } ?? .zero
    last = next
    return next
  }

  /// Takes the time of a frame.
  ///
  /// - Throws: `TaskError` (`timeNotIncreasing`) unless it is later than the last accepted one; it then stays
  ///   unaccepted.
  package mutating func accept(_ timestamp: Duration) throws(TaskError) {
    if let last, timestamp <= last {
      throw TaskError(
        .timeNotIncreasing, "the time of the frame is \(timestamp), but the last one had \(last); times must rise")
    }
    last = timestamp
  }
}
