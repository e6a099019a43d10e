import SwiftletBase

/// Reads the embeddings off all outputs of a model.
package struct EmbeddingHeads {
  private let decoder: EmbeddingOutputDecoder
  private let names: [String?]

  /// - Parameter task: what the task is called in messages, such as `image embedding`.
  /// - Throws: `TaskError` when the outputs are not those of an embedding model.
  package init(_ model: TaskModel, normalizes: Bool, quantizes: Bool, task: String) throws(TaskError) {
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: task)
    decoder = EmbeddingOutputDecoder(normalizes: normalizes, quantizes: quantizes)
    names = model.outputs.indices.map { model.outputMetadata($0)?.name }
  }

  /// The embeddings after a run of the model. Those of one output have their numbers in common.
  ///
  /// - Throws: `TaskError` if an output is of a type that stands for no numbers, if there is no room for the
  ///   embeddings, and after the deadline of the call.
  package func decode(_ model: TaskModel) throws -> Embedding {
    try model.results.charge(names.count, each: MemoryLayout<Embedding.Head>.stride, for: "the heads of an embedding")
    var heads: [Embedding.Head] = []
    heads.reserveCapacity(names.count)
    var steps = StepCounter()
    for (index, name) in names.enumerated() {
      let twin = model.firstOutput(sharing: index)
      guard twin == index else {
        let values = heads[twin].values
        try decoder.charge(values.count, to: model.results)
        heads.append(Embedding.Head(name: name, values: values))
        continue
      }
      heads.append(
        try model.withRealOutput(index) { numbers in
          try decoder.charge(numbers.count, to: model.results)
          try steps.step(numbers.count)
          return Embedding.Head(name: name, values: decoder.decode(numbers))
        })
    }
    return Embedding(heads: heads)
  }
}
