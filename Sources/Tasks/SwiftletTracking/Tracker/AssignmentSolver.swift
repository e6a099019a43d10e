/// Pairs rows with columns at the lowest total cost. A row and a column without a partner cost `limit` together.
///
/// Therefore no pair costs more than the limit, and an additional pair never increases the total cost. The solver's
/// memory is reused for the next matrix.
///
/// - Complexity: O(rows² · (rows + columns)) time; allocates only for matrices larger than all before.
/// - Source: shortest augmenting paths as in R. Jonker, A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense
///   and Sparse Linear Assignment Problems" (1987), on a matrix in which each row has one additional column of its own,
///   for rows without a partner.
package struct AssignmentSolver: Sendable {
  /// The column of each row of the last matrix, -1 for a row without a partner.
  package private(set) var columnOfRow: [Int] = []

  private var rowOfColumn: [Int] = []
  private var rowPotentials: [Double] = []
  private var columnPotentials: [Double] = []
  /// The length of the shortest known path to each column; the next array has the row before it.
  private var distances: [Double] = []
  private var previousRows: [Int] = []
  private var isReached: [Bool] = []
  private var entriesInColumn: [Int] = []

  package init() {}

  /// Solves an assignment problem.
  ///
  /// - Parameters:
  ///   - costs: `rows × columns` costs in row-major order. Costs above `limit`, and NaN, mark impossible pairs. Of
  ///     solutions with equal cost, the one with the lowest indices is chosen.
  ///   - limit: A finite cost.
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

  /// Solves matrices in which each row and each column has at most one possible pair; returns whether that is the case.
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

  /// Detects the cheapest path that gives `start` a partner or leaves some row alone, and reassigns the rows on the
  /// path.
  private mutating func augment(from start: Int, _ costs: [Double], columns: Int, limit: Double) {
    for column in 0..<columns {
      distances[column] = .infinity
      isReached[column] = false
    }
    var row = start
    var reached = 0.0
    // The row that is best left alone so far, and the length of the path to it.
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

  /// Updates the potentials so that no reduced cost is negative, and those on the path are zero.
  private mutating func shiftPotentials(start: Int, end: Double, columns: Int) {
    rowPotentials[start] += end
    for column in 0..<columns where isReached[column] {
      let shift = end - distances[column]
      columnPotentials[column] -= shift
      if rowOfColumn[column] >= 0 { rowPotentials[rowOfColumn[column]] += shift }
    }
  }

  /// Assigns a column to the previous row on the path, that row's column to the row before it, and so on to the start.
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

  /// Leaves a row on the path alone and assigns its column to the previous row.
  private mutating func release(_ row: Int, start: Int) {
    guard row != start else { return }
    let freed = columnOfRow[row]
    columnOfRow[row] = -1
    occupy(freed, start: start)
  }
}

extension Array {
  /// Replaces the contents of the array by copies of one value, and reuses its memory if it is sufficient.
  mutating func refill(with value: Element, count: Int) {
    removeAll(keepingCapacity: true)
    append(contentsOf: repeatElement(value, count: count))
  }
}
