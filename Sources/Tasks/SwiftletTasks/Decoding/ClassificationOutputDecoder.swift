package import SwiftletSchema
import SwiftletBase

/// Reads the classes off one output (a head) of a classification model: what its numbers mean, and which of them are
/// reported.
package struct ClassificationOutputDecoder {
  private let name: String?
  package let labels: LabelMap?
  let filter: CategoryFilter
  private let calibrator: ScoreCalibrator?
  private let scoreThreshold: Float
  private var ranking: ScoreRanking

  package init(
    name: String? = nil, labels: LabelMap? = nil, filter: CategoryFilter,
    calibrator: ScoreCalibrator? = nil,
    scoreThreshold: Float, maxResults: Int?
  ) {
    self.name = name
    self.labels = labels
    self.filter = filter
    self.calibrator = calibrator
    self.scoreThreshold = scoreThreshold
    ranking = ScoreRanking(limit: maxResults)
  }

  /// The decoder of output `index` as the model's metadata describes it.
  ///
  /// - Parameter filter: That of another output with the same label files, if any.
  /// - Throws: `TaskError` when its files are missing or do not fit the output.
  package init(
    _ model: TaskModel, output index: Int, _ options: CategoryOptions, filter: CategoryFilter? = nil
  ) throws(TaskError) {
    let metadata = model.outputMetadata(index)
    let labels = try model.labels(of: metadata, locale: options.displayNamesLocale)
    let calibrator = try ScoreCalibrator(metadata, of: model)
    let spec = model.outputs[index]
    if let labels, labels.labels.count != spec.shape.elementCount {
      throw .invalidModel(
        "the model's output \(spec) has \(spec.shape.elementCount) scores, but its label file names \(labels.labels.count) classes"
      )
    }
    try calibrator?.requireEntries(spec.shape.elementCount)
    let chosen =
      if let filter {
        filter
      } else {
        try CategoryFilter(allow: options.allowlist, deny: options.denylist, labels: labels)
      }
    self.init(
      name: metadata?.name, labels: labels, filter: chosen,
      calibrator: calibrator, scoreThreshold: options.scoreThreshold, maxResults: options.maxResults)
  }

  /// The classes that pass the options, best first.
  ///
  /// - Parameter results: What the classes count against.
  /// - Throws: `TaskError` if a class lacks parameters for its calibration, if there is no room for the classes, and
  ///   after the deadline of the call.
  package mutating func decode(
    _ scores: UnsafeBufferPointer<Float>, results: ResultBudget
  ) throws(TaskError) -> Classification.Head {
    try rank(scores, results)
    return head(ranking.entries.map(category))
  }

  /// Returns the classes of the output.
  func head(_ categories: [ResultCategory]) -> Classification.Head { .init(name: name, categories: categories) }

  /// The best of the classes that pass the options; `nil` where none does.
  ///
  /// - Throws: As `decode`.
  package mutating func best(
    _ scores: UnsafeBufferPointer<Float>, results: ResultBudget
  ) throws(TaskError) -> ResultCategory? {
    try rank(scores, results)
    return ranking.entries.first.map(category)
  }

  /// The scores between two looks at the clock and at the budget.
  private static let blockLength = 4096

  private mutating func rank(_ scores: UnsafeBufferPointer<Float>, _ results: ResultBudget) throws(TaskError) {
    ranking.removeAll()
    var steps = StepCounter(every: Self.blockLength)
    for start in stride(from: 0, to: scores.count, by: Self.blockLength) {
      let end = min(start + Self.blockLength, scores.count)
      try steps.step(end - start)
      let before = ranking.entries.count
      for category in start..<end where filter.allows(category) {
        let score = try calibrator?.calibrated(scores[category], category: category) ?? scores[category]
        // NaN passes no threshold.
        if score >= scoreThreshold { ranking.insert(.init(index: category, score: score)) }
      }
      try ResultCategory.charge(ranking.entries.count - before, to: results)
    }
    try ranking.sortInTime()
  }

  private func category(_ entry: ScoreRanking.Entry) -> ResultCategory {
    func name(_ names: [String]?) -> String? {
      guard let names, names.indices.contains(entry.index) else { return nil }
      return names[entry.index]
    }
    return ResultCategory(
      index: entry.index, score: entry.score, categoryName: name(labels?.labels),
      displayName: name(labels?.displayNames))
  }
}
