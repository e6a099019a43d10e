public import Foundation
public import class MediaPipeTasksCommon.Embedding
public import class MediaPipeTasksCommon.EmbeddingResult
import SwiftletText

/// Embeds texts: similar texts have similar feature vectors.
///
/// - Thread safety: callable concurrently; calls on one embedder run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedder) @objcMembers
#endif
open class TextEmbedder: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  private let task: SwiftletText.TextEmbedder

  /// Creates a text embedder with default options.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not a text embedding model.
  public convenience init(modelPath: String) throws {
    let options = TextEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a text embedder with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the model is missing or is not a text embedding model.
  public init(options: TextEmbedderOptions) throws {
    task = try reportingTasksErrors { try SwiftletText.TextEmbedder(options: try options.values()) }
    super.init()
  }

  /// Embeds a text of any length; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(embedText:error:)
  #endif
  open func embed(text: String) throws -> TextEmbedderResult { try embed(text: text, textFormatContext: nil) }

  /// Embeds a text of any length; blocks until done.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - textFormatContext: The purpose of the embedding, for models that are trained with a task prefix; `nil` for the
  ///     text alone.
  /// - Throws: An `NSError` in the tasks' domain if the run fails. The next call may succeed.
  #if canImport(ObjectiveC)
    @objc(embedText:textFormatContext:error:)
  #endif
  open func embed(text: String, textFormatContext: TextFormatContext?) throws -> TextEmbedderResult {
    try reportingTasksErrors { TextEmbedderResult(try task.embedding(of: text, format: textFormatContext?.value)) }
  }

  /// Returns the cosine similarity of two embeddings, −1…1, computed in double precision.
  ///
  /// - Returns: NaN if one of the vectors is all zeros or empty.
  /// - Throws: `TasksErrorCode.invalidArgumentError` if only one of them is quantized, or they differ in length.
  #if canImport(ObjectiveC)
    @objc(cosineSimilarityBetweenEmbedding1:andEmbedding2:error:)
  #endif
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws -> NSNumber {
    try reportingTasksErrors { try embedding1.cosineSimilarity(to: embedding2) }
  }
}

/// The options of a text embedder.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedderOptions) @objcMembers
#endif
open class TextEmbedderOptions: TaskOptions {
  /// A Boolean value that indicates whether vectors are scaled to unit length. Some models do this themselves.
  open var l2Normalize = false
  /// A Boolean value that indicates whether vectors are quantized to int8, a quarter of the size. This is suited to
  /// vectors of unit length only: elements of 1 or more become 127.
  open var quantize = false

  /// Returns independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = TextEmbedderOptions()
    copy.baseOptions = baseOptions
    copy.l2Normalize = l2Normalize
    copy.quantize = quantize
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if there is no model.
  func values() throws(TasksFailure) -> SwiftletText.TextEmbedderOptions {
    .init(baseOptions: try baseOptions.values(), normalizesEmbedding: l2Normalize, quantizesEmbedding: quantize)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of a text embedder.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedderResult) @objcMembers
#endif
open class TextEmbedderResult: TaskResult, @unchecked Sendable {
  /// The embeddings of the text, one per output of the model.
  public let embeddingResult: EmbeddingResult

  /// Creates a result with the given embeddings.
  public init(embeddingResult: EmbeddingResult, timestampInMilliseconds: Int) {
    self.embeddingResult = embeddingResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: SwiftletTasks.Embedding) {
    self.init(embeddingResult: EmbeddingResult(value, at: .zero), timestampInMilliseconds: 0)
  }
}

/// The task for which text embeddings are compared, for models that are trained with a task prefix on every text.
#if canImport(ObjectiveC)
  @objc(MPPEmbeddingType)
#endif
public enum MPPEmbeddingType: UInt, Sendable {
  /// Retrieval: a query for documents.
  case retrievalQuery = 1
  /// Retrieval: a document in the index.
  case retrievalDocument = 2
  /// Similarity of meaning.
  case semanticSimilarity = 3
  /// Classification.
  case classification = 4
  /// Clustering.
  case clustering = 5
  /// Question answering: questions, and documents with the answers.
  case questionAnswering = 6
  /// Fact checking: statements, and documents that support or refute them.
  case factChecking = 7
  /// Code retrieval: questions, and code that answers them.
  case codeRetrieval = 8

  var value: SwiftletText.TextFormatContext.EmbeddingType {
    switch self {
    case .retrievalQuery: .retrievalQuery
    case .retrievalDocument: .retrievalDocument
    case .semanticSimilarity: .semanticSimilarity
    case .classification: .classification
    case .clustering: .clustering
    case .questionAnswering: .questionAnswering
    case .factChecking: .factChecking
    case .codeRetrieval: .codeRetrieval
    }
  }
}

/// The role of a text in a comparison.
#if canImport(ObjectiveC)
  @objc(MPPTextRole)
#endif
public enum MPPTextRole: UInt, Sendable {
  /// A query.
  case query = 0
  /// A document that is compared with queries.
  case document = 1
}

/// The purpose of an embedding.
#if canImport(ObjectiveC)
  @objc(MPPTextFormatContext) @objcMembers
#endif
open class TextFormatContext: NSObject {
  /// The task for which embeddings are compared.
  open var embeddingType = MPPEmbeddingType.retrievalQuery
  /// The title of a document. `nil` or an empty string means no title.
  open var title: String?
  /// The role of the text if queries are compared with documents: in question answering, fact checking, and code
  /// retrieval.
  open var textRole = MPPTextRole.query

  var value: SwiftletText.TextFormatContext {
    .init(embeddingType: embeddingType.value, title: title, role: textRole == .document ? .document : .query)
  }
}

/// Another name of ``TextFormatContext`` in MediaPipe's reference.
public typealias TextEmbeddingFormatContext = TextFormatContext
/// Another name of ``MPPEmbeddingType`` in MediaPipe's reference.
public typealias TextEmbeddingType = MPPEmbeddingType
/// Another name of ``MPPTextRole`` in MediaPipe's reference.
public typealias TextEmbeddingTextRole = MPPTextRole
