public import Foundation
package import SwiftletTasks

/// A feature vector of an input. The vectors of similar inputs are close to each other.
///
/// In the result of an embedder, exactly one of ``floatEmbedding`` and ``quantizedEmbedding`` is not `nil`.
#if canImport(ObjectiveC)
  @objc(MPPEmbedding) @objcMembers
#endif
open class Embedding: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The float vector; `nil` if the embedder quantizes.
  public let floatEmbedding: [NSNumber]?
  /// The quantized vector: each element times 128, rounded and clamped to −128…127; `nil` unless the embedder
  /// quantizes.
  public let quantizedEmbedding: [NSNumber]?
  /// The index of the output in the model.
  public let headIndex: Int
  /// The name of the output in the model's metadata, if it has one.
  public let headName: String?

  /// Creates an embedding.
  public init(floatEmbedding: [NSNumber]?, quantizedEmbedding: [NSNumber]?, headIndex: Int, headName: String?) {
    self.floatEmbedding = floatEmbedding
    self.quantizedEmbedding = quantizedEmbedding
    self.headIndex = headIndex
    self.headName = headName
  }

  /// Creates an embedding. The label `head` is Swift's name for `headIndex` of Objective-C's initializer.
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

  /// Returns the cosine similarity of two embeddings.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text for embeddings that are not comparable.
  package func cosineSimilarity(to other: Embedding) throws -> NSNumber {
    try requireComparable(to: other)
    return NSNumber(value: try values.cosineSimilarity(to: other.values))
  }

  /// Checks that two embeddings are comparable.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text if they aren't.
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
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The embedding from each output of the model, in order.
  public let embeddings: [Embedding]
  /// The timestamp of the input; for single images one second per call: 0, 1000, 2000, …
  public let timestampInMilliseconds: Int

  /// Creates a result with the given embeddings.
  public init(embeddings: [Embedding], timestampInMilliseconds: Int) {
    self.embeddings = embeddings
    self.timestampInMilliseconds = timestampInMilliseconds
  }

  package convenience init(_ value: SwiftletTasks.Embedding, at time: Duration) {
    // If some outputs have names, the others have empty ones.
    let absent = value.heads.contains { $0.name != nil } ? "" : nil
    self.init(
      embeddings: value.heads.enumerated().map { Embedding($1, index: $0, name: $1.name ?? absent) },
      timestampInMilliseconds: time.inMilliseconds)
  }
}
