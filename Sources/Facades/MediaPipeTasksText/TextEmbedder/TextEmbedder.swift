public import Foundation
public import class MediaPipeTasksCommon.Embedding
public import class MediaPipeTasksCommon.EmbeddingResult
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

  /// Creates a text embedder with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not a text embedding model.
  public convenience init(modelPath: String) throws {
    let options = TextEmbedderOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a text embedder with these options; changing them later changes nothing.
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
  /// - Throws: `TasksErrorCode.invalidArgumentError` when one is quantized and the other is not, or when they differ in
  ///   length.
  #if canImport(ObjectiveC)
    @objc(cosineSimilarityBetweenEmbedding1:andEmbedding2:error:)
  #endif
  public static func cosineSimilarity(embedding1: Embedding, embedding2: Embedding) throws -> NSNumber {
    try reportingTasksErrors { try embedding1.cosineSimilarity(to: embedding2) }
  }
}

/// How texts are embedded.
#if canImport(ObjectiveC)
  @objc(MPPTextEmbedderOptions) @objcMembers
#endif
open class TextEmbedderOptions: TaskOptions {
  /// Whether vectors are scaled to length 1. Not needed for models that do so themselves.
  open var l2Normalize = false
  /// Whether vectors are returned as signed bytes, a quarter of the size. Only vectors of length 1 fit well: numbers
  /// from 1 on become 127.
  open var quantize = false

  /// Independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = TextEmbedderOptions()
    copy.baseOptions = baseOptions
    copy.l2Normalize = l2Normalize
    copy.quantize = quantize
    return copy
  }

  /// - Throws: `TasksFailure` when there is no model.
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

  /// Creates a result of these embeddings.
  public init(embeddingResult: EmbeddingResult, timestampInMilliseconds: Int) {
    self.embeddingResult = embeddingResult
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ value: SwiftletTasks.Embedding) {
    self.init(embeddingResult: EmbeddingResult(value, at: .zero), timestampInMilliseconds: 0)
  }
}

/// What the embeddings of texts are compared for; models that want to be told so take a few words in front of each text.
#if canImport(ObjectiveC)
  @objc(MPPEmbeddingType)
#endif
public enum MPPEmbeddingType: UInt, Sendable {
  /// A query that searches documents.
  case retrievalQuery = 1
  /// A document that is searched.
  case retrievalDocument = 2
  /// Texts that mean the same.
  case semanticSimilarity = 3
  /// Texts of one class.
  case classification = 4
  /// Groups of texts.
  case clustering = 5
  /// Questions, and documents with the answers.
  case questionAnswering = 6
  /// Statements, and documents that show whether they hold.
  case factChecking = 7
  /// Questions, and code that answers them.
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
  /// A document that is searched.
  case document = 1
}

/// What a text is embedded for.
#if canImport(ObjectiveC)
  @objc(MPPTextFormatContext) @objcMembers
#endif
open class TextFormatContext: NSObject {
  /// The purpose of comparing the embeddings.
  open var embeddingType = MPPEmbeddingType.retrievalQuery
  /// The title of a document; `nil` and an empty one stand for none.
  open var title: String?
  /// The role of the text if queries are compared with documents: for questions, statements and code.
  open var textRole = MPPTextRole.query

  var value: SwiftletText.TextFormatContext {
    .init(embeddingType: embeddingType.value, title: title, role: textRole == .document ? .document : .query)
  }
}

/// The name that MediaPipe's reference has for ``TextFormatContext`` as well.
public typealias TextEmbeddingFormatContext = TextFormatContext
/// The name that MediaPipe's reference has for ``MPPEmbeddingType`` as well.
public typealias TextEmbeddingType = MPPEmbeddingType
/// The name that MediaPipe's reference has for ``MPPTextRole`` as well.
public typealias TextEmbeddingTextRole = MPPTextRole
