/// The purpose of an embedding, for models that are trained with a task prefix on every text.
///
/// ```swift
/// let question = try embedder.embedding(of: "Who wrote it?", format: .init(embeddingType: .questionAnswering))
/// let answer = try embedder.embedding(of: page, format: .init(embeddingType: .questionAnswering, role: .document))
/// ```
/// - Source: MediaPipe's text embedder, with the prefixes of Gecko and EmbeddingGemma.
public struct TextFormatContext: Sendable, Hashable {
  /// The task for which embeddings are compared.
  public enum EmbeddingType: Sendable, Hashable, CaseIterable {
    /// Retrieval: a query for documents.
    case retrievalQuery
    /// Retrieval: a document in the index.
    case retrievalDocument
    /// Similarity of meaning.
    case semanticSimilarity
    /// Classification.
    case classification
    /// Clustering.
    case clustering
    /// Question answering: questions, and documents with the answers.
    case questionAnswering
    /// Fact checking: statements, and documents that support or refute them.
    case factChecking
    /// Code retrieval: questions, and code that answers them.
    case codeRetrieval
  }

  /// The role of a text in a comparison.
  public enum Role: Sendable, Hashable, CaseIterable {
    /// A query.
    case query
    /// A document that is compared with queries.
    case document
  }

  /// The task for which embeddings are compared.
  public var embeddingType: EmbeddingType
  /// The title of a document. `nil` or an empty string means no title.
  public var title: String?
  /// The role of the text if queries are compared with documents: in question answering, fact checking, and code
  /// retrieval.
  public var role: Role

  /// Creates a context.
  public init(embeddingType: EmbeddingType, title: String? = nil, role: Role = .query) {
    self.embeddingType = embeddingType
    self.title = title
    self.role = role
  }

  /// Returns the text with the task prefix.
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
