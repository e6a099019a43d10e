public import class MediaPipeTasksCommon.EmbeddingResult
import SwiftletTasks
import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// What an image embedder returns.
#if canImport(ObjectiveC)
  @objc(MPPImageEmbedderResult) @objcMembers
#endif
open class ImageEmbedderResult: TaskResult, @unchecked Sendable {
  /// The embeddings of the picture, one per output of the model.
  public let embeddingResult: EmbeddingResult

  /// A result of these embeddings; without any for `nil`.
  public init(embeddingResult: EmbeddingResult?, timestampInMilliseconds: Int) {
    self.embeddingResult =
      embeddingResult ?? EmbeddingResult(embeddings: [], timestampInMilliseconds: timestampInMilliseconds)
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: SwiftletTasks.Embedding, time: Duration)) {
    self.init(timed.output, at: timed.time)
  }

  convenience init(_ value: SwiftletTasks.Embedding, at time: Duration) {
    self.init(
      embeddingResult: EmbeddingResult(value, at: time),
      timestampInMilliseconds: time.inMilliseconds)
  }
}
