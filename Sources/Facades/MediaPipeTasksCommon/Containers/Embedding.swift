public import Foundation
package import SwiftletTasks

/// What a model makes of its input: a vector that is close to those of similar inputs.
///
/// Of what an embedder returns, exactly one of ``floatEmbedding`` and ``quantizedEmbedding`` is there.
#if canImport(ObjectiveC)
  @objc(MPPEmbedding) @objcMembers
#endif
open class Embedding: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The vector, unless quantized ones were asked for.
  public let floatEmbedding: [NSNumber]?
  /// The vector times 128, rounded and limited to −128…127, if quantized ones were asked for.
  public let quantizedEmbedding: [NSNumber]?
  /// The index of the output in the model.
  public let headIndex: Int
  /// The output's name in the model's metadata, if it has one.
  public let headName: String?

  /// Creates an embedding of these values.
  public init(floatEmbedding: [NSNumber]?, quantizedEmbedding: [NSNumber]?, headIndex: Int, headName: String?) {
    self.floatEmbedding = floatEmbedding
    self.quantizedEmbedding = quantizedEmbedding
    self.headIndex = headIndex
    self.headName = headName
  }

  /// Creates an embedding of these values: with the label that Swift makes of `headIndex` in Objective-C's initializer.
  public convenience init(
    floatEmbedding: [NSNumber]?, quantizedEmbedding: [NSNumber]?, head: Int, headName: String?
  ) {
    self.init(
      floatEmbedding: floatEmbedding, quantizedEmbedding: quantizedEmbedding, headIndex: head, headName: headName)
  }

  package convenience init(_ head: SwiftletTasks.Embedding.Head, index: Int, name: String?) {
    switch head.values {
    case .float(let values):
      self.init(
        floatEmbedding: values.map { NSNumber(value: $0) }, quantizedEmbedding: nil, headIndex: index,
        headName: name)
    case .int8(let values):
      self.init(
        floatEmbedding: nil, quantizedEmbedding: values.map { NSNumber(value: $0) }, headIndex: index,
        headName: name)
    }
  }

  /// The cosine of the angle between two embeddings.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text for embeddings that have nothing to do with each other.
  package func cosineSimilarity(to other: Embedding) throws -> NSNumber {
    try requireComparable(to: other)
    return NSNumber(value: try values.cosineSimilarity(to: other.values))
  }

  /// - Throws: `TasksFailure` with MediaPipe's text for embeddings that have nothing to do with each other.
  private func requireComparable(to other: Embedding) throws(TasksFailure) {
    let counts: (Int, Int)
    if let first = floatEmbedding, let second = other.floatEmbedding {
      counts = (first.count, second.count)
    } else if let first = quantizedEmbedding, let second = other.quantizedEmbedding {
      counts = (first.count, second.count)
    } else {
      throw TasksFailure(misuse: "Cannot compute cosine similarity between quantized and float embeddings.")
    }
    guard counts.0 == counts.1 else {
      throw TasksFailure(
        misuse:
          "Cannot compute cosine similarity between embeddings of different sizes (\(counts.0) vs \(counts.1)).")
    }
  }

  private var values: SwiftletTasks.Embedding.Values {
    if let floatEmbedding { return .float(floatEmbedding.map(\.floatValue)) }
    return .int8(quantizedEmbedding?.map(\.int8Value) ?? [])
  }
}

/// The embeddings of one image or text.
#if canImport(ObjectiveC)
  @objc(MPPEmbeddingResult) @objcMembers
#endif
open class EmbeddingResult: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// One per output of the model, in order.
  public let embeddings: [Embedding]
  /// The time of the input; for single images a second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// Creates a result of these embeddings.
  public init(embeddings: [Embedding], timestampInMilliseconds: Int) {
    self.embeddings = embeddings
    self.timestampInMilliseconds = timestampInMilliseconds
  }

  package convenience init(_ value: SwiftletTasks.Embedding, at time: Duration) {
    // Where some outputs have names, the others have empty ones.
    let absent = value.heads.contains { $0.name != nil } ? "" : nil
    self.init(
      embeddings: value.heads.enumerated().map { Embedding($1, index: $0, name: $1.name ?? absent) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
