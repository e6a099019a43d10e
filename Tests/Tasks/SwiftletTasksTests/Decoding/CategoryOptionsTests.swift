import SwiftletTestSupport
import Testing

@testable import SwiftletTasks

@Suite("Category options")
struct CategoryOptionsTests {
  @Test("have documented defaults")
  func defaults() {
    let options = CategoryOptions()
    #expect(options.displayNamesLocale == "en" && options.maxResults == nil && options.scoreThreshold == 0)
    #expect(options.allowlist.isEmpty && options.denylist.isEmpty)
  }

  private struct Task: ClassChoosing {
    let displayNamesLocale = "de"
    let maxResults: Int? = 7
    let scoreThreshold: Float = 0.25
    let categoryAllowlist = ["a", "b"]
    let categoryDenylist = ["c"]
  }

  @Test("equal the task's options, field by field")
  func fields() {
    let options = Task().categories
    #expect(options.displayNamesLocale == "de" && options.maxResults == 7 && options.scoreThreshold == 0.25)
    #expect(options.allowlist == ["a", "b"] && options.denylist == ["c"])
  }

  private func error(_ options: CategoryOptions) -> TaskError? { thrownError { try options.validate() } }

  @Test("at least one result is requested, or all", arguments: [nil, 1, 2, Int.max, 0, -1, Int.min])
  func maxResults(count: Int?) {
    let error = error(CategoryOptions(maxResults: count))
    #expect((error == nil) == (count ?? 1 >= 1))
    guard let error, let count else { return }
    #expect(error.code == .invalidOption)
    #expect(error.message == "maxResults must be at least 1, or nil for all, got \(count)")
  }

  @Test("any number is a threshold")
  func threshold() {
    for number in [-Float.infinity, -1, 0, 2, .infinity] { #expect(error(.init(scoreThreshold: number)) == nil) }
    let error = error(CategoryOptions(scoreThreshold: .nan))
    #expect(error?.code == .invalidOption && error?.message == "scoreThreshold is not a number")
  }

  @Test("one of the lists may be given")
  func lists() {
    #expect(error(CategoryOptions(allowlist: ["a"])) == nil && error(CategoryOptions(denylist: ["a"])) == nil)
    let error = error(CategoryOptions(allowlist: ["a"], denylist: ["b"]))
    #expect(error?.code == .invalidOption)
    #expect(error?.message == "categoryAllowlist and categoryDenylist are mutually exclusive")
  }

  @Test("a list requires labels, and the error reports it")
  func labels() {
    for (allow, deny) in [(["a"], []), ([], ["a"])] as [([String], [String])] {
      let error: TaskError? = thrownError { try CategoryFilter(allow: allow, deny: deny, labels: nil) }
      #expect(error?.code == .invalidOption)
      #expect(
        error?.message == "a category list is given, but the model has no labels to look the names up in")
    }
  }
}
