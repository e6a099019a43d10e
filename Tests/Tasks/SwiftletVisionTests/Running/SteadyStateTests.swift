import SteadyState
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite(
  "Steady state",
  .enabled(if: Allocations.areCounted, "allocations are counted on glibc, without sanitizers"))
struct SteadyStateTests {
  @Test("the counter counts")
  func counter() {
    var kept: [[Int]] = []
    kept.reserveCapacity(10)
    #expect(Allocations.of { for size in 1...10 { kept.append([Int](repeating: size, count: size)) } } == 10)
    #expect(kept.count == 10)
    #expect(Allocations.of {} == 0)
  }

  @Test("the runner itself allocates nothing")
  func runner() throws {
    let image = try picture()
    let still = try FakeRunner.make(.image)
    _ = try still.image(image)
    #expect(try Allocations.of { for _ in 0..<100 { _ = try still.image(image) } } == 0)
    let video = try FakeRunner.make(.video)
    _ = try video.video(image, timestamp: .zero)
    #expect(
      try Allocations.of { for time in 1...100 { _ = try video.video(image, timestamp: .milliseconds(time)) } } == 0)
  }
}
