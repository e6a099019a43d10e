import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("SKIP_GRAM")
struct SkipGramTests {
  private func session(
    size: Int32, skip: Int32 = 0, shorter: Bool = false, then build: ((inout TestGraph, Int) -> Int)? = nil,
    options: RuntimeOptions = RuntimeOptions()
  ) throws -> Session {
    var graph = TestGraph()
    let text = graph.input(.string, [1])
    let grams = graph.tensor(.string, [1])
    graph.add(
      .skipGram, [text], [grams],
      options: SkipGramOptions.with { [$0.ngramSize(size), $0.maximumSkipSize(skip), $0.includeAllNgrams(shorter)] })
    graph.addOutput(build?(&graph, grams) ?? grams)
    return try graph.session(options: options)
  }

  private func grams(_ text: String, _ session: Session) throws -> [String] {
    let result = try session.run([try Tensor(strings: [text], shape: [1])])[0]
    #expect(result.shape.rank == 1)
    return try result.strings()
  }

  @Test("joins consecutive words, or words with skipped words between them")
  func joins() throws {
    #expect(try grams("a b c", session(size: 2)) == ["a b", "b c"])
    #expect(try grams("a b c", session(size: 2, skip: 1)) == ["a b", "a c", "b c"])
    #expect(try grams("a b c", session(size: 2, skip: 1, shorter: true)) == ["a b", "a c", "a", "b c", "b", "c"])
    #expect(try grams("a b c d", session(size: 3, skip: 9)) == ["a b c", "a b d", "a c d", "b c d"])
  }

  @Test("returns a different number of strings in every run, which later operators accept")
  func changes() throws {
    let session = try session(size: 1) { graph, grams in
      let last = graph.tensor(.string, [1])
      graph.add(
        .stridedSlice, [grams, graph.constant([Int32(-1)]), graph.constant([Int32(0)]), graph.constant([Int32(-1)])],
        [last],
        options: StridedSliceOptions.with { [$0.beginMask(0), $0.endMask(1)] })
      return last
    }
    #expect(try grams("one", session) == ["one"])
    #expect(try grams("one two three", session) == ["three", "two", "one"])
    #expect(try grams("new one", session) == ["one", "new"])
  }

  @Test("rejects far more sequences than the text contains", .timeLimit(.minutes(30)))
  func refusesTooMany() throws {
    let session = try session(size: 12, skip: 100)
    let error = #expect(throws: RuntimeError.self) { try grams(String(repeating: "a ", count: 200), session) }
    #expect(error?.code == .limitExceeded && error?.location?.operatorName == "SKIP_GRAM")
  }

  @Test("accepts a constant text")
  func takesConstant() throws {
    var graph = TestGraph()
    let text = graph.constant(try Tensor(strings: ["x y"], shape: [1]))
    graph.add(.skipGram, [text], [graph.output(.string, [])], options: SkipGramOptions.with { [$0.ngramSize(1)] })
    #expect(try graph.session().run([])[0].strings() == ["x", "y"])
  }

  @Test("throws if a text produces more strings than a tensor may contain, even if they are equal")
  func limits() throws {
    var options = RuntimeOptions()
    options.limits.tensorBytes = 4096
    let session = try session(size: 8, skip: 30, options: options)
    let error = #expect(throws: RuntimeError.self) {
      try grams(Array(repeating: "a", count: 40).joined(separator: " "), session)
    }
    #expect(error?.code == .limitExceeded && error?.location?.operatorName == "SKIP_GRAM")
    #expect(try grams("a b", session) == [])
  }
}
