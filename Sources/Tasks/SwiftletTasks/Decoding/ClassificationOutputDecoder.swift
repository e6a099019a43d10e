package import SwiftletSchema

/// Reads the classes off one output (a head) of a classification model: what its numbers mean, and which of them are
/// reported.
package struct ClassificationOutputDecoder {
  private let index: Int
  private let name: String?
  package let labels: LabelMap?
  private let filter: CategoryFilter
  private let calibrator: ScoreCalibrator?
  private let scoreThreshold: Float
  private var ranking: ScoreRanking

  package init(
    index: Int, name: String? = nil, labels: LabelMap? = nil, filter: CategoryFilter,
    calibrator: ScoreCalibrator? = nil,
    scoreThreshold: Float, maxResults: Int?
  ) {
    self.index = index
    self.name = name
    self.labels = labels
    self.filter = filter
    self.calibrator = calibrator
    self.scoreThreshold = scoreThreshold
    ranking = ScoreRanking(limit: maxResults)
  }

  /// The decoder of output `index` as the model's metadata describes it.
  ///
  /// - Throws: `TaskError` when its files are missing or do not fit the output.
  package init(_ model: TaskModel, output index: Int, _ options: CategoryOptions) throws(TaskError) {
    let metadata = model.outputMetadata(index)
    let labels = try model.labels(of: metadata, locale: options.displayNamesLocale)
    let calibrator = try ScoreCalibrator(metadata, files: model.files)
    let spec = model.outputs[index]
    if let labels, labels.labels.count != spec.shape.elementCount {
      throw .invalidModel(
        "the model's output \(spec) has \(spec.shape.elementCount) scores, but its label file names \(labels.labels.count) classes"
      )
    }
    try calibrator?.requireEntries(spec.shape.elementCount)
    self.init(
      index: index, name: metadata?.name, labels: labels,
      filter: try CategoryFilter(allow: options.allowlist, deny: options.denylist, labels: labels),
      calibrator: calibrator, scoreThreshold: options.scoreThreshold, maxResults: options.maxResults)
  }

  /// The classes that pass the options, best first.
  ///
  /// - Throws: `TaskError` when a class lacks parameters for its calibration.
  package mutating func decode(_ scores: UnsafeBufferPointer<Float>) throws(TaskError) -> Classifications {
    try rank(scores)
    return Classifications(headIndex: index, headName: name, categories: ranking.entries.map(category))
  }

  /// The best of the classes that pass the options; `nil` where none does.
  ///
  /// - Throws: as ``decode(_:)``.
  package mutating func best(_ scores: UnsafeBufferPointer<Float>) throws(TaskError) -> ResultCategory? {
    try rank(scores)
    return ranking.entries.first.map(category)
  }

  private mutating func rank(_ scores: UnsafeBufferPointer<Float>) throws(TaskError) {
    ranking.removeAll()
    for category in scores.indices where filter.allows(category) {
      let score = try calibrator?.calibrated(scores[category], category: category) ?? scores[category]
      // NaN passes no threshold.
      if score >= scoreThreshold { ranking.insert(.init(index: category, score: score)) }
    }
    ranking.sort()
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
