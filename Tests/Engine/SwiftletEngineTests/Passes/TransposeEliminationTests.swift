import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

/// Nodes around transposes, run unchanged and with transpose elimination between them.
private struct TransposedChain {
  var graph = TestGraph()
  var between: [Int] = []
  var inputs: [[Int]] = []

  static let channelsFirst = [0, 3, 1, 2], channelsLast = [0, 2, 3, 1]

  mutating func input(_ shape: [Int]) -> Int {
    inputs.append(shape)
    return graph.input(.float32, shape)
  }

  mutating func add(_ kind: BuiltinOperator, _ sources: [Int], _ shape: [Int]) -> Int {
    let result = graph.tensor(.float32, shape)
    between.append(result)
    graph.add(kind, sources, [result])
    return result
  }

  mutating func transpose(_ source: Int, _ permutation: [Int], _ shape: [Int]) -> Int {
    add(.transpose, [source, graph.constant(permutation.map { Int32($0) }, shape: [permutation.count])], shape)
  }

  mutating func pad(_ source: Int, _ paddings: [Int32], _ shape: [Int]) -> Int {
    add(.pad, [source, graph.constant(paddings, shape: [paddings.count / 2, 2])], shape)
  }

  mutating func concatenate(_ sources: [Int], axis: Int, _ shape: [Int]) -> Int {
    let result = graph.tensor(.float32, shape)
    between.append(result)
    graph.add(.concatenation, sources, [result], options: ConcatenationOptions.with { [$0.axis(axis)] })
    return result
  }

  private static func value(_ index: Int) -> Float {
    let step: Int = (index &* 7919) % 2003
    return Float(step) / 1001 - 1
  }

  func run(results: [Int], exposingAll: Bool) throws -> (values: [[Float]], names: [String]) {
    var graph = graph
    for result in results { graph.addOutput(result) }
    if exposingAll { for tensor in between where !results.contains(tensor) { graph.addOutput(tensor) } }
    let compiled = try CompiledModel(try graph.model())
    let data = try inputs.map { shape in
      let count = shape.reduce(1, *)
      return try Tensor((0..<count).map(Self.value), shape: Shape(shape))
    }
    let outputs = try Session(compiled).run(data)
    return (try results.indices.map { try outputs[$0].values(as: Float.self) }, compiled.operatorNames)
  }

  /// Checks that the values equal those of the unchanged nodes, and returns the names of the operators that run.
  func names(_ results: Int...) throws -> [String] {
    let free = try run(results: results, exposingAll: false), fixed = try run(results: results, exposingAll: true)
    #expect(fixed.names.count == between.count)
    #expect(free.values == fixed.values)
    return free.names
  }
}

@Suite("Transpose elimination")
struct TransposeEliminationTests {
  @Test("two transposes around a function, arithmetic, padding, and a concatenation are eliminated")
  func innerNodes() throws {
    var chain = TransposedChain()
    let first = chain.input([1, 4, 5, 3]), second = chain.input([1, 4, 5, 2])
    let x = chain.transpose(first, TransposedChain.channelsFirst, [1, 3, 4, 5])
    let y = chain.transpose(second, TransposedChain.channelsFirst, [1, 2, 4, 5])
    let gate = chain.add(.logistic, [x], [1, 3, 4, 5])
    let product = chain.add(.mul, [x, gate], [1, 3, 4, 5])
    let joined = chain.concatenate([product, y], axis: 1, [1, 5, 4, 5])
    let padded = chain.pad(joined, [0, 0, 1, 0, 2, 1, 0, 3], [1, 6, 7, 8])
    let last = chain.transpose(padded, TransposedChain.channelsLast, [1, 7, 8, 6])
    // For any last node, because it can write a result.
    #expect(try chain.names(last).sorted() == ["CONCATENATION", "PAD", "Swish"])
    let end = chain.add(.abs, [last], [1, 7, 8, 6])
    #expect(try chain.names(end).sorted() == ["ABS", "CONCATENATION", "PAD", "Swish"])
  }

  @Test("negative axes and operands that broadcast are supported")
  func broadcasting() throws {
    var chain = TransposedChain()
    let input = chain.input([2, 3, 4, 6])
    let x = chain.transpose(input, TransposedChain.channelsFirst, [2, 6, 3, 4])
    let scaled = chain.add(.mul, [x, chain.graph.constant([Float(3)], shape: [1])], [2, 6, 3, 4])
    let shifted = chain.add(
      .add, [scaled, chain.graph.constant((0..<6).map { Float($0) }, shape: [1, 6, 1, 1])], [2, 6, 3, 4])
    let joined = chain.concatenate([shifted, x], axis: -2, [2, 6, 6, 4])
    let last = chain.transpose(joined, TransposedChain.channelsLast, [2, 6, 4, 6])
    let end = chain.add(.neg, [last], [2, 6, 4, 6])
    let names = try chain.names(end)
    // The transpose of the constant is left.
    #expect(names.filter { $0 == "TRANSPOSE" }.count == 1)
    #expect(names.count == 5)
  }

  @Test("values with readers in the original layout are kept if that costs no more")
  func otherReaders() throws {
    var chain = TransposedChain()
    let input = chain.input([1, 4, 5, 3])
    let x = chain.transpose(input, TransposedChain.channelsFirst, [1, 3, 4, 5])
    let negated = chain.add(.neg, [x], [1, 3, 4, 5])
    let last = chain.transpose(negated, TransposedChain.channelsLast, [1, 4, 5, 3])
    let end = chain.add(.abs, [last], [1, 4, 5, 3])
    #expect(try chain.names(end, x).sorted() == ["ABS", "NEG", "TRANSPOSE"])
    #expect(try chain.names(end, negated).sorted() == ["ABS", "NEG", "TRANSPOSE"])
    #expect(try chain.names(end, negated, x).sorted() == ["ABS", "NEG", "TRANSPOSE", "TRANSPOSE"])
  }

  @Test("transposes that aren't inverse to each other become one")
  func composition() throws {
    var chain = TransposedChain()
    let input = chain.input([2, 3, 4])
    let x = chain.transpose(input, [2, 0, 1], [4, 2, 3])
    let negated = chain.add(.neg, [x], [4, 2, 3])
    let last = chain.transpose(negated, [0, 2, 1], [4, 3, 2])
    #expect(try chain.names(last).sorted() == ["NEG", "TRANSPOSE"])
  }

  @Test("consecutive regions, and a region between the ends of a transpose")
  func chains() throws {
    var chain = TransposedChain()
    let input = chain.input([3, 3])
    let x = chain.transpose(input, [1, 0], [3, 3])
    let a = chain.add(.neg, [x], [3, 3])
    let b = chain.transpose(a, [1, 0], [3, 3])
    let c = chain.add(.abs, [b], [3, 3])
    let d = chain.transpose(c, [1, 0], [3, 3])
    let e = chain.add(.exp, [d], [3, 3])
    let f = chain.transpose(e, [1, 0], [3, 3])
    let g = chain.add(.mul, [f, c], [3, 3])
    #expect(try chain.names(g).filter { $0 == "TRANSPOSE" }.count <= 1)
    let sum = chain.add(.add, [a, b], [3, 3])
    _ = try chain.names(sum)
  }
}
