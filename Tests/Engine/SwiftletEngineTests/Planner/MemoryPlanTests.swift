import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Memory plan")
struct MemoryPlanTests {
  @Test("requests that are alive together never share bytes", arguments: 0..<40)
  func keepsLivingRequestsApart(seed: Int) throws {
    var random = SplitMix64(state: UInt64(seed))
    let requests = (0..<Int.random(in: 1...60, using: &random)).map { _ in
      let start = Int.random(in: 0..<40, using: &random)
      return MemoryRequest(
        bytes: Int.random(in: 0...5000, using: &random),
        lifetime: start...(start + Int.random(in: 0...10, using: &random)))
    }
    let plan = try MemoryPlan.greedyBySize(requests, limit: 1 << 30)
    #expect(plan.firstOverlap(among: requests) == nil)
    for (request, offset) in zip(requests, plan.offsets) {
      #expect(offset % MemoryPlan.alignment == 0)
      #expect(offset + request.bytes <= plan.byteCount)
    }
  }

  @Test("requests that are never alive together share one place")
  func reusesMemory() throws {
    let requests = (0..<10).map { MemoryRequest(bytes: 1000, lifetime: ($0 * 2)...($0 * 2 + 1)) }
    let plan = try MemoryPlan.greedyBySize(requests, slack: 0, limit: 1 << 20)
    #expect(plan.offsets.allSatisfy { $0 == 0 })
    #expect(plan.byteCount == 1024)
  }

  @Test("finds an overlap in a plan that has one")
  func detectsOverlap() {
    let requests = [MemoryRequest(bytes: 10, lifetime: 0...2), MemoryRequest(bytes: 10, lifetime: 2...3)]
    #expect(MemoryPlan(offsets: [0, 0], byteCount: 64).firstOverlap(among: requests) != nil)
    #expect(MemoryPlan(offsets: [0, 64], byteCount: 128).firstOverlap(among: requests) == nil)
  }

  @Test("refuses an arena above the limit")
  func honoursLimit() {
    #expect(throws: RuntimeError.self) {
      try MemoryPlan.greedyBySize([MemoryRequest(bytes: 1000, lifetime: 0...0)], limit: 999)
    }
    #expect(throws: RuntimeError.self) {
      try MemoryPlan.greedyBySize(
        (0..<4).map { _ in MemoryRequest(bytes: Int.max / 2, lifetime: 0...0) }, limit: 1 << 32)
    }
  }
}
