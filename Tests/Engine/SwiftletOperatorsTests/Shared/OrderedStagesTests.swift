import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Stages in order")
struct OrderedStagesTests {
  private func stages(lanes: Int = 1, items: Int, cost: Double) -> [PreparedOperator.Stage] {
    PreparedOperator.Stage.inOrder(lanes: lanes, items: items, cost: cost) { run, lane, items in
      // The context's memory is a list of processed ranges: lane, start, and end.
      let list = run.workerScratch.assumingMemoryBound(to: Int.self)
      let next = 1 + 3 * list[0]
      (list[next], list[next + 1], list[next + 2]) = (lane, items.lowerBound, items.upperBound)
      list[0] += 1
    }
  }

  private func taken(_ stages: [PreparedOperator.Stage]) throws -> [[Int]] {
    let count = 1 + 3 * stages.reduce(0) { $0 + $1.tileCount }
    var list = [Int](repeating: 0, count: count)
    try list.withUnsafeMutableBytes { bytes in
      let scratch = try #require(bytes.baseAddress)
      var pointers = [scratch]
      try pointers.withUnsafeMutableBufferPointer { pointers in
        let context = RunContext(pointers: UnsafePointer(try #require(pointers.baseAddress)), workerScratch: scratch)
        for stage in stages { for tile in 0..<stage.tileCount { try stage.run(context, tile) } }
      }
    }
    return stride(from: 1, to: count, by: 3).map { Array(list[$0..<$0 + 3]) }
  }

  @Test("are merged into one for little work, and separate for much work")
  func count() throws {
    #expect(try taken(stages(items: 1000, cost: 10)) == [[0, 0, 1000]])
    #expect(try taken(stages(lanes: 2, items: 4, cost: 7e6)) == [[0, 0, 2], [1, 0, 2], [0, 2, 4], [1, 2, 4]])
    #expect(stages(items: 0, cost: 1).isEmpty)
    #expect(stages(items: 1 << 40, cost: 1).count == 4096)
    #expect(stages(items: 3, cost: 1e15).count == 3)
  }

  @Test("report all of their work together")
  func work() {
    for (lanes, items, cost) in [(1, 1000, 10.0), (3, 1 << 30, 2.0), (1, 7, 1e8)] {
      let sum = stages(lanes: lanes, items: items, cost: cost).reduce(0) { $0 + ($1.work ?? 0) }
      #expect(abs(sum / (Double(lanes * items) * cost) - 1) < 1e-9)
    }
  }

  @Test("column lanes cover every column once", arguments: [0, 1, 5, 1 << 20, 1 << 20 + 1, 5 << 20 - 3])
  func lanes(columns: Int) {
    let lanes = ColumnLanes(columns: columns)
    var next = 0
    for lane in 0..<lanes.count {
      #expect(lanes.range(lane).lowerBound == next)
      next = lanes.range(lane).upperBound
    }
    #expect(next == columns)
  }
}
