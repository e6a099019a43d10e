/// How alike two embeddings are.
package enum CosineSimilarity {
  /// - Throws: `TaskError` when one is quantised and the other is not, or their lengths differ.
  package static func between(_ first: Embedding, _ second: Embedding) throws(TaskError) -> Double {
    if let first = first.floatEmbedding, let second = second.floatEmbedding {
      return try cosine(first, second) { Double($0) }
    }
    if let first = first.quantizedEmbedding, let second = second.quantizedEmbedding {
      return try cosine(first, second) { Double($0) }
    }
    throw TaskError(
      .invalidArgument,
      "one embedding is quantised and the other is not; make both with the same options, by the same model")
  }

  private static func cosine<Number>(
    _ first: [Number], _ second: [Number], _ real: (Number) -> Double
  ) throws(TaskError) -> Double {
    guard first.count == second.count else {
      throw TaskError(
        .invalidArgument,
        "the embeddings have \(first.count) and \(second.count) numbers; compare those of the same output of one model")
    }
    var (product, firstSquare, secondSquare) = (0.0, 0.0, 0.0)
    for index in first.indices {
      let (a, b) = (real(first[index]), real(second[index]))
      product += a * b
      firstSquare += a * a
      secondSquare += b * b
    }
    return product / (firstSquare * secondSquare).squareRoot()
  }
}
