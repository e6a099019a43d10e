/// Reads the embeddings off all outputs of a model.
package struct EmbeddingHeads {
  private let decoder: EmbeddingOutputDecoder
  private let names: [String?]

  /// - Parameter task: what the task is called in messages, such as `image embedding`.
  /// - Throws: `TaskError` when the outputs are not those of an embedding model.
  package init(_ model: TaskModel, l2Normalize: Bool, quantize: Bool, task: String) throws(TaskError) {
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: task)
    decoder = EmbeddingOutputDecoder(l2Normalize: l2Normalize, quantize: quantize)
    let names = model.outputs.indices.map { model.outputMetadata($0)?.name }
    // Where some outputs have names, the others have empty ones.
    self.names = names.contains { $0 != nil } ? names.map { $0 ?? "" } : names
  }

  /// The embeddings after a run of the model.
  ///
  /// - Throws: `TaskError` when an output is of a type that stands for no numbers.
  package func decode(_ model: TaskModel) throws -> [Embedding] {
    try names.indices.map { index in
      try model.withRealOutput(index) { decoder.decode($0, headIndex: index, headName: names[index]) }
    }
  }
}
