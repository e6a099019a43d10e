import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Frame clock")
struct FrameClockTests {
  private func error(_ clock: inout FrameClock, _ time: Duration) -> TaskError? {
    thrownError { try clock.accept(time) }
  }

  @Test("ticks a second per image, from 0 or from the last accepted time")
  func ticks() throws {
    var clock = FrameClock()
    #expect((0..<3).map { _ in clock.tick() } == [.zero, .seconds(1), .seconds(2)])
    try clock.accept(.milliseconds(2001))
    #expect(clock.tick() == .milliseconds(3001))
  }

  @Test("any time may be the first, and each has to be later than the one before")
  func times() throws {
    var clock = FrameClock()
    try clock.accept(.seconds(-5))
    try clock.accept(.seconds(-5) + .nanoseconds(1))
    for time in [Duration.seconds(-5) + .nanoseconds(1), .seconds(-5), .seconds(-6)] {
      let error = error(&clock, time)
      #expect(error?.code == .timeNotIncreasing)
      #expect(
        error?.message
          == "the time of the frame is \(time), but the last one had \(Duration.seconds(-5) + .nanoseconds(1)); times must rise"
      )
    }
    try clock.accept(.zero)
    #expect(error(&clock, .zero)?.code == .timeNotIncreasing && error(&clock, .nanoseconds(1)) == nil)
  }
}
