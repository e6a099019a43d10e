import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Category filter")
struct CategoryFilterTests {
  private func allowed(allow: [String] = [], deny: [String] = [], labels: [String]? = ["a", "b", "b", "c"]) throws
    -> [Int]
  {
    let map = try labels.map { try LabelMap(labels: $0, displayNames: nil) }
    let filter = try CategoryFilter(allow: allow, deny: deny, labels: map)
    return (0..<5).filter(filter.allows)
  }

  @Test("without lists, everything is reported, also without labels")
  func none() throws {
    #expect(try allowed() == [0, 1, 2, 3, 4])
    #expect(try allowed(labels: nil) == [0, 1, 2, 3, 4])
  }

  @Test("a name selects all classes with that name, and unknown and repeated names are ignored")
  func names() throws {
    #expect(try allowed(allow: ["b", "x", "b"]) == [1, 2])
    #expect(try allowed(deny: ["b", "x", "b"]) == [0, 3, 4])
  }

  @Test("a list of unknown names filters nothing")
  func unknownNames() throws {
    #expect(try allowed(allow: ["x"]) == [0, 1, 2, 3, 4])
    #expect(try allowed(deny: ["x"]) == [0, 1, 2, 3, 4])
  }

  @Test("names need labels")
  func noLabels() {
    #expect((thrownError { _ = try allowed(allow: ["a"], labels: nil) } as TaskError?)?.code == .invalidOption)
  }
}
