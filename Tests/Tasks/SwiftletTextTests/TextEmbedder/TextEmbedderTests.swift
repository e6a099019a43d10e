import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Text embedder")
struct TextEmbedderTests {
  private let model = WordModel(.pattern(" "), length: 2, vocabulary: "a 3\nb 4\nc 1\n")

  private func embedding(_ text: String, _ change: (inout TextEmbedderOptions) -> Void = { _ in }) throws -> Embedding {
    try TextEmbedder(.bytes(model.bytes), configure: change).embedding(of: text)
  }

  @Test("returns the model's values, normalized or quantized if requested")
  func forms() throws {
    let plain = try embedding("a b")
    #expect(plain == Embedding(heads: [.init(name: "numbers", values: .float([3, 4]))]))
    #expect(try embedding("a b") { $0.normalizesEmbedding = true }.values.floats == [0.6, 0.8])
    let bytes = try embedding("a b") { ($0.normalizesEmbedding, $0.quantizesEmbedding) = (true, true) }
    #expect(bytes.values.floats == nil && bytes.values.bytes == [77, 102])
    #expect(try embedding("") { $0.normalizesEmbedding = true }.values.floats == [0, 0])
  }

  @Test("similarity equals the cosine similarity of the vectors")
  func similarity() throws {
    let (one, other) = (try embedding("a b"), try embedding("b a"))
    #expect(abs(try one.cosineSimilarity(to: other) - 24.0 / 25) < 1e-12)
    let bytes = try embedding("a") { $0.quantizesEmbedding = true }
    #expect(
      taskError { try one.cosineSimilarity(to: bytes) }?.code == .invalidArgument)
  }

  @Test("adds the task prefix to a text", arguments: TextFormatContext.EmbeddingType.allCases)
  func formats(type: TextFormatContext.EmbeddingType) throws {
    let names: [TextFormatContext.EmbeddingType: String] = [
      .retrievalQuery: "search result", .semanticSimilarity: "sentence similarity", .classification: "classification",
      .clustering: "clustering", .questionAnswering: "question answering", .factChecking: "fact checking",
      .codeRetrieval: "code retrieval",
    ]
    let plain = TextFormatContext(embeddingType: type, title: "t")
    let document = TextFormatContext(embeddingType: type, title: "", role: .document)
    let query = names[type].map { "task: \($0) | query: a b" }
    let hasDocuments = [.questionAnswering, .factChecking, .codeRetrieval, .retrievalDocument].contains(type)
    #expect(plain.formatted("a b") == query ?? "title: t | text: a b")
    #expect(document.formatted("a b") == (hasDocuments ? "title: none | text: a b" : query))

    // The model receives the words of the prefix: their IDs come first.
    let model = WordModel(.pattern("[^a-z]+"), length: 4, vocabulary: "task 7\ntitle 8\nquery 9\ntext 5\nt 6\na 3\n")
    let embedder = try TextEmbedder(.bytes(model.bytes))
    let first = try embedder.embedding(of: "a", format: plain).values.floats
    #expect(first?.first == (query == nil ? 8 : 7))
    #expect(try embedder.embedding(of: "a", format: nil).values.floats?.first == 3)
  }

  @Test("can be awaited")
  func async() async throws {
    let embedder = try TextEmbedder(.bytes(model.bytes))
    #expect(try await embedder.embedding(of: "c", priority: .userInitiated).values.floats == [1, 0])
    let context = TextFormatContext(embeddingType: .retrievalDocument, title: "a b")
    // The text is "title: a b | text: c".
    #expect(try await embedder.embedding(of: "c", format: context, priority: .userInitiated).values.floats == [0, 3])
  }

  @Test("outputs without a name have no name in the result")
  func names() throws {
    var model = model
    model.extraOutputs = 1
    let result = try TextEmbedder(.bytes(model.bytes)).embedding(of: "a")
    #expect(result.heads.map(\.name) == ["numbers", nil])
  }
}
