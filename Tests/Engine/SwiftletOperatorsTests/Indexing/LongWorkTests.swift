import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks work that is far larger than the tensors, or strictly sequential: its cost is estimated before a run, and a
/// run can be stopped during it.
@Suite("Long work on one thread")
struct LongWorkTests {
  private func steps(_ graph: TestGraph) throws -> [PreparedOperator.Stage] {
    try CompiledModel(try graph.model()).program.steps.map(\.alone)
  }

  private func work(_ stages: [PreparedOperator.Stage]) -> Double { stages.reduce(0) { $0 + ($1.work ?? 0) } }

  /// Returns the longest tile, in nanoseconds.
  private func longest(_ stages: [PreparedOperator.Stage]) -> Double {
    stages.map { ($0.work ?? 0) / Double(max(1, $0.tileCount)) }.max() ?? 0
  }

  @Test("repeated sums of the same row are counted and split")
  func sparseLookup() throws {
    var graph = TestGraph()
    let count = 1 << 16
    let inputs = [
      graph.input(.int32, [count]), graph.input(.int32, [count, 2]), graph.constant([Int32(1), Int32(count)]),
      graph.input(.float32, [count]),
      graph.input(.float32, [1, count]),
    ]
    graph.add(
      .embeddingLookupSparse, inputs, [graph.output(.float32, [])],
      options: EmbeddingLookupSparseOptions.with { [$0.combiner(.sum)] })
    let stages = try steps(graph)
    #expect(work(stages) >= Double(count * count))
    #expect(longest(stages) < 4e7)
  }

  @Test("rows of segments are added in order, and split")
  func segments() throws {
    var graph = TestGraph()
    let inputs = [
      graph.input(.float32, [1 << 22, 16]), graph.input(.int32, [1 << 22]), graph.constant([Int32(4)], shape: []),
    ]
    graph.add(.unsortedSegmentSum, inputs, [graph.output(.float32, [])])
    let stages = try steps(graph)
    #expect(work(stages) >= Double(1 << 26))
    #expect(longest(stages) < 2e7)
  }

  @Test("large selections from long rows are counted and split")
  func topK() throws {
    var graph = TestGraph()
    graph.add(
      .topkV2, [graph.input(.float32, [2, 1 << 24]), graph.constant([Int32(1 << 20)], shape: [])],
      [graph.output(.float32, []), graph.output(.int32, [])])
    let stages = try steps(graph)
    #expect(work(stages) >= Double(1 << 25) * 40)
    #expect(longest(stages) < 2e7)
  }

  @Test("selections give the same results in pieces")
  func topKInPieces() throws {
    let size = 1 << 19, count = 1 << 16
    let values = (0..<2 * size).map { Int32(truncatingIfNeeded: ($0 &* 40_503) % 65_521 / 3) }
    var graph = TestGraph()
    let data = graph.input(.int32, [2, size])
    let outputs = [graph.output(.int32, []), graph.output(.int32, [])]
    graph.add(.topkV2, [data, graph.constant([Int32(count)], shape: [])], outputs)
    #expect(try steps(graph).count > 1)
    let results = try graph.session().run([try Tensor(values, shape: [2, size])])
    for row in 0..<2 {
      let line = values[row * size..<(row + 1) * size].enumerated().sorted {
        ($1.element, $0.offset) < ($0.element, $1.offset)
      }.prefix(count)
      #expect(try Array(results[0].values(as: Int32.self)[row * count..<(row + 1) * count]) == line.map(\.element))
      #expect(
        try Array(results[1].values(as: Int32.self)[row * count..<(row + 1) * count]) == line.map { Int32($0.offset) })
    }
  }

  @Test(
    "sums along a long axis are split by steps and by columns with equal results",
    arguments: [[11 << 20, 1], [11, 1 << 20], [3, 4 << 20 + 7]])
  func cumsum(shape: [Int]) throws {
    var graph = TestGraph()
    graph.add(
      .cumsum, [graph.input(.int32, shape), graph.constant([Int32(0)], shape: [])], [graph.output(.int32, [])],
      options: CumsumOptions.empty)
    let stages = try steps(graph)
    #expect(longest(stages) < 2e7)
    #expect(work(stages) >= Double(shape[0] * shape[1]))
    let count = shape[0] * shape[1], columns = shape[1]
    let results = try graph.session().run([try Tensor([Int32](repeating: 1, count: count), shape: Shape(shape))])
    let sums = try results[0].values(as: Int32.self)
    #expect(stride(from: 0, to: count, by: 9973).allSatisfy { sums[$0] == Int32($0 / columns + 1) })
    #expect(sums[count - 1] == Int32(shape[0]))
  }

  @Test("a range continues where the previous piece ends")
  func range() throws {
    let count = 1 << 23
    var graph = TestGraph()
    let inputs = [graph.input(.int32, []), graph.input(.int32, []), graph.input(.int32, [])]
    graph.add(.range, inputs, [graph.output(.int32, [])])
    let scalars = try [0, count, 1].map { try Tensor([Int32($0)], shape: []) }
    let values = try graph.session().run(scalars)[0].values(as: Int32.self)
    #expect(values.count == count)
    #expect(stride(from: 0, to: count, by: 4093).allSatisfy { values[$0] == Int32($0) })
  }

  @Test("numbers every value of a long vector once")
  func unique() throws {
    let values = (0..<1 << 18).map { Int32(truncatingIfNeeded: $0 &* 7919 % 1000) }
    var graph = TestGraph()
    graph.add(.unique, [graph.input(.int32, [values.count])], [graph.output(.int32, []), graph.output(.int32, [])])
    let results = try graph.session().run([try Tensor(values, shape: [values.count])])
    let unique = try results[0].values(as: Int32.self), places = try results[1].values(as: Int32.self)
    #expect(unique == Array(values.prefix(1000)))
    #expect(zip(values, places).allSatisfy { unique[Int($1)] == $0 })
  }

  @Test("windows over many channels count toward the work")
  func responseNormalization() throws {
    var graph = TestGraph()
    graph.add(
      .localResponseNormalization, [graph.input(.float32, [1, 1, 4, 1 << 16])], [graph.output(.float32, [])],
      options: LocalResponseNormalizationOptions.with { [$0.radius(Int32.max), $0.bias(1), $0.alpha(1), $0.beta(0.5)] })
    #expect(work(try steps(graph)) >= 4 * Double(1 << 32))
  }

  @Test("a long one-hot block is filled in pieces")
  func oneHot() throws {
    let depth = 1 << 22
    var graph = TestGraph()
    let inputs = [
      graph.input(.int32, [3]), graph.constant([Int32(depth)], shape: []), graph.constant([Int8(7)], shape: []),
      graph.constant([Int8(1)], shape: []),
    ]
    graph.add(.oneHot, inputs, [graph.output(.int8, [])], options: OneHotOptions.with { [$0.axis(0)] })
    #expect(try steps(graph).count == 2)
    let values = try graph.session().run([try Tensor([Int32(0), -1, Int32(depth - 1)], shape: [3])])[0].values(
      as: Int8.self)
    #expect(values[0] == 7 && values[values.count - 1] == 7)
    #expect(values.count { $0 == 7 } == 2 && values.count { $0 == 1 } == 3 * depth - 2)
  }
}
