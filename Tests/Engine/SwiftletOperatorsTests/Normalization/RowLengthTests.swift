import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rows processed as a whole")
struct RowLengthTests {
  @Test("have a maximum length", arguments: [(1 << 24, true), (1 << 24 + 1, false)])
  func limit(length: Int, isTaken: Bool) throws {
    var graph = TestGraph()
    let input = graph.input(.int8, [1, length], scale: 0.1)
    graph.add(
      .softmax, [input], [graph.output(.int8, [1, length], scale: 1 / 256, zeroPoint: -128)],
      options: SoftmaxOptions.with { [$0.beta(1)] })
    let model = try graph.model()
    guard !isTaken else {
      _ = try CompiledModel(model)
      return
    }
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model) }
    #expect(error?.code == .limitExceeded)
  }
}
