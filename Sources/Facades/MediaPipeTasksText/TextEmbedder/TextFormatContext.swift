public import Foundation
import SwiftletText

/// What the embeddings of texts are compared for; models that want to be told so take a few words in front of each text.
#if canImport(ObjectiveC)
  @objc(MPPEmbeddingType)
#endif
public enum MPPEmbeddingType: UInt, Sendable {
  /// What is looked for among documents.
  case retrievalQuery = 1
  /// What is looked through.
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

/// What a text is of the two that are compared.
#if canImport(ObjectiveC)
  @objc(MPPTextRole)
#endif
public enum MPPTextRole: UInt, Sendable {
  /// What is asked for.
  case query = 0
  /// Where it is looked for.
  case document = 1
}

/// What a text is embedded for.
#if canImport(ObjectiveC)
  @objc(MPPTextFormatContext) @objcMembers
#endif
open class TextFormatContext: NSObject {
  /// What the embeddings are compared for.
  open var embeddingType = MPPEmbeddingType.retrievalQuery
  /// Of a document; `nil` and an empty one stand for none.
  open var title: String?
  /// What the text is where queries and documents are compared: for questions, statements and code.
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
