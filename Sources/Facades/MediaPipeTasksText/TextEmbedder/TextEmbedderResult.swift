public import class MediaPipeTasksCommon.EmbeddingResult
import SwiftletText

// Unchecked because its base class is: it has constants only.

/// What a text embedder returns.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedderResult) @objcMembers
#endif
open class TextEmbedderResult: TaskResult, @unchecked Sendable {
  /// The embeddings of the text, one per output of the model.
  public let embeddingResult: EmbeddingResult

  /// A result of these embeddings.
  public init(embeddingResult: EmbeddingResult, timestampInMilliseconds: Int) {
    self.embeddingResult = embeddingResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: SwiftletTasks.Embedding) {
    self.init(embeddingResult: EmbeddingResult(value, at: .zero), timestampInMilliseconds: 0)
  }
}
