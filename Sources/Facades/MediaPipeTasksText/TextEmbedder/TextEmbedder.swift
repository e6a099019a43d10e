public import Foundation
public import class MediaPipeTasksCommon.Embedding
import SwiftletText

/// Turns texts into vectors by which they can be compared.
///
/// - Thread safety: callable concurrently; calls on one embedder run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedder) @objcMembers
#endif
open class TextEmbedder: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  private let task: SwiftletText.TextEmbedder

  /// A text embedder with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a text embedding model.
  public convenience init(modelPath: String) throws {
    let options = TextEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// A text embedder with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the model is missing or is not a text embedding model.
  public init(options: TextEmbedderOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.TextEmbedder(options: try options.values()) }
    super.init()
  }

  /// Embeds a text of any length; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(embedText:error:)
  #endif
  open func embed(text: String) throws -> TextEmbedderResult { try embed(text: text, textFormatContext: nil) }

  /// Embeds a text of any length; blocks until done.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - textFormatContext: what it is embedded for, for models that want to be told; `nil` for the text alone.
  /// - Throws: an `NSError` of the tasks' domain when the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(embedText:textFormatContext:error:)
  #endif
  open func embed(text: String, textFormatContext: TextFormatContext?) throws -> TextEmbedderResult {
    try reportingTasksErrors { TextEmbedderResult(try task.embedding(of: text, format: textFormatContext?.value)) }
  }

  /// How alike two embeddings are: the cosine of the angle between them, −1…1, computed in double precision.
  ///
  /// - Returns: not a number when one of the vectors is all zeros or empty.
  /// - Throws: `TasksErrorCode.invalidArgumentError` when one is quantised and the other is not, or when they differ in
  ///   length.
  #if canImport(ObjectiveC)
    @objc(cosineSimilarityBetweenEmbedding1:andEmbedding2:error:)
  #endif
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws -> NSNumber {
    try reportingTasksErrors { try embedding1.cosineSimilarity(to: embedding2) }
  }
}
