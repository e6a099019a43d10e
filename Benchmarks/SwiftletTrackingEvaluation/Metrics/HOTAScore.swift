import SwiftletTracking

/// Higher order tracking accuracy: detection and association with equal weight, over all overlap thresholds.
///
/// - Source: J. Luiten et al., "HOTA: A Higher Order Metric for Evaluating Multi-Object Tracking" (2021), with the
///   matching of TrackEval.
package struct HOTAScore: Sendable, Hashable {
  static let thresholds = (0..<19).map { 0.05 + Double($0) * 0.05 }

  /// The counts at one threshold.
  struct Level: Sendable, Hashable {
    var truePositives = 0
    var falsePositives = 0
    var falseNegatives = 0
    var overlapSum = 0.0
    /// The sum over the true positives of the agreement of both identities over the sequence.
    var association = 0.0
    var associationRecall = 0.0
    var associationPrecision = 0.0

    private func share(_ sum: Double) -> Double { sum / Double(max(1, truePositives)) }

    var assA: Double { share(association) }
    var assRe: Double { share(associationRecall) }
    var assPr: Double { share(associationPrecision) }
    var detA: Double { Double(truePositives) / Double(max(1, truePositives + falseNegatives + falsePositives)) }
    var detRe: Double { Double(truePositives) / Double(max(1, truePositives + falseNegatives)) }
    var detPr: Double { Double(truePositives) / Double(max(1, truePositives + falsePositives)) }
    var hota: Double { (detA * assA).squareRoot() }
    var locA: Double { truePositives > 0 ? overlapSum / Double(truePositives) : 1 }
  }

  var levels = [Level](repeating: Level(), count: HOTAScore.thresholds.count)

  private func mean(_ value: (Level) -> Double) -> Double { levels.reduce(0) { $0 + value($1) } / Double(levels.count) }

  package var hota: Double { mean(\.hota) }
  package var detA: Double { mean(\.detA) }
  package var assA: Double { mean(\.assA) }
  package var detRe: Double { mean(\.detRe) }
  package var detPr: Double { mean(\.detPr) }
  package var assRe: Double { mean(\.assRe) }
  package var assPr: Double { mean(\.assPr) }
  package var locA: Double { mean(\.locA) }

  init() {}

  package init(_ data: FrameOverlaps) {
    let alignment = Self.alignment(data)
    let columns = data.outputIdentities
    var common = [[Int]](repeating: [Int](repeating: 0, count: alignment.count), count: levels.count)
    var solver = AssignmentSolver()
    for frame in data.frames {
      let costs = frame.truth.indices.flatMap { row in
        frame.output.indices.map { column in
          -alignment[frame.truth[row] * columns + frame.output[column]] * frame.overlap(row, column)
        }
      }
      solver.solve(costs: costs, rows: frame.truth.count, columns: frame.output.count, limit: 0)
      for (level, threshold) in Self.thresholds.enumerated() {
        var count = 0
        for (row, column) in solver.columnOfRow.enumerated() where column >= 0 {
          let overlap = frame.overlap(row, column)
          guard overlap >= threshold - .ulpOfOne else { continue }
          count += 1
          levels[level].overlapSum += overlap
          common[level][frame.truth[row] * columns + frame.output[column]] += 1
        }
        levels[level].truePositives += count
        levels[level].falseNegatives += frame.truth.count - count
        levels[level].falsePositives += frame.output.count - count
      }
    }
    for level in levels.indices { associate(level, common[level], data) }
  }

  /// Returns, for each pair of identities, the share of their combined time in which they overlap, before any matching.
  private static func alignment(_ data: FrameOverlaps) -> [Double] {
    let columns = data.outputIdentities
    var agreement = [Double](repeating: 0, count: data.truthIdentities * columns)
    for frame in data.frames {
      let rowSums = frame.truth.indices.map { row in frame.output.indices.reduce(0) { $0 + frame.overlap(row, $1) } }
      let columnSums = frame.output.indices.map { column in
        frame.truth.indices.reduce(0) { $0 + frame.overlap($1, column) }
      }
      for (row, truth) in frame.truth.enumerated() {
        for (column, output) in frame.output.enumerated() {
          let overlap = frame.overlap(row, column)
          let whole = rowSums[row] + columnSums[column] - overlap
          if whole > .ulpOfOne { agreement[truth * columns + output] += overlap / whole }
        }
      }
    }
    for truth in 0..<data.truthIdentities {
      for output in 0..<columns {
        let index = truth * columns + output
        agreement[index] /= Double(data.truthLengths[truth] + data.outputLengths[output]) - agreement[index]
      }
    }
    return agreement
  }

  private mutating func associate(_ level: Int, _ common: [Int], _ data: FrameOverlaps) {
    for truth in 0..<data.truthIdentities {
      for output in 0..<data.outputIdentities {
        let count = common[truth * data.outputIdentities + output]
        guard count > 0 else { continue }
        let (expected, found) = (data.truthLengths[truth], data.outputLengths[output])
        let weight = Double(count) * Double(count)
        levels[level].association += weight / Double(expected + found - count)
        levels[level].associationRecall += weight / Double(expected)
        levels[level].associationPrecision += weight / Double(found)
      }
    }
  }

  static func + (left: HOTAScore, right: HOTAScore) -> HOTAScore {
    var sum = left
    for level in sum.levels.indices {
      sum.levels[level].truePositives += right.levels[level].truePositives
      sum.levels[level].falsePositives += right.levels[level].falsePositives
      sum.levels[level].falseNegatives += right.levels[level].falseNegatives
      sum.levels[level].overlapSum += right.levels[level].overlapSum
      sum.levels[level].association += right.levels[level].association
      sum.levels[level].associationRecall += right.levels[level].associationRecall
      sum.levels[level].associationPrecision += right.levels[level].associationPrecision
    }
    return sum
  }
}
