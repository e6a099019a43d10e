import SwiftletTracking

/// The identity metrics: the number of boxes whose identity matches under the best one-to-one assignment over the
/// entire sequence.
///
/// - Source: E. Ristani et al., "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking" (2016),
///   as in TrackEval.
package struct IdentityScore: Sendable, Hashable {
  package var truePositives = 0
  package var falsePositives = 0
  package var falseNegatives = 0

  package var f1: Double {
    Double(truePositives) / max(1, Double(truePositives) + 0.5 * Double(falsePositives) + 0.5 * Double(falseNegatives))
  }
  package var precision: Double { Double(truePositives) / Double(max(1, truePositives + falsePositives)) }
  package var recall: Double { Double(truePositives) / Double(max(1, truePositives + falseNegatives)) }

  init() {}

  package init(_ data: FrameOverlaps) {
    let (rows, columns) = (data.truthIdentities, data.outputIdentities)
    // The number of frames in which a pair of identities overlaps enough, as a cost.
    var costs = [Double](repeating: 0, count: rows * columns)
    for frame in data.frames {
      for (row, truth) in frame.truth.enumerated() {
        for (column, output) in frame.output.enumerated() where frame.overlap(row, column) >= ClearScore.threshold {
          costs[truth * columns + output] -= 1
        }
      }
    }
    var solver = AssignmentSolver()
    solver.solve(costs: costs, rows: rows, columns: columns, limit: 0)
    for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
      truePositives += Int(-costs[row * columns + column])
    }
    falseNegatives = data.truthBoxes - truePositives
    falsePositives = data.outputBoxes - truePositives
  }

  static func + (left: IdentityScore, right: IdentityScore) -> IdentityScore {
    var sum = left
    sum.truePositives += right.truePositives
    sum.falsePositives += right.falsePositives
    sum.falseNegatives += right.falseNegatives
    return sum
  }
}
