import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Text embedder")
struct TextEmbedderTests {
  private let model = WordModel(.pattern(" "), length: 2, vocabulary: "a 3\nb 4\nc 1\n")

  private func embedding(_ text: String, _ change: (inout TextEmbedderOptions) -> Void = { _ in }) throws -> Embedding {
    try TextEmbedder(model: .bytes(model.bytes), configure: change).embed(text).embedding
  }

  @Test("gives the model's numbers, of length 1 or as bytes where that is asked for")
  func forms() throws {
    let plain = try embedding("a b")
    #expect(plain == Embedding(floatEmbedding: [3, 4], quantizedEmbedding: nil, headIndex: 0, headName: "numbers"))
    #expect(try embedding("a b") { $0.l2Normalize = true }.floatEmbedding == [0.6, 0.8])
    let bytes = try embedding("a b") { ($0.l2Normalize, $0.quantize) = (true, true) }
    #expect(bytes.floatEmbedding == nil && bytes.quantizedEmbedding == [77, 102])
    #expect(try embedding("") { $0.l2Normalize = true }.floatEmbedding == [0, 0])
  }

  @Test("similarity is that of the vectors")
  func similarity() throws {
    let (one, other) = (try embedding("a b"), try embedding("b a"))
    #expect(abs(try TextEmbedder.cosineSimilarity(embedding1: one, embedding2: other) - 24.0 / 25) < 1e-12)
    let bytes = try embedding("a") { $0.quantize = true }
    #expect(
      taskError { try TextEmbedder.cosineSimilarity(embedding1: one, embedding2: bytes) }?.code == .invalidArgument)
  }

  @Test("says in front of a text what it is embedded for", arguments: TextFormatContext.EmbeddingType.allCases)
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

    // The model sees these words: their numbers come first.
    let model = WordModel(.pattern("[^a-z]+"), length: 4, vocabulary: "task 7\ntitle 8\nquery 9\ntext 5\nt 6\na 3\n")
    let embedder = try TextEmbedder(model: .bytes(model.bytes))
    let first = try embedder.embed("a", format: plain).embedding.floatEmbedding
    #expect(first?.first == (query == nil ? 8 : 7))
    #expect(try embedder.embed("a", format: nil).embedding.floatEmbedding?.first == 3)
  }

  @Test("awaits its result")
  func async() async throws {
    let embedder = try TextEmbedder(model: .bytes(model.bytes))
    #expect(try await embedder.embed("c").embedding.floatEmbedding == [1, 0])
    let context = TextFormatContext(embeddingType: .retrievalDocument, title: "a b")
    // title: a b | text: c
    #expect(try await embedder.embed("c", format: context).embedding.floatEmbedding == [0, 3])
  }

  @Test("outputs without a name are named nothing where another has one")
  func names() throws {
    var model = model
    model.extraOutputs = 1
    let result = try TextEmbedder(model: .bytes(model.bytes)).embed("a").embeddingResult
    #expect(result.embeddings.map(\.headName) == ["numbers", ""] && result.timestamp == .zero)
  }
}
