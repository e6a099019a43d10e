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

  @Test("awaits its result")
  func async() async throws {
    let embedder = try TextEmbedder(model: .bytes(model.bytes))
    #expect(try await embedder.embed("c").embedding.floatEmbedding == [1, 0])
  }

  @Test("outputs without a name are named nothing where another has one")
  func names() throws {
    var model = model
    model.extraOutputs = 1
    let result = try TextEmbedder(model: .bytes(model.bytes)).embed("a").embeddingResult
    #expect(result.embeddings.map(\.headName) == ["numbers", ""] && result.timestamp == .zero)
  }
}
