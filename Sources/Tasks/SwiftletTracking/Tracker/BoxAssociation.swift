/// Matches detections with tracks in stages, each with its own tracks, detections, and cost.
///
/// - Source: the stages of Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box" (2022).
struct BoxAssociation: Sendable {
  struct Stage {
    /// The maximum cost of a pair.
    var limit: Double
    /// Whether overlap is weighted by the detection's score.
    var weighsScore: Bool
    /// The range of detection scores.
    var scores: Range<Double>
    /// The difference of colors above which the cost of a pair increases.
    var tolerance: Double
  }

  /// The cost per difference of colors above the tolerance. With the default tolerance, objects with completely
  /// different colors are never matched, even if their boxes coincide.
  private static let costOfDifference = 3.0

  /// A pair of indices: of a track, and of a candidate.
  struct Pair: Sendable, Hashable {
    var track: Int
    var candidate: Int
  }

  /// The pairs of the last stage, in the order of tracks.
  private(set) var pairs: [Pair] = []
  private var solver = AssignmentSolver()
  private var rows: [Int] = []
  private var columns: [Int] = []
  private var costs: [Double] = []

  /// Matches tracks that have no match yet with candidates that are not taken yet.
  mutating func match(
    _ tracks: [TrackedBox], _ candidates: [Candidate], _ stage: Stage, where isEligible: (TrackedBox) -> Bool
  ) {
    select(tracks, candidates, stage, where: isEligible)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    for row in rows {
      for column in columns {
        costs.append(Self.cost(tracks[row], candidates[column], stage))
      }
    }
    solver.solve(costs: costs, rows: rows.count, columns: columns.count, limit: stage.limit)
    for (row, track) in rows.enumerated() where solver.columnOfRow[row] >= 0 {
      pairs.append(Pair(track: track, candidate: columns[solver.columnOfRow[row]]))
    }
  }

  /// Matches the remaining tracks and candidates if frames are far apart in time: boxes of similar size that are close
  /// to each other and mutually the best match.
  mutating func matchNearby(
    _ tracks: [TrackedBox], _ candidates: [Candidate], _ stage: Stage, growth: Double, maxAreaRatio: Double,
    where isEligible: (TrackedBox) -> Bool
  ) {
    select(tracks, candidates, stage, where: isEligible)
    guard !rows.isEmpty, !columns.isEmpty else { return }
    for row in rows {
      let expected = tracks[row].expected
      for column in columns {
        let candidate = candidates[column]
        let (smaller, larger) = (min(expected.area, candidate.box.area), max(expected.area, candidate.box.area))
        costs.append(
          larger <= maxAreaRatio * smaller ? Self.cost(tracks[row], candidate, growth: growth, stage) : .infinity)
      }
    }
    for row in rows.indices {
      guard let column = bestColumn(of: row), costs[row * columns.count + column] <= stage.limit,
        bestRow(of: column) == row
      else { continue }
      pairs.append(Pair(track: rows[row], candidate: columns[column]))
    }
  }

  private mutating func select(
    _ tracks: [TrackedBox], _ candidates: [Candidate], _ stage: Stage, where isEligible: (TrackedBox) -> Bool
  ) {
    pairs.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    columns.removeAll(keepingCapacity: true)
    costs.removeAll(keepingCapacity: true)
    for track in tracks.indices where tracks[track].match < 0 && isEligible(tracks[track]) { rows.append(track) }
    for candidate in candidates.indices
    where !candidates[candidate].isTaken && stage.scores.contains(candidates[candidate].score) {
      columns.append(candidate)
    }
  }

  /// Returns the cost of a pair: infinite if the boxes do not overlap, whatever the limit.
  private static func cost(_ track: TrackedBox, _ candidate: Candidate, growth: Double = 0, _ stage: Stage) -> Double {
    let overlap = track.expected.grown(by: growth).intersectionOverUnion(with: candidate.box.grown(by: growth))
    guard overlap > 0 else { return .infinity }
    let cost = 1 - overlap * (stage.weighsScore ? candidate.score : 1)
    guard cost <= stage.limit, let known = track.appearance,
      let difference = candidate.appearance?.difference(from: known)
    else { return cost }
    return cost + costOfDifference * max(0, difference - stage.tolerance)
  }

  private func bestColumn(of row: Int) -> Int? {
    columns.indices.min { costs[row * columns.count + $0] < costs[row * columns.count + $1] }
  }

  private func bestRow(of column: Int) -> Int? {
    rows.indices.min { costs[$0 * columns.count + column] < costs[$1 * columns.count + column] }
  }
}
