import SwiftletImage

/// The indices of the four outputs of a detection operator.
package struct DetectionOutputs: Sendable, Equatable {
  /// Float32 `[1, rows, 4]`: ymin, xmin, ymax, xmax.
  package let boxes: Int
  /// Float32 `[1, rows]`.
  package let classes: Int
  /// Float32 `[1, rows]`, descending.
  package let scores: Int
  /// Float32 `[1]`: the number of detected boxes.
  package let count: Int
  /// The number of rows per counted box: `max_classes_per_detection` of the operator, or 1 with regular non-maximum
  /// suppression, which counts rows.
  package let rowsPerBox: Int

  package init(boxes: Int, classes: Int, scores: Int, count: Int, rowsPerBox: Int = 1) {
    self.rowsPerBox = rowsPerBox
    self.boxes = boxes
    self.classes = classes
    self.scores = scores
    self.count = count
  }

  /// Recognizes the four outputs by their shapes and values, for callers without access to the graph.
  ///
  /// Classes are integers, and scores are descending in 0…1. If both outputs match both rules, recognition fails.
  package init?(recognizing expected: [ExpectedOutput]) {
    guard expected.count == 4, expected.allSatisfy({ $0.samples.elementType == .float32 && $0.sampleStride == 1 }),
      let boxes = expected.firstIndex(where: { $0.shape.count == 3 && $0.shape[0] == 1 && $0.shape[2] == 4 }),
      let count = expected.firstIndex(where: { $0.shape == [1] })
    else { return nil }
    let flat = expected.indices.filter { expected[$0].shape == Array(expected[boxes].shape.prefix(2)) }
    guard flat.count == 2 else { return nil }
    func looksLikeScores(_ index: Int) -> Bool {
      guard let values = expected[index].samples.floatingPointValues else { return false }
      return values.contains { $0 != $0.rounded() } && values.allSatisfy { (0...1).contains($0) }
    }
    let scores = flat.filter(looksLikeScores)
    guard scores.count == 1, let classes = flat.first(where: { $0 != scores[0] }) else { return nil }
    self.init(boxes: boxes, classes: classes, scores: scores[0], count: count)
  }
}

extension Comparison {
  /// The minimum overlap of two rows that count as the same detection.
  private static let matchingOverlap = 0.5
  /// The maximum box difference, relative to the image, that can come from rounding. The manifest's XNNPACK difference
  /// matches rows by position, so a larger difference is treated as a swap of two rows.
  private static let maximumBoxTolerance = 0.25

  private struct Row {
    var box: [Double]
    var category: Double
    var score: Double

    private var bounds: UprightBox<Double> {
      UprightBox(x: box[1], y: box[0], width: box[3] - box[1], height: box[2] - box[0])
    }

    /// Returns the shared area divided by the combined area; 1 for equal boxes, even if they are empty.
    func overlap(with other: Row) -> Double {
      box == other.box ? 1 : bounds.intersectionOverUnion(with: other.bounds)
    }

    func boxError(to other: Row) -> Double {
      zip(box, other.box).map { Comparison.difference($0, $1) }.max() ?? 0
    }
  }

  /// Compares the outputs of a detection operator row by row, with rows matched by overlap and class.
  ///
  /// A row at the end of either list can lack a counterpart if its score ties with the lowest score, because a near tie
  /// decides which detection is the last one. Rows beyond the count are ignored.
  ///
  /// - Returns: A report for each of the four outputs, or `nil` if `outputs` doesn't match the tensors.
  func compareDetections(
    _ actual: [GoldenTensor], with expected: [ExpectedOutput], outputs: DetectionOutputs
  ) -> [Int: OutputReport]? {
    let indices = [outputs.boxes, outputs.classes, outputs.scores, outputs.count]
    guard Set(indices).count == 4, indices.allSatisfy(expected.indices.contains),
      indices.allSatisfy({ actual[$0].shape == expected[$0].shape && expected[$0].sampleStride == 1 }),
      let wanted = rows(expected.map(\.samples), outputs), let found = rows(actual, outputs)
    else { return nil }

    let boxTolerance = max(
      relativeTolerance * expected[outputs.boxes].largestMagnitude,
      min(floatTolerance(expected[outputs.boxes], quantizationStep: nil), Self.maximumBoxTolerance))
    let scoreTolerance = floatTolerance(expected[outputs.scores], quantizationStep: nil)
    let pairs = match(wanted, found)

    var boxError = 0.0
    var scoreError = 0.0
    for (want, have) in pairs {
      boxError = max(boxError, wanted[want].boxError(to: found[have]))
      scoreError = max(scoreError, Self.difference(found[have].score, wanted[want].score))
    }
    if allowsSteps, wanted.count == found.count {
      // Of two overlapping boxes with nearly equal scores, either one can survive, with its own score. The manifest
      // records the difference of the sorted scores, so compare sorted scores here too.
      let sorted = zip(wanted.map(\.score).sorted(by: >), found.map(\.score).sorted(by: >))
      scoreError = min(scoreError, sorted.map { Self.difference($0, $1) }.max() ?? 0)
    }
    let lowestScore = (wanted + found).map(\.score).min() ?? 0
    let matchedWanted = Set(pairs.map(\.0))
    let matchedFound = Set(pairs.map(\.1))
    func lonely(_ rows: [Row], _ matched: Set<Int>) -> [Int] {
      rows.indices.filter { !matched.contains($0) && !(rows[$0].score - lowestScore <= 2 * scoreTolerance) }
    }
    let missing = lonely(wanted, matchedWanted)
    let surplus = lonely(found, matchedFound)
    var rowFailure: String?
    if let row = missing.first {
      rowFailure = "expected row \(row) (class \(wanted[row].category), score \(wanted[row].score)) is missing"
    } else if let row = surplus.first {
      rowFailure = "row \(row) (class \(found[row].category), score \(found[row].score)) is not expected"
    }
    let unmatched = max(wanted.count, found.count) - pairs.count
    let countError = abs(Double(wanted.count - found.count))

    func report(_ index: Int, _ error: Double, _ tolerance: Double, failure: String? = nil) -> OutputReport {
      OutputReport(
        name: expected[index].description.name, maxAbsError: error, maxStepError: nil, mismatchShare: nil,
        tolerance: tolerance, isWithinTolerance: error <= tolerance && failure == nil, failure: failure)
    }
    return [
      outputs.boxes: report(outputs.boxes, boxError, boxTolerance, failure: rowFailure),
      outputs.classes: report(outputs.classes, 0, 0, failure: rowFailure),
      outputs.scores: report(outputs.scores, scoreError, scoreTolerance, failure: rowFailure),
      outputs.count: report(outputs.count, countError, rowFailure == nil ? Double(unmatched) : 0),
    ]
  }

  /// Returns the rows that the count output announces, or `nil` if the tensors aren't the outputs of a detection
  /// operator.
  private func rows(_ tensors: [GoldenTensor], _ outputs: DetectionOutputs) -> [Row]? {
    guard let boxes = tensors[outputs.boxes].floatingPointValues,
      let classes = tensors[outputs.classes].floatingPointValues,
      let scores = tensors[outputs.scores].floatingPointValues,
      let count = tensors[outputs.count].floatingPointValues?.first,
      boxes.count == 4 * scores.count, classes.count == scores.count
    else { return nil }
    let boxCount = count.isFinite ? Int(max(0, min(count, Double(scores.count)))) : 0
    let (rowCount, overflow) = boxCount.multipliedReportingOverflow(by: max(1, outputs.rowsPerBox))
    let announced = overflow ? scores.count : min(rowCount, scores.count)
    return (0..<announced).map {
      Row(box: Array(boxes[(4 * $0)..<(4 * $0 + 4)]), category: classes[$0], score: scores[$0])
    }
  }

  /// Returns pairs of rows of the same class, best overlap first; the scores break ties between equal boxes.
  private func match(_ wanted: [Row], _ found: [Row]) -> [(Int, Int)] {
    struct Candidate {
      var want: Int
      var have: Int
      var overlapLevel: Int
      var scoreError: Double
    }
    var candidates: [Candidate] = []
    for want in wanted.indices {
      for have in found.indices where wanted[want].category == found[have].category {
        let overlap = wanted[want].overlap(with: found[have])
        guard overlap >= Self.matchingOverlap else { continue }
        // Rounding makes the overlaps of equal boxes differ in the last digits, so compare them in coarse levels.
        candidates.append(
          Candidate(
            want: want, have: have, overlapLevel: Int(overlap * 1000),
            scoreError: Self.difference(wanted[want].score, found[have].score)))
      }
    }
    candidates.sort {
      ($1.overlapLevel, $0.scoreError, $0.want, $0.have) < ($0.overlapLevel, $1.scoreError, $1.want, $1.have)
    }
    var usedWanted: Set<Int> = []
    var usedFound: Set<Int> = []
    var pairs: [(Int, Int)] = []
    for candidate in candidates where !usedWanted.contains(candidate.want) && !usedFound.contains(candidate.have) {
      usedWanted.insert(candidate.want)
      usedFound.insert(candidate.have)
      pairs.append((candidate.want, candidate.have))
    }
    return pairs
  }
}
