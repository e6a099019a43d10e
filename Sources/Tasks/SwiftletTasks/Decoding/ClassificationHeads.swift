import SwiftletSchema

/// Reads the classes off all outputs of a classification model.
package struct ClassificationHeads {
  /// What the categories of an output follow from.
  private struct Source: Hashable {
    /// The first output of the same value.
    var output: Int
    var labels: LabelFiles?
    var calibration: ScoreCalibration?
    var calibrationFile: String?
  }

  private var decoders: [ClassificationOutputDecoder]
  /// For every head the first one with the same categories, which may be itself.
  private let twins: [Int]
  /// The names of the classes, of all heads; those of a label file that several heads have once.
  package let categoryNames: [String]

  /// - Parameter task: what the task is called in messages, such as `image classification`.
  /// - Throws: `TaskError` when the outputs are not those of a classification model, or a file of theirs is missing.
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

  /// How many heads there are.
  package var count: Int { decoders.count }

  /// Whether every class of every head has a name.
  package var hasNames: Bool { decoders.allSatisfy { $0.labels != nil } }

  /// The classes after a run of the model. Heads of one output with the same labels have them in common.
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
        // They are shared here, but not by everything that is made of them.
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
