import SwiftletBase
import Testing

@testable import SwiftletVision

@Suite("Row bands")
struct RowBandsTests {
  @Test("cover all rows once", arguments: [1, 31, 32, 63, 64, 65, 1000], [1, 2, 3, 7])
  func cover(rowCount: Int, threads: Int) {
    let bands = RowBands(rowCount: rowCount, threads: threads)
    #expect((1...threads).contains(bands.count))
    #expect((0..<bands.count).flatMap { Array(bands.rows($0)) } == Array(0..<rowCount))
    #expect(bands.count == 1 || (0..<bands.count).allSatisfy { bands.rows($0).count >= 32 })
  }

  @Test("are all visited, and an error in one is reported")
  func visits() throws {
    let bands = RowBands(rowCount: 400, threads: 4)
    let visited = Atomic<Int>(0)
    try bands.forEach { _, rows in visited.add(rows.count, ordering: .relaxed) }
    #expect(visited.load(ordering: .relaxed) == 400)
    #expect(throws: TaskError.self) {
      try bands.forEach { band, _ in if band == 2 { throw TaskError(.failed, "two") } }
    }
  }
}
