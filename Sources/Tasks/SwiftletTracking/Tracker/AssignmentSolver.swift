/// Pairs rows with columns so that the sum of costs is least, where leaving a row and a column without a partner costs
/// `limit` in all.
///
/// So a pair above the limit is never made, and an additional pair never raises the total cost. Its memory is reused
/// for the next matrix.
///
/// - Complexity: O(rows² · (rows + columns)) time; allocates only for matrices larger than all before.
/// - Source: shortest augmenting paths as in R. Jonker, A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense
///   and Sparse Linear Assignment Problems" (1987), on a matrix in which each row has one more column, its own, for
///   staying alone.
package struct AssignmentSolver: Sendable {
  /// The column of each row of the last matrix, -1 for one that is alone.
  package private(set) var columnOfRow: [Int] = []

  private var rowOfColumn: [Int] = []
  private var rowPotentials: [Double] = []
  private var columnPotentials: [Double] = []
  /// The shortest path found so far to each column, and the row before it.
  private var distances: [Double] = []
  private var previousRows: [Int] = []
  private var isReached: [Bool] = []
  private var entriesInColumn: [Int] = []

  package init() {}

  /// - Parameters:
  ///   - costs: `rows × columns` numbers, row by row; those above `limit`, and NaN, stand for pairs that are
  ///     impossible. Of solutions with the same cost, the one with the lowest indices is chosen.
  ///   - limit: a finite number.
  package mutating func solve(costs: [Double], rows: Int, columns: Int, limit: Double) {
    precondition(
      rows >= 0 && columns >= 0 && costs.count == rows * columns, "the matrix must have rows × columns costs")
    columnOfRow.refill(with: -1, count: rows)
    guard rows > 0, columns > 0, !pairWithoutChoice(costs, rows: rows, columns: columns, limit: limit) else { return }
    columnOfRow.refill(with: -1, count: rows)
    rowOfColumn.refill(with: -1, count: columns)
    rowPotentials.refill(with: 0, count: rows)
    columnPotentials.refill(with: 0, count: columns)
    distances.refill(with: 0, count: columns)
    previousRows.refill(with: 0, count: columns)
    isReached.refill(with: false, count: columns)
    for row in 0..<rows { augment(from: row, costs, columns: columns, limit: limit) }
  }

  /// Where each row and each column has at most one possible pair, those are the answer.
  private mutating func pairWithoutChoice(_ costs: [Double], rows: Int, columns: Int, limit: Double) -> Bool {
    entriesInColumn.refill(with: 0, count: columns)
    for row in 0..<rows {
      for column in 0..<columns where costs[row * columns + column] <= limit {
        guard columnOfRow[row] < 0, entriesInColumn[column] == 0 else { return false }
        columnOfRow[row] = column
        entriesInColumn[column] = 1
      }
    }
    return true
  }

  /// Finds the cheapest way to give `start` a partner or to leave some row alone, moving the rows before it to other
  /// columns.
  private mutating func augment(from start: Int, _ costs: [Double], columns: Int, limit: Double) {
    for column in 0..<columns {
      distances[column] = .infinity
      isReached[column] = false
    }
    var row = start
    var reached = 0.0
    // The row that is best left alone so far, and the length of the path to that.
    var lonelyRow = start
    var lonelyDistance = Double.infinity
    while true {
      let base = reached - rowPotentials[row]
      if base + limit < lonelyDistance {
        lonelyDistance = base + limit
        lonelyRow = row
      }
      var nearest = -1
      for column in 0..<columns where !isReached[column] {
        let cost = costs[row * columns + column]
        if cost <= limit {
          let distance = base + cost - columnPotentials[column]
          if distance < distances[column] {
            distances[column] = distance
            previousRows[column] = row
          }
        }
        if distances[column] < (nearest < 0 ? .infinity : distances[nearest]) { nearest = column }
      }
      guard nearest >= 0, distances[nearest] <= lonelyDistance else {
        shiftPotentials(start: start, end: lonelyDistance, columns: columns)
        release(lonelyRow, start: start)
        return
      }
      isReached[nearest] = true
      reached = distances[nearest]
      guard rowOfColumn[nearest] >= 0 else {
        shiftPotentials(start: start, end: reached, columns: columns)
        occupy(nearest, start: start)
        return
      }
      row = rowOfColumn[nearest]
    }
  }

  /// Keeps every reduced cost from falling below zero, and those on the path at zero.
  private mutating func shiftPotentials(start: Int, end: Double, columns: Int) {
    rowPotentials[start] += end
    for column in 0..<columns where isReached[column] {
      let shift = end - distances[column]
      columnPotentials[column] -= shift
      if rowOfColumn[column] >= 0 { rowPotentials[rowOfColumn[column]] += shift }
    }
  }

  /// Gives a column to the row before it on the path, that row's column to the row before, and so on back to the start.
  private mutating func occupy(_ column: Int, start: Int) {
    var column = column
    while true {
      let row = previousRows[column]
      let freed = columnOfRow[row]
      columnOfRow[row] = column
      rowOfColumn[column] = row
      guard row != start else { return }
      column = freed
    }
  }

  /// Leaves a row on the path alone; its column goes to the row before.
  private mutating func release(_ row: Int, start: Int) {
    guard row != start else { return }
    let freed = columnOfRow[row]
    columnOfRow[row] = -1
    occupy(freed, start: start)
  }
}

extension Array {
  /// Makes all of the array one value, in the memory it has if that is enough.
  mutating func refill(with value: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(value, count: count))
  }
}
