import SwiftletTracking

/// The CLEAR metrics: missing boxes, false boxes, and identity switches.
///
/// - Source: K. Bernardin, R. Stiefelhagen, "Evaluating Multiple Object Tracking Performance: The CLEAR MOT Metrics"
///   (2008), with the matching rules of TrackEval.
package struct ClearScore: Sendable, Hashable {
  /// A matched pair of a ground-truth box and an output box.
  package struct Match: Sendable, Hashable {
    var frame: Int
    var truth: Int
    var output: Int
    /// The indices among the frame's boxes.
    var row: Int
    var column: Int
  }

  static let threshold = 0.5

  package var truePositives = 0
  package var falsePositives = 0
  package var falseNegatives = 0
  package var identitySwitches = 0
  package var fragments = 0
  package var mostlyTracked = 0
  package var partlyTracked = 0
  package var mostlyLost = 0
  package var overlapSum = 0.0

  private var truthBoxes: Int { truePositives + falseNegatives }

  package var mota: Double { Double(truePositives - falsePositives - identitySwitches) / Double(max(1, truthBoxes)) }
  package var moda: Double { Double(truePositives - falsePositives) / Double(max(1, truthBoxes)) }
  package var motp: Double { overlapSum / Double(max(1, truePositives)) }
  package var recall: Double { Double(truePositives) / Double(max(1, truthBoxes)) }
  package var precision: Double { Double(truePositives) / Double(max(1, truePositives + falsePositives)) }

  init() {}

  package init(_ data: FrameOverlaps) {
    (self, _) = Self.evaluate(data)
  }

  /// Returns the score and the matches it is based on.
  static func evaluate(_ data: FrameOverlaps) -> (ClearScore, [Match]) {
    var score = ClearScore()
    guard data.truthBoxes > 0, data.outputBoxes > 0 else {
      score.falseNegatives = data.truthBoxes
      score.falsePositives = data.outputBoxes
      score.mostlyLost = data.truthIdentities
      return (score, [])
    }
    var matching = Matching(data)
    for index in data.frames.indices { score.take(in: data.frames[index], number: index, &matching) }
    score.count(matching, data)
    return (score, matching.matches)
  }

  /// The state of each ground-truth identity during the evaluation.
  private struct Matching {
    var solver = AssignmentSolver()
    var costs: [Double] = []
    var matches: [Match] = []
    /// The last output identity at any time, and in the last frame that had boxes in ground truth and output.
    var last: [Int?]
    var previous: [Int?]
    var matchedFrames: [Int]
    var starts: [Int]

    init(_ data: FrameOverlaps) {
      last = [Int?](repeating: nil, count: data.truthIdentities)
      previous = last
      matchedFrames = [Int](repeating: 0, count: data.truthIdentities)
      starts = matchedFrames
    }
  }

  private mutating func take(in frame: FrameOverlaps.Frame, number: Int, _ matching: inout Matching) {
    guard !frame.truth.isEmpty, !frame.output.isEmpty else {
      falsePositives += frame.output.count
      falseNegatives += frame.truth.count
      return
    }
    matching.costs.removeAll(keepingCapacity: true)
    for (row, truth) in frame.truth.enumerated() {
      for (column, output) in frame.output.enumerated() {
        let overlap = frame.overlap(row, column)
        // An identity that continues from the previous frame outweighs any overlap.
        let bonus = matching.previous[truth] == output ? 1000.0 : 0
        matching.costs.append(overlap < Self.threshold - .ulpOfOne ? .infinity : -(bonus + overlap))
      }
    }
    matching.solver.solve(costs: matching.costs, rows: frame.truth.count, columns: frame.output.count, limit: 0)
    let before = matching.previous
    matching.previous = [Int?](repeating: nil, count: before.count)
    var count = 0
    for (row, column) in matching.solver.columnOfRow.enumerated() where column >= 0 {
      let (truth, output) = (frame.truth[row], frame.output[column])
      count += 1
      overlapSum += frame.overlap(row, column)
      if let last = matching.last[truth], last != output { identitySwitches += 1 }
      if before[truth] == nil { matching.starts[truth] += 1 }
      matching.last[truth] = output
      matching.previous[truth] = output
      matching.matchedFrames[truth] += 1
      matching.matches.append(Match(frame: number, truth: truth, output: output, row: row, column: column))
    }
    truePositives += count
    falseNegatives += frame.truth.count - count
    falsePositives += frame.output.count - count
  }

  private mutating func count(_ matching: Matching, _ data: FrameOverlaps) {
    for truth in 0..<data.truthIdentities {
      let share = Double(matching.matchedFrames[truth]) / Double(data.truthLengths[truth])
      if share > 0.8 {
        mostlyTracked += 1
      } else if share >= 0.2 {
        partlyTracked += 1
      } else {
        mostlyLost += 1
      }
      fragments += max(0, matching.starts[truth] - 1)
    }
  }

  /// Returns the combined score of two sets of sequences.
  static func + (left: ClearScore, right: ClearScore) -> ClearScore {
    var sum = left
    sum.truePositives += right.truePositives
    sum.falsePositives += right.falsePositives
    sum.falseNegatives += right.falseNegatives
    sum.identitySwitches += right.identitySwitches
    sum.fragments += right.fragments
    sum.mostlyTracked += right.mostlyTracked
    sum.partlyTracked += right.partlyTracked
    sum.mostlyLost += right.mostlyLost
    sum.overlapSum += right.overlapSum
    return sum
  }
}
