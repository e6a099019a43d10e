import SwiftletBase
import Testing

@Suite("Deadlines")
struct DeadlineTests {
  private static let century = Duration.seconds(3_155_760_000)

  private func time(_ deadline: Deadline) -> Duration? {
    Mirror(reflecting: deadline).descendant("time") as? Duration
  }

  @Test("instants beyond a century are a century away")
  func farInstants() throws {
    let now = ContinuousClock.now
    for beyond in [Duration.seconds(1 << 33), .seconds(3_155_760_000 + 86_400), .seconds(1 << 60)] {
      #expect(time(Deadline(now + beyond)) == Self.century)
      #expect(time(Deadline(now - beyond)) == .zero - Self.century)
      #expect(!Deadline(now + beyond).isOver && Deadline(now - beyond).isOver)
    }
    let hour = try #require(time(Deadline(now + .seconds(3600)))),
      day = try #require(time(Deadline(now + .seconds(86_400))))
    #expect(day - hour == .seconds(82_800))
  }

  @Test("durations beyond a century are a century long")
  func farDurations() throws {
    let reference = try #require(time(Deadline(after: .zero)))
    for (duration, length) in [
      (Duration.seconds(1 << 60), Self.century), (.zero - .seconds(1 << 60), .zero - Self.century),
      (.seconds(86_400), .seconds(86_400)), (.zero - .seconds(86_400), .zero - .seconds(86_400)),
    ] as [(Duration, Duration)] {
      let found = try #require(time(Deadline(after: duration))) - reference
      #expect(found >= length && found < length + .seconds(3600))
    }
    #expect(Deadline(after: .zero).isOver && !Deadline(after: .seconds(3600)).isOver)
  }

  @Test("the earlier of two deadlines applies, and a missing deadline is ignored")
  func earliest() {
    let now = ContinuousClock.now
    let past = Deadline(now - .seconds(5)), later = Deadline(now + .seconds(3600))
    #expect(Deadline.earliest(past, later)?.isOver == true && Deadline.earliest(later, past)?.isOver == true)
    #expect(Deadline.earliest(later, later)?.isOver == false)
    #expect(Deadline.earliest(past, nil)?.isOver == true && Deadline.earliest(nil, past)?.isOver == true)
    #expect(Deadline.earliest(nil, nil) == nil)
  }
}
