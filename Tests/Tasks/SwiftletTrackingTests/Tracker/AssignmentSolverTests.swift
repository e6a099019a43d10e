import SwiftletTestSupport
import Testing

@testable import SwiftletTracking

@Suite("Assignment")
struct AssignmentSolverTests {
  /// Returns the best possible saving by exhaustive search. An unpaired row and an unpaired column together cost
  /// `limit`, so a pair saves `limit - cost`.
  private func bestSaving(_ costs: [[Double]], limit: Double, row: Int = 0, used: Int = 0) -> Double {
    guard row < costs.count else { return 0 }
    var best = bestSaving(costs, limit: limit, row: row + 1, used: used)
    for column in costs[row].indices where costs[row][column] <= limit && used & (1 << column) == 0 {
      best = max(
        best, limit - costs[row][column] + bestSaving(costs, limit: limit, row: row + 1, used: used | (1 << column)))
    }
    return best
  }

  private func saving(_ costs: [[Double]], limit: Double, columns: [Int]) -> Double {
    zip(costs, columns).reduce(0) { $1.1 < 0 ? $0 : $0 + limit - $1.0[$1.1] }
  }

  private func solve(_ costs: [[Double]], limit: Double, with solver: inout AssignmentSolver) -> [Int] {
    solver.solve(costs: costs.flatMap(\.self), rows: costs.count, columns: costs.first?.count ?? 0, limit: limit)
    return solver.columnOfRow
  }

  @Test("is optimal in ten thousand cases of up to 6 × 6")
  func equalsBruteForce() {
    var generator = SplitMix64(state: 2024)
    var solver = AssignmentSolver()
    for number in 0..<10_000 {
      let (rows, columns) = (
        Int.random(in: 1...(number % 10 == 0 ? 6 : 4), using: &generator),
        Int.random(in: 1...(number % 10 == 0 ? 6 : 4), using: &generator)
      )
      let limit = Double.random(in: -0.2...1.2, using: &generator)
      // Every second matrix has few distinct numbers, so that many solutions are equally good; every third has
      // infeasible pairs.
      let costs = (0..<rows).map { _ in
        (0..<columns).map { _ -> Double in
          let cost = Double.random(in: number % 7 == 0 ? -1...1 : 0...1, using: &generator)
          if number % 3 == 0, Bool.random(using: &generator) {
            return [Double.infinity, .nan, 5].randomElement(using: &generator) ?? 5
          }
          return number % 2 == 0 ? (cost * 4).rounded() / 4 : cost
        }
      }
      let found = solve(costs, limit: limit, with: &solver)
      let partners = found.filter { $0 >= 0 }
      #expect(Set(partners).count == partners.count, "case \(number): a column has two rows")
      for (row, column) in found.enumerated() where column >= 0 {
        #expect(costs[row][column] <= limit, "case \(number)")
      }
      #expect(
        abs(saving(costs, limit: limit, columns: found) - bestSaving(costs, limit: limit)) < 1e-9,
        "case \(number): \(costs), limit \(limit)")
    }
  }

  @Test("leaves a pair unmatched rather than worsening a good match")
  func limitCounts() {
    var solver = AssignmentSolver()
    // Without a limit, both rows would be paired, for 0.7 + 0.7; with it, pairing only the first one is better.
    #expect(solve([[0.1, 0.7], [0.7, 2]], limit: 0.75, with: &solver) == [0, -1])
    #expect(solve([[0.1, 0.7], [0.7, 2]], limit: 10, with: &solver) == [1, 0])
  }

  @Test("moves earlier rows along a path when a later one needs their column")
  func movesRows() {
    var solver = AssignmentSolver()
    #expect(solve([[1, 2, 9], [1, 9, 2], [1, 9, 9]], limit: 5, with: &solver) == [1, 2, 0])
    #expect(solve([[1, 9], [1, 9], [0, 9]], limit: 5, with: &solver) == [-1, -1, 0])
  }

  @Test("chooses the lowest indices among equals")
  func breaksTies() {
    var solver = AssignmentSolver()
    #expect(solve([[1, 1], [1, 1]], limit: 2, with: &solver) == [0, 1])
    #expect(solve([[1], [1]], limit: 2, with: &solver) == [0, -1])
  }

  @Test("supports matrices without rows, columns, or pairs")
  func emptyMatrices() {
    var solver = AssignmentSolver()
    #expect(solve([], limit: 1, with: &solver) == [])
    solver.solve(costs: [], rows: 3, columns: 0, limit: 1)
    #expect(solver.columnOfRow == [-1, -1, -1])
    #expect(solve([[2, 3], [4, .nan]], limit: 1, with: &solver) == [-1, -1])
    #expect(solve([[2, 0.5], [4, .nan]], limit: 1, with: &solver) == [1, -1])
  }
}
