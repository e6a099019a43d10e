import Testing

@testable import SwiftletRuntime

@Suite("Stages in order")
struct OrderedStagesTests {
  @Test("are one where there is little to do, and otherwise end between pieces")
  func areCut() {
    func stages(_ count: Int, _ cost: Double) -> [PreparedOperator.Stage] {
      PreparedOperator.Stage.inOrder(tiles: 3, items: count, cost: cost) { _, _, _ in }
    }
    #expect(stages(1000, 10).count == 1)
    #expect(stages(10, 1e7).count == 10)
    #expect(stages(1 << 30, 1e7).count == 256)
    for stages in [stages(1000, 10), stages(10, 1e7), stages(1000, 1e5)] {
      #expect(stages.allSatisfy { $0.tileCount == 3 && $0.work != nil })
    }
    #expect(stages(1000, 1e5).reduce(0) { $0 + ($1.work ?? 0) } == 3e8)
    #expect(stages(0, 1e5).count == 1)
  }
}
