/// What a text is embedded for, as models want to be told that were trained with a few words in front of every text.
///
/// ```swift
/// let question = try embedder.embedding(of: "Who wrote it?", format: .init(embeddingType: .questionAnswering))
/// let answer = try embedder.embedding(of: page, format: .init(embeddingType: .questionAnswering, role: .document))
/// ```
/// - Source: MediaPipe's text embedder, whose words are those of Gecko and EmbeddingGemma.
public struct TextFormatContext: Sendable, Hashable {
  /// What the embeddings are compared for.
  public enum EmbeddingType: Sendable, Hashable, CaseIterable {
    /// What is looked for among documents.
    case retrievalQuery
    /// What is looked through.
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

  /// What a text is of the two that are compared.
  public enum Role: Sendable, Hashable, CaseIterable {
    /// What is asked for.
    case query
    /// Where it is looked for.
    case document
  }

  /// What the embeddings are compared for.
  public var embeddingType: EmbeddingType
  /// Of a document; `nil` and an empty one stand for none.
  public var title: String?
  /// What the text is where queries and documents are compared: for questions, statements and code.
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
