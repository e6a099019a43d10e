import SwiftletBase

/// Decodes an embedding from one output of a model.
///
/// - Source: MediaPipe's embedding rules: no epsilon in the length, and quantization that rounds halves away from zero.
package struct EmbeddingOutputDecoder: Sendable {
  private let normalizes: Bool
  private let quantizes: Bool

  package init(normalizes: Bool, quantizes: Bool) {
    self.normalizes = normalizes
    self.quantizes = quantizes
  }

  /// Charges an embedding of `count` elements that is about to be created.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if there is no room for it.
  func charge(_ count: Int, to results: ResultBudget) throws(TaskError) {
    try results.charge(
      count, each: quantizes ? MemoryLayout<Int8>.size : MemoryLayout<Float>.size, for: "embeddings",
      advice: quantizes ? nil : "set quantizesEmbedding, so that each number takes a byte")
  }

  package func decode(_ values: UnsafeBufferPointer<Float>) -> Embedding.Values {
    let scale = normalizes ? Self.inverseLength(values) : 1
    return quantizes ? .int8(values.map { Self.quantized($0 * scale) }) : .float(values.map { $0 * scale })
  }

  /// Returns the inverse of the L2 norm, or 1 for a zero vector.
  private static func inverseLength(_ values: UnsafeBufferPointer<Float>) -> Float {
    // Sum sequentially in single precision: another order rounds differently.
    let sum = values.reduce(into: Float(0)) { $0 += $1 * $1 }
    return sum > 0 ? 1 / sum.squareRoot() : 1
  }

  /// Returns the int8 value of an element; NaN becomes 0.
  private static func quantized(_ value: Float) -> Int8 {
    let steps = (value * 128).rounded(.toNearestOrAwayFromZero)
    return steps.isNaN ? 0 : Int8(min(max(steps, -128), 127))
  }
}

/// Decodes the embeddings from all outputs of a model.
package struct EmbeddingHeads {
  private let decoder: EmbeddingOutputDecoder
  private let names: [String?]

  /// Creates a decoder for all outputs of a model.
  ///
  /// - Parameter task: The task's name in messages, such as `image embedding`.
  /// - Throws: `TaskError` if the outputs are not embedding outputs.
  package init(_ model: TaskModel, normalizes: Bool, quantizes: Bool, task: String) throws(TaskError) {
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: task)
    decoder = EmbeddingOutputDecoder(normalizes: normalizes, quantizes: quantizes)
    names = model.outputs.indices.map { model.outputMetadata($0)?.name }
  }

  /// Returns the embeddings after a run of the model. Heads that return the same tensor share their values.
  ///
  /// - Throws: `TaskError` if an output has an unsupported element type, if there is no room for the embeddings, and
  ///   after the deadline of the call.
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
