import SteadyState
import SwiftletTestSupport
import SwiftletText
import Testing

@Suite("Allocations of text tasks", .enabled(if: Allocations.areThoseOfUsers, "needs an optimized build on glibc"))
struct TextAllocationTests {
  private static let text = "The un-do of naïve people: 你好, unable words, and more of them."

  private static let models = [
    WordModel(.pattern("[^\\w']+"), length: 8, vocabulary: "<START> 1\n<UNKNOWN> 2\nof 3"),
    WordModel(.pattern("(?:--|,|\\.{2,}|\\s)+"), length: 8, vocabulary: "<UNKNOWN> 2\nof 3"),
    WordModel(.wordPieces, length: 16, vocabulary: "[CLS]\n[SEP]\n[UNK]\nun\n##able\nof"),
  ]

  @Test("an embedder allocates its result and nothing else", arguments: 0..<models.count)
  func embeddings(index: Int) throws {
    let model = Self.models[index]
    let embedder = try TextEmbedder(
      options: TextEmbedderOptions(baseOptions: BaseOptions(model: .bytes(model.bytes)), normalizesEmbedding: true))
    let heads = try embedder.embedding(of: Self.text).heads.count
    // The array of heads, and the numbers of each head.
    #expect(try Allocations.ofSteadyCall { _ = try embedder.embedding(of: Self.text) } == Double(1 + heads))
  }

  @Test("a classifier allocates its result and nothing else")
  func classes() throws {
    let classifier = try TextClassifier(
      options: TextClassifierOptions(baseOptions: BaseOptions(model: .bytes(Self.models[0].bytes)), maxResults: 3))
    // The array of heads, and the categories of the only head.
    #expect(try Allocations.ofSteadyCall { _ = try classifier.classification(of: Self.text) } == 2)
  }
}
