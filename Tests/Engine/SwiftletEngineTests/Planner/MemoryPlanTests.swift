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

  @Test("requests that are never alive together share memory")
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

  @Test("rejects an arena above the limit")
  func honorsLimit() {
    #expect(throws: RuntimeError.self) {
      try MemoryPlan.greedyBySize([MemoryRequest(bytes: 1000, lifetime: 0...0)], limit: 999)
    }
    #expect(throws: RuntimeError.self) {
      try MemoryPlan.greedyBySize(
        (0..<4).map { _ in MemoryRequest(bytes: Int.max / 2, lifetime: 0...0) }, limit: 1 << 32)
    }
  }

  // MARK: Positions computed by hand

  @Test(
    "a block includes its slack and is rounded up to the alignment",
    arguments: [
      (0, 64, 64), (1, 64, 128), (63, 64, 128), (64, 64, 128), (65, 64, 192), (100, 64, 192), (0, 0, 0), (1, 0, 64),
      (64, 0, 64), (65, 0, 128), (60, 3, 64), (61, 3, 64), (62, 3, 128),
    ] as [(Int, Int, Int)])
  func sizes(bytes: Int, slack: Int, size: Int) throws {
    let plan = try MemoryPlan.greedyBySize(
      [MemoryRequest(bytes: bytes, lifetime: 0...0)], slack: slack, limit: 1 << 10)
    #expect(plan.offsets == [0] && plan.byteCount == size)
  }

  @Test("blocks that are alive together are contiguous, with 64 bytes of slack each")
  func slack() throws {
    let requests = [MemoryRequest(bytes: 50, lifetime: 1...2), MemoryRequest(bytes: 100, lifetime: 0...1)]
    let plan = try MemoryPlan.greedyBySize(requests, limit: 320)
    #expect(plan.offsets == [192, 0] && plan.byteCount == 320)
    #expect(MemoryPlan.alignment == 64 && MemoryPlan.slackBytes == 3)
  }

  @Test("a plan of exactly the limit is accepted, and one of a byte more is rejected with both sizes")
  func exactLimit() throws {
    let requests = [MemoryRequest(bytes: 50, lifetime: 0...2), MemoryRequest(bytes: 100, lifetime: 0...1)]
    let error = #expect(throws: RuntimeError.self) { try MemoryPlan.greedyBySize(requests, limit: 319) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "the model's tensors take 320 bytes or more, above the limit of 319; raise RuntimeOptions.limits.arenaBytes if this is intended"
    )
    let one = [MemoryRequest(bytes: 128, lifetime: 0...0)]
    #expect(try MemoryPlan.greedyBySize(one, slack: 0, limit: 128).byteCount == 128)
    let tooLarge = #expect(throws: RuntimeError.self) { try MemoryPlan.greedyBySize(one, slack: 0, limit: 127) }
    #expect(tooLarge?.message.contains("take 128 bytes") == true)
    let hostile = #expect(throws: RuntimeError.self) {
      try MemoryPlan.greedyBySize([MemoryRequest(bytes: .max, lifetime: 0...0)], limit: .max - 1)
    }
    #expect(hostile?.code == .limitExceeded)
  }

  @Test("each request is placed in the first of the smallest sufficient gaps")
  func smallestGap() throws {
    // Requests of both steps stay; those of step 0 only leave gaps of 384 and 256 bytes for step 1.
    let sizes = [
      (512, 0...1), (384, 0...0), (320, 0...1), (256, 0...0), (192, 0...1), (192, 1...1), (128, 1...1), (64, 1...1),
    ]
    let plan = try MemoryPlan.greedyBySize(
      sizes.map { MemoryRequest(bytes: $0.0, lifetime: $0.1) }, slack: 0, limit: 1 << 20)
    #expect(plan.offsets == [0, 512, 896, 1216, 1472, 1216, 512, 1408])
    #expect(plan.byteCount == 1664)
    let equal = [(256, 0...1), (192, 0...0), (192, 0...1), (192, 0...0), (192, 0...1), (64, 1...1)]
    let gaps = try MemoryPlan.greedyBySize(
      equal.map { MemoryRequest(bytes: $0.0, lifetime: $0.1) }, slack: 0, limit: 1 << 20)
    #expect(gaps.offsets == [0, 256, 448, 640, 832, 256])
  }

  @Test("requests of the same size are placed by their first step, and then in order")
  func order() throws {
    func offsets(_ lifetimes: ClosedRange<Int>...) throws -> [Int] {
      try MemoryPlan.greedyBySize(
        lifetimes.map { MemoryRequest(bytes: 64, lifetime: $0) }, slack: 0, limit: 1 << 20
      ).offsets
    }
    #expect(try offsets(5...5, 0...5) == [64, 0])
    #expect(try offsets(0...5, 5...5) == [0, 64])
    #expect(try offsets(2...5, 2...3, 2...9) == [0, 64, 128])
    #expect(try offsets(3...4, 1...3, 2...2, 0...1) == [0, 64, 0, 0])
  }

  @Test("lifetimes that share a step overlap, and consecutive ones don't")
  func lifetimes() throws {
    let apart = [MemoryRequest(bytes: 64, lifetime: 0...1), MemoryRequest(bytes: 64, lifetime: 2...3)]
    #expect(try MemoryPlan.greedyBySize(apart, slack: 0, limit: 64).byteCount == 64)
    let touching = [MemoryRequest(bytes: 64, lifetime: 0...2), MemoryRequest(bytes: 64, lifetime: 2...3)]
    #expect(try MemoryPlan.greedyBySize(touching, slack: 0, limit: 128).byteCount == 128)
  }

  @Test("overlaps of one byte are found, and empty blocks and separate lifetimes never overlap")
  func overlaps() {
    func overlap(_ offsets: [Int], _ requests: [(Int, ClosedRange<Int>)]) -> [Int]? {
      MemoryPlan(offsets: offsets, byteCount: 1000)
        .firstOverlap(among: requests.map { MemoryRequest(bytes: $0.0, lifetime: $0.1) }).map { [$0.0, $0.1] }
    }
    #expect(overlap([0, 10], [(10, 0...1), (10, 1...2)]) == nil)
    #expect(overlap([10, 0], [(10, 0...1), (10, 1...2)]) == nil)
    #expect(overlap([0, 9], [(10, 0...1), (10, 1...2)]) == [0, 1])
    #expect(overlap([9, 0], [(10, 0...1), (10, 1...2)]) == [0, 1])
    #expect(overlap([0, 0], [(10, 0...1), (10, 2...2)]) == nil)
    #expect(overlap([0, 0], [(0, 0...1), (10, 1...2)]) == nil)
    #expect(overlap([0, 5], [(10, 0...1), (0, 1...2)]) == nil)
    #expect(overlap([0, 20, 25], [(10, 0...1), (10, 0...2), (10, 0...2)]) == [1, 2])
  }
}
