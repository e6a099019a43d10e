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
    let image = try makeImage()
    let task = try FakeTask()
    _ = try task.output(for: image)
    #expect(try Allocations.of { for _ in 0..<100 { _ = try task.output(for: image) } } == 0)
  }
}
