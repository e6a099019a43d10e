/// The purpose of an embedding, for models that were trained with a few words in front of every text.
///
/// ```swift
/// let question = try embedder.embedding(of: "Who wrote it?", format: .init(embeddingType: .questionAnswering))
/// let answer = try embedder.embedding(of: page, format: .init(embeddingType: .questionAnswering, role: .document))
/// ```
/// - Source: MediaPipe's text embedder, whose words are those of Gecko and EmbeddingGemma.
public struct TextFormatContext: Sendable, Hashable {
  /// The purpose of comparing the embeddings.
  public enum EmbeddingType: Sendable, Hashable, CaseIterable {
    /// A query that searches documents.
    case retrievalQuery
    /// A document that is searched.
    case retrievalDocument
    /// Texts that mean the same.
    case semanticSimilarity
    /// Texts of one class.
    case classification
    /// Groups of texts.
    case clustering
    /// Questions, and documents with the answers.
    case questionAnswering
    /// Statements, and documents that show whether they hold.
    case factChecking
    /// Questions, and code that answers them.
    case codeRetrieval
  }

  /// The role of a text in a comparison.
  public enum Role: Sendable, Hashable, CaseIterable {
    /// A query.
    case query
    /// A document that is searched.
    case document
  }

  /// The purpose of comparing the embeddings.
  public var embeddingType: EmbeddingType
  /// The title of a document; `nil` and an empty one stand for none.
  public var title: String?
  /// The role of the text if queries are compared with documents: for questions, statements and code.
  public var role: Role

  /// Creates a context of these parts.
  public init(embeddingType: EmbeddingType, title: String? = nil, role: Role = .query) {
    self.embeddingType = embeddingType
    self.title = title
    self.role = role
  }

  /// The text with the words in front of it.
  func formatted(_ text: String) -> String {
    guard isDocument else { return "task: \(taskName) | query: \(text)" }
    let title = title ?? ""
    return "title: \(title.isEmpty ? "none" : title) | text: \(text)"
  }

  private var isDocument: Bool {
    switch embeddingType {
    case .retrievalDocument: true
    case .questionAnswering, .factChecking, .codeRetrieval: role == .document
    case .retrievalQuery, .semanticSimilarity, .classification, .clustering: false
    }
  }

  private var taskName: String {
    switch embeddingType {
    case .retrievalQuery, .retrievalDocument: "search result"
    case .semanticSimilarity: "sentence similarity"
    case .classification: "classification"
    case .clustering: "clustering"
    case .questionAnswering: "question answering"
    case .factChecking: "fact checking"
    case .codeRetrieval: "code retrieval"
    }
  }
}
