/// Reads the classes off all outputs of a classification model.
package struct ClassificationHeads {
  private var decoders: [ClassificationOutputDecoder]

  /// - Parameter task: what the task is called in messages, such as `image classification`.
  /// - Throws: `TaskError` when the outputs are not those of a classification model, or a file of theirs is missing.
  package init(_ model: TaskModel, _ options: CategoryOptions, task: String) throws {
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: task)
    decoders = try model.outputs.indices.map { try ClassificationOutputDecoder(model, output: $0, options) }
  }

  /// The names of the classes, of all heads.
  package var categoryNames: [String] { decoders.flatMap { $0.labels?.labels ?? [] } }

  /// How many heads there are.
  package var count: Int { decoders.count }

  /// Whether every class of every head has a name.
  package var hasNames: Bool { decoders.allSatisfy { $0.labels != nil } }

  /// The classes after a run of the model.
  ///
  /// - Throws: `TaskError` when a class lacks parameters for its calibration.
  package mutating func decode(_ model: TaskModel) throws -> [Classifications] {
    try decoders.indices.map { index in
      try model.withRealOutput(index) { try decoders[index].decode($0) }
    }
  }
}
