import SwiftletVision

/// Chooses an object's labels among the scores of all classes.
struct LabelMaker: Sendable {
  /// By class; empty for models without names.
  let labels: [String]
  let threshold: Float
  let limit: Int

  /// The classes whose score reaches the threshold, best first, equal ones in the order of their numbers, cut to the
  /// limit.
  func labels(from scores: [Float]) -> [ObjectLabel] {
    var ranking = ScoreRanking(limit: limit)
    // NaN passes no threshold.
    for (index, score) in scores.enumerated() where score >= threshold {
      ranking.insert(.init(index: index, score: score))
    }
    ranking.sort()
    return ranking.entries.map { entry in
      ObjectLabel(
        text: labels.indices.contains(entry.index) ? labels[entry.index] : "", index: entry.index,
        confidence: entry.score)
    }
  }
}
