import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("CALL")
struct CallTests {
  private func session(calling subgraph: UInt32, inputs count: Int = 2) throws -> Session {
    var callee = TestGraph()
    let (left, right) = (callee.input(.float32, [2]), callee.input(.float32, [2]))
    callee.add(.sub, [left, right], [callee.output(.float32, [2])])
    var main = TestGraph()
    let inputs = (0..<count).map { _ in main.input(.float32, [2]) }
    let difference = main.tensor(.float32, [2])
    main.add(.call, inputs, [difference], options: CallOptions.with { [$0.subgraph(subgraph)] })
    main.add(.neg, [difference], [main.output(.float32, [2])])
    return try main.session([callee])
  }

  @Test("is replaced by the operators of its subgraph")
  func calls() throws {
    let session = try session(calling: 1)
    #expect(session.model.operatorNames == ["SUB", "NEG"])
    let result = try session.run([try Tensor([Float(5), 1], shape: [2]), try Tensor([Float(2), 3], shape: [2])])[0]
    #expect(try result.values() == [Float(-3), 2])
  }

  @Test(
    "rejects subgraphs that don't exist, call themselves, or have other inputs",
    arguments: [(7, 2), (0, 2), (1, 1)] as [(UInt32, Int)])
  func refuses(subgraph: UInt32, inputs: Int) {
    #expect(throws: RuntimeError.self) { try session(calling: subgraph, inputs: inputs) }
  }
}
