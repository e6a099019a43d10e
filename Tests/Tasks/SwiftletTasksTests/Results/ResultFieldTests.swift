import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Results of tasks")
struct ResultFieldTests {
  @Test("categories keep what they are made of")
  func categories() {
    let category = ResultCategory(index: 3, score: 0.5, categoryName: "a", displayName: "b")
    #expect(category.index == 3 && category.score == 0.5)
    #expect(category.categoryName == "a" && category.displayName == "b")
    let bare = ResultCategory(index: 4, score: 1)
    #expect(bare.categoryName == nil && bare.displayName == nil)
    let head = Classifications(headIndex: 2, headName: "h", categories: [category, bare])
    #expect(head.headIndex == 2 && head.headName == "h" && head.categories == [category, bare])
    #expect(Classifications(headIndex: 1, categories: []).headName == nil)
    let result = ClassificationResult(classifications: [head], timestamp: .seconds(7))
    #expect(result.classifications == [head] && result.timestamp == .seconds(7))
  }

  @Test("embeddings keep what they are made of")
  func embeddings() {
    let embedding = Embedding(floatEmbedding: [1], quantizedEmbedding: [2], headIndex: 3, headName: "h")
    #expect(embedding.floatEmbedding == [1] && embedding.quantizedEmbedding == [2])
    #expect(embedding.headIndex == 3 && embedding.headName == "h")
    #expect(Embedding(floatEmbedding: nil, quantizedEmbedding: nil, headIndex: 0).headName == nil)
    let result = EmbeddingResult(embeddings: [embedding], timestamp: .seconds(7))
    #expect(result.embeddings == [embedding] && result.timestamp == .seconds(7))
  }

  private func similarity(_ first: Embedding, _ second: Embedding) throws -> Double {
    try CosineSimilarity.between(first, second)
  }

  @Test("similarity is the cosine of all numbers; floats go before codes")
  func similarity() throws {
    func floats(_ values: [Float]) -> Embedding {
      Embedding(floatEmbedding: values, quantizedEmbedding: nil, headIndex: 0)
    }
    func codes(_ values: [Int8]) -> Embedding {
      Embedding(floatEmbedding: nil, quantizedEmbedding: values, headIndex: 0)
    }
    // 2 + 6 + 12 over √14 · √29.
    #expect(abs(try similarity(floats([1, 2, 3]), floats([2, 3, 4])) - 20 / (14.0 * 29).squareRoot()) < 1e-12)
    #expect(abs(try similarity(codes([1, 2, -3]), codes([2, 3, 4])) + 4 / (14.0 * 29).squareRoot()) < 1e-12)
    let both = Embedding(floatEmbedding: [1, 0], quantizedEmbedding: [0, 1], headIndex: 0)
    #expect(try similarity(both, floats([1, 0])) == 1 && similarity(both, codes([0, 1])) == 1)
    for (one, other) in [(floats([1]), codes([1])), (codes([1]), floats([1]))] {
      let error: TaskError? = thrownError { try similarity(one, other) }
      #expect(error?.code == .invalidArgument && error?.message.hasPrefix("one embedding is quantised") == true)
    }
    for (one, other) in [(floats([1, 2]), floats([1])), (codes([1, 2]), codes([1]))] {
      let error: TaskError? = thrownError { try similarity(one, other) }
      #expect(
        error?.code == .invalidArgument && error?.message.hasPrefix("the embeddings have 2 and 1 numbers") == true)
    }
  }
}
