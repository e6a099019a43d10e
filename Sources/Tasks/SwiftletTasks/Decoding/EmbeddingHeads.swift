import SwiftletBase

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

  /// The embeddings after a run of the model. Those of one output have their numbers in common.
  ///
  /// - Throws: `TaskError` if an output is of a type that stands for no numbers, if there is no room for the
  ///   embeddings, and after the deadline of the call.
  package func decode(_ model: TaskModel) throws -> [Embedding] {
    try model.results.charge(names.count, each: MemoryLayout<Embedding>.stride, for: "the heads of an embedding")
    var heads: [Embedding] = []
    heads.reserveCapacity(names.count)
    var steps = StepCounter()
    for (index, name) in names.enumerated() {
      let twin = model.firstOutput(sharing: index)
      guard twin == index else {
        var head = heads[twin]
        (head.headIndex, head.headName) = (index, name)
        try decoder.charge(head.floatEmbedding?.count ?? head.quantizedEmbedding?.count ?? 0, to: model.results)
        heads.append(head)
        continue
      }
      heads.append(
        try model.withRealOutput(index) { numbers in
          try decoder.charge(numbers.count, to: model.results)
          try steps.step(numbers.count)
          return decoder.decode(numbers, headIndex: index, headName: name)
        })
    }
    return heads
  }
}
