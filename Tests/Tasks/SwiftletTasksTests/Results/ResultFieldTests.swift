import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Results of tasks")
struct ResultFieldTests {
  @Test("categories keep their values")
  func categories() {
    let category = ResultCategory(index: 3, score: 0.5, categoryName: "a", displayName: "b")
    #expect(category.index == 3 && category.score == 0.5)
    #expect(category.categoryName == "a" && category.displayName == "b")
    let bare = ResultCategory(index: 4, score: 1)
    #expect(bare.categoryName == nil && bare.displayName == nil)
    let head = Classification.Head(name: "h", categories: [category, bare])
    #expect(head.name == "h" && head.categories == [category, bare])
    #expect(Classification.Head(categories: []).name == nil)
    let classification = Classification(heads: [head, .init(categories: [])])
    #expect(classification.heads.count == 2 && classification.categories == [category, bare])
    #expect(Classification(heads: []).categories.isEmpty)
  }

  @Test("embeddings keep their values")
  func embeddings() {
    let head = Embedding.Head(name: "h", values: .float([1, 2]))
    #expect(head.name == "h" && head.values == .float([1, 2]) && Embedding.Head(values: .int8([])).name == nil)
    let embedding = Embedding(heads: [head, .init(values: .int8([3]))])
    #expect(embedding.heads.map(\.values.count) == [2, 1] && embedding.values == .float([1, 2]))
    #expect(Embedding(heads: []).values == .float([]) && Embedding.Values.float([1]) != .int8([1]))
  }

  private func similarity(_ first: Embedding, _ second: Embedding) throws -> Double {
    try first.cosineSimilarity(to: second)
  }

  @Test("similarity is the cosine of two vectors of the same kind")
  func similarity() throws {
    func floats(_ values: [Float]) -> Embedding {
      Embedding(heads: [.init(values: .float(values))])
    }
    func codes(_ values: [Int8]) -> Embedding {
      Embedding(heads: [.init(values: .int8(values))])
    }
    // 2 + 6 + 12 over √14 · √29.
    #expect(abs(try similarity(floats([1, 2, 3]), floats([2, 3, 4])) - 20 / (14.0 * 29).squareRoot()) < 1e-12)
    #expect(abs(try similarity(codes([1, 2, -3]), codes([2, 3, 4])) + 4 / (14.0 * 29).squareRoot()) < 1e-12)
    for (one, other) in [(floats([1]), codes([1])), (codes([1]), floats([1]))] {
      let error: TaskError? = thrownError { try similarity(one, other) }
      #expect(error?.code == .invalidArgument && error?.message.hasPrefix("one embedding is quantized") == true)
    }
    for (one, other) in [(floats([1, 2]), floats([1])), (codes([1, 2]), codes([1]))] {
      let error: TaskError? = thrownError { try similarity(one, other) }
      #expect(
        error?.code == .invalidArgument && error?.message.hasPrefix("the embeddings have 2 and 1 numbers") == true)
    }
  }
}
