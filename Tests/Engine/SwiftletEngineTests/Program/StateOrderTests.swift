import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

/// Checks shapes that depend on variables that preceding operators change.
@Suite("Order of states")
struct StateOrderTests {
  /// Returns a session that computes the nonzero positions of a variable tensor, after a filter with a dynamic input
  /// shape has changed it.
  private func session() throws -> Session {
    var graph = TestGraph()
    let data = graph.input(.float32, [1])
    let shape = graph.input(.int32, [2])
    let row = graph.tensor(.float32, [1, 1])
    graph.add(.reshape, [data, shape], [row])
    let memory = graph.variable(.float32, [1, 6])
    let weights = [
      graph.constant([Float(1), 10], shape: [2, 1]), graph.constant([Float(1), 2, 3, 0, 0, 1], shape: [2, 3]),
    ]
    graph.add(
      .svdf, [row, weights[0], weights[1], nil, memory], [graph.output(.float32, [])],
      options: SVDFOptions.with { [$0.rank(1)] })
    graph.add(.whereNonzero, [memory], [graph.output(.int64, [])])
    return try graph.session()
  }

  @Test("infer shapes that depend on a variable tensor after it has changed")
  func variableTensor() throws {
    let session = try session()
    for (round, value) in [Float(1), 0, 2, 0, 0, 0].enumerated() {
      let results = try session.run([Tensor([value], shape: [1]), Tensor([Int32(1), 1], shape: [2])])
      var expected: [Int64] = []
      // Each filter keeps three values, the latest one last.
      let values = ([Float](repeating: 0, count: 3) + [1, 0, 2, 0, 0, 0].prefix(round + 1)).suffix(3)
      for filter in 0..<2 {
        for (step, value) in values.enumerated() where value != 0 { expected += [0, Int64(3 * filter + step)] }
      }
      #expect(results[1].shape == [expected.count / 2, 2])
      #expect(try results[1].values() == expected)
    }
  }

  @Test("defer nodes that read a variable's shape until it is assigned in the same run")
  func resourceVariable() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1])
    let shape = graph.input(.int32, [1])
    let row = graph.tensor(.float32, [1])
    graph.add(.reshape, [data, shape], [row])
    let handle = graph.tensor(.resource, [])
    graph.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.sharedName("v")] })
    graph.add(.assignVariable, [handle, row], [], options: .fieldless(.assignVariable))
    graph.add(.readVariable, [handle], [graph.output(.float32, [])], options: .fieldless(.readVariable))
    let session = try graph.session()
    for count in [1, 5, 2, 7, 1] {
      let values = (0..<count).map(Float.init)
      let results = try session.run([Tensor(values, shape: [count]), Tensor([Int32(count)], shape: [1])])
      #expect(results[0].shape == [count])
      #expect(try results[0].values() == values)
    }
  }
}
