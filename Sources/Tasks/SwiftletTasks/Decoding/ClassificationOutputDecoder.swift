import SwiftletBase
package import SwiftletSchema

/// Decodes one output (head) of a classification model: scales its scores and selects the classes to report.
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

  /// Creates the decoder of output `index` as the model's metadata describes it.
  ///
  /// - Parameter filter: The filter of another output with the same label files, if any.
  /// - Throws: `TaskError` if its files are missing or do not fit the output.
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

  /// Returns the classes that pass the options, best first.
  ///
  /// - Parameter results: The budget that the classes are charged to.
  /// - Throws: `TaskError` if a class lacks parameters for its calibration, if there is no room for the classes, and
  ///   after the deadline of the call.
  package mutating func decode(
    _ scores: UnsafeBufferPointer<Float>, results: ResultBudget
  ) throws(TaskError) -> Classification.Head {
    try rank(scores, results)
    return head(ranking.entries.map(category))
  }

  /// Returns a head with the name of the output.
  func head(_ categories: [ResultCategory]) -> Classification.Head { .init(name: name, categories: categories) }

  /// Returns the best of the classes that pass the options; `nil` if none does.
  ///
  /// - Throws: The same errors as `decode`.
  package mutating func best(
    _ scores: UnsafeBufferPointer<Float>, results: ResultBudget
  ) throws(TaskError) -> ResultCategory? {
    try rank(scores, results)
    return ranking.entries.first.map(category)
  }

  /// The number of scores between two checks of the deadline and the budget.
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
        // NaN fails this comparison with any threshold.
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

/// Decodes all outputs (heads) of a classification model.
package struct ClassificationHeads {
  /// The data that determines the categories of an output.
  private struct Source: Hashable {
    /// The first output that returns the same tensor.
    var output: Int
    var labels: LabelFiles?
    var calibration: ScoreCalibration?
    var calibrationFile: String?
  }

  private var decoders: [ClassificationOutputDecoder]
  /// For each head, the index of the first head with the same categories, which may be its own.
  private let twins: [Int]
  /// The class names of all heads. Names from a label file that several heads share are listed once.
  package let categoryNames: [String]

  /// Creates a decoder for all outputs of a model.
  ///
  /// - Parameter task: The task's name in messages, such as `image classification`.
  /// - Throws: `TaskError` if the outputs are not classification outputs, or one of their files is missing.
  package init(_ model: TaskModel, _ options: CategoryOptions, task: String) throws {
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: task)
    var decoders: [ClassificationOutputDecoder] = []
    var filters: [LabelFiles?: CategoryFilter] = [:]
    var sources: [Source: Int] = [:]
    var twins: [Int] = []
    var names: [[String]] = []
    for index in model.outputs.indices {
      let metadata = model.outputMetadata(index)
      let labels = metadata?.labelFiles(locale: options.displayNamesLocale)
      let decoder = try ClassificationOutputDecoder(model, output: index, options, filter: filters[labels])
      decoders.append(decoder)
      if filters[labels] == nil {
        filters[labels] = decoder.filter
        names.append(decoder.labels?.labels ?? [])
      }
      let source = Source(
        output: model.firstOutput(sharing: index), labels: labels, calibration: try metadata?.scoreCalibration(),
        calibrationFile: metadata?.associatedFile(.tensorAxisScoreCalibration)?.name)
      twins.append(sources[source] ?? index)
      sources[source] = twins[index]
    }
    self.decoders = decoders
    self.twins = twins
    categoryNames = names.count == 1 ? names[0] : Array(names.joined())
  }

  /// The number of heads.
  package var count: Int { decoders.count }

  /// Whether every class of every head has a name.
  package var hasNames: Bool { decoders.allSatisfy { $0.labels != nil } }

  /// Returns the classes of all heads after a run of the model. Heads of one output with the same labels share them.
  ///
  /// - Throws: `TaskError` if a class lacks parameters for its calibration, if there is no room for the classes, and
  ///   after the deadline of the call.
  package mutating func decode(_ model: TaskModel) throws -> Classification {
    try model.results.charge(
      decoders.count, each: MemoryLayout<Classification.Head>.stride, for: "the heads of a classification")
    var heads: [Classification.Head] = []
    heads.reserveCapacity(decoders.count)
    for index in decoders.indices {
      let twin = twins[index]
      guard twin == index else {
        // The arrays are shared here, but a facade or a document makes a copy of each, so charge the copies.
        try ResultCategory.charge(heads[twin].categories.count, to: model.results)
        heads.append(decoders[index].head(heads[twin].categories))
        continue
      }
      heads.append(
        try model.withRealOutput(index) { try decoders[index].decode($0, results: model.results) })
    }
    return Classification(heads: heads)
  }
}
