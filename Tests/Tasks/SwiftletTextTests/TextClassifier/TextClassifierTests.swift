import SwiftletTestSupport
import Testing

@testable import SwiftletText

@Suite("Text classifier")
struct TextClassifierTests {
  /// A model whose scores are the token IDs.
  private let model = WordModel(
    .pattern("[^a-z]+"), length: 3, vocabulary: "<UNKNOWN> 2\na 5\nb 7\n", labels: ["first", "second", "third"])

  private func names(_ text: String, _ change: (inout TextClassifierOptions) -> Void = { _ in }) throws -> [String?] {
    var options = TextClassifierOptions(baseOptions: model.base)
    change(&options)
    return try TextClassifier(options: options).classification(of: text).categories.map(\.categoryName)
  }

  @Test("reports all classes, best first")
  func order() throws {
    let result = try TextClassifier(.bytes(model.bytes)).classification(of: "a b x")
    #expect(result.heads.count == 1)
    let head = result.heads[0]
    #expect(head.name == "numbers" && head.categories == result.categories)
    #expect(head.categories.map(\.index) == [1, 0, 2] && head.categories.map(\.score) == [7, 5, 2])
    #expect(head.categories.map(\.categoryName) == ["second", "first", "third"])
  }

  @Test("options filter classes")
  func options() throws {
    #expect(try names("a b x") { $0.maxResults = 1 } == ["second"])
    #expect(try names("a b x") { $0.scoreThreshold = 5 } == ["second", "first"])
    #expect(try names("a b x") { $0.categoryAllowlist = ["third", "?"] } == ["third"])
    #expect(try names("a b x") { $0.categoryDenylist = ["second"] } == ["first", "third"])
    let configured = try TextClassifier(.bytes(model.bytes)) { $0.maxResults = 2 }
    #expect(try configured.classification(of: "a b x").categories.count == 2)
    #expect(configured.categoryNames == ["first", "second", "third"])
  }

  @Test("contradictory options are rejected")
  func contradictions() {
    for change: (inout TextClassifierOptions) -> Void in [
      { $0.maxResults = 0 }, { $0.scoreThreshold = .nan },
      { ($0.categoryAllowlist, $0.categoryDenylist) = (["first"], ["second"]) },
    ] {
      #expect(taskError { try names("a", change) }?.code == .invalidOption)
    }
  }

  @Test("every output is a separate head")
  func heads() throws {
    var model = model
    model.extraOutputs = 1
    let heads = try TextClassifier(.bytes(model.bytes)).classification(of: "b").heads
    #expect(heads.map(\.name) == ["numbers", nil])
    #expect(heads[1].categories.map(\.categoryName) == [nil, nil, nil])
  }

  @Test("classifies separate texts from many concurrent tasks")
  func concurrent() async throws {
    let classifier = try TextClassifier(.bytes(model.bytes))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<40 {
        group.addTask {
          let best = try await classifier.classification(of: index % 2 == 0 ? "b a" : "a b", priority: .userInitiated)
            .categories[0]
          return best.index == index % 2 && best.score == 7
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("a cancelled call throws the cancellation error")
  func cancellation() async throws {
    let classifier = try TextClassifier(.bytes(model.bytes))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await classifier.classification(of: "a", priority: .userInitiated)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
