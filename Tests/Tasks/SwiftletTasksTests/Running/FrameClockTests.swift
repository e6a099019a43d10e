import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Frame clock")
struct FrameClockTests {
  private func error(_ clock: inout FrameClock, _ time: Duration) -> TaskError? {
    thrownError { try clock.accept(time) }
  }

  @Test("any time may be the first, and each must be later than the previous one")
  func times() throws {
    var clock = FrameClock()
    try clock.accept(.seconds(-5))
    try clock.accept(.seconds(-5) + .nanoseconds(1))
    for time in [Duration.seconds(-5) + .nanoseconds(1), .seconds(-5), .seconds(-6)] {
      let error = error(&clock, time)
      #expect(error?.code == .timeNotIncreasing)
      #expect(
        error?.message
          == "the time of the frame must be later than \(Duration.seconds(-5) + .nanoseconds(1)), the time of the frame before, got \(time)"
      )
    }
    try clock.accept(.zero)
    #expect(error(&clock, .zero)?.code == .timeNotIncreasing && error(&clock, .nanoseconds(1)) == nil)
  }
}
