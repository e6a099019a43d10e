import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A FULLY_CONNECTED of float32 rows.
private struct FullyConnected {
  var input = [2, 3]
  var weights = [2, 3]
  var bias: [Float]? = [0.5, -0.5]
  var keepsDimensions = false
  var activation: Int8 = 0
  var format: Int8 = 0

  func run() throws -> Tensor {
    var graph = TestGraph()
    let data = graph.input(.float32, input)
    let matrix = graph.constant((0..<weights.reduce(1, *)).map { Float($0) }, shape: weights)
    let offset = bias.map { graph.constant($0) }
    let result = graph.output(.float32, [])
    graph.add(
      .fullyConnected, [data, matrix, offset], [result],
      options: FullyConnectedOptions.with {
        [$0.fusedActivation(code: activation), $0.weightsFormat(code: format), $0.keepDimensionCount(keepsDimensions)]
      }, version: 6)
    let values = (0..<input.reduce(1, *)).map { Float($0 + 1) }
    return try graph.session().run([try Tensor(values, shape: Shape(input))])[0]
  }
}

@Suite("FULLY_CONNECTED")
struct FullyConnectedTests {
  @Test("multiplies rows by units")
  func multiplies() throws {
    let result = try FullyConnected().run()
    #expect(result.shape == [2, 2])
    #expect(try result.values(as: Float.self) == [8.5, 25.5, 17.5, 61.5])
    #expect(try FullyConnected(bias: nil).run().values(as: Float.self) == [8, 26, 17, 62])
  }

  @Test("reads any input as rows, and keeps its dimensions if requested")
  func readsRows() throws {
    #expect(try FullyConnected(input: [1, 2, 3]).run().shape == [2, 2])
    #expect(try FullyConnected(input: [3, 1, 2]).run().shape == [2, 2])
    #expect(try FullyConnected(input: [1, 2, 3], keepsDimensions: true).run().shape == [1, 2, 2])
    #expect(try FullyConnected(input: [3]).run().values(as: Float.self) == [8.5, 25.5])
    #expect(try FullyConnected(input: [0, 3]).run().shape == [0, 2])
  }

  @Test("is zero for rows without elements")
  func isZeroWithoutDepth() throws {
    let result = try FullyConnected(input: [2, 0], weights: [2, 0]).run()
    #expect(try result.values(as: Float.self) == [0, 0, 0, 0])
  }

  @Test("rejects inconsistent sizes and options")
  func refusesSizes() {
    func refuses(_ layer: FullyConnected) {
      #expect(throws: RuntimeError.self) { try layer.run() }
    }
    refuses(FullyConnected(input: [2, 4]))
    refuses(FullyConnected(input: [3, 2], keepsDimensions: true))
    refuses(FullyConnected(weights: [2, 3, 1]))
    refuses(FullyConnected(bias: [1]))
    refuses(FullyConnected(activation: 7))
    refuses(FullyConnected(format: 1))
  }

  @Test("supports zero points of both operands", arguments: Numerics.allCases)
  func takesZeroPoints(numerics: Numerics) throws {
    var graph = TestGraph()
    let data = graph.input(.uint8, [2, 2], scale: 0.5, zeroPoint: 100)
    let weights = graph.constant([UInt8(10), 20, 30, 40, 50, 60], shape: [3, 2], scale: 0.5, zeroPoint: 30)
    let bias = graph.constant([Int32(4), 0, -4])
    let result = graph.output(.uint8, [], scale: 25, zeroPoint: 128)
    graph.add(.fullyConnected, [data, weights, bias], [result], options: FullyConnectedOptions.empty)
    let session = try graph.session(options: RuntimeOptions(numerics: numerics))
    let output = try session.run([try Tensor([UInt8(110), 90, 0, 255], shape: [2, 2])])[0]
    // A hundredth of each of (±10 × ±20, …) and so on: −100 + 4, −100, −100 − 4; 450 + 4, 1550, 2650 − 4.
    #expect(try output.values(as: UInt8.self) == [127, 127, 127, 133, 144, 154])
  }

  @Test("sums 16-bit rows without losing bits")
  func sumsLongRows() throws {
    var graph = TestGraph()
    let depth = 70_000
    let data = graph.input(.int16, [1, depth], scale: 1)
    let weights = graph.constant([Int8](repeating: 127, count: depth), shape: [1, depth], scale: 1)
    let bias = graph.constant([Int64(1) << 40])
    let result = graph.output(.int16, [], scale: 1e8)
    graph.add(.fullyConnected, [data, weights, bias], [result], options: FullyConnectedOptions.empty, version: 7)
    let codes = [Int16](repeating: 32767, count: depth)
    let output = try graph.session().run([try Tensor(codes, shape: [1, depth])])[0]
    // 70 000 × 32 767 × 127 + 2⁴⁰ = 1 390 810 257 776, rounded to hundreds of millions.
    #expect(try output.values(as: Int16.self) == [13908])
  }

  @Test("gives the same bytes for any number of threads")
  func isDeterministic() throws {
    var random = SplitMix64(state: 9)
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 600])
    let weights = graph.constant(
      (0..<600 * 1500).map { _ in Float.random(in: -1...1, using: &random) }, shape: [1500, 600])
    let result = graph.output(.float32, [])
    graph.add(.fullyConnected, [data, weights, nil], [result], options: FullyConnectedOptions.empty, version: 6)
    let row = try Tensor((0..<600).map { _ in Float.random(in: -1...1, using: &random) }, shape: [1, 600])
    let alone = try graph.session().run([row])[0]
    #expect(try graph.session(options: RuntimeOptions(threads: 3)).run([row])[0].bytes == alone.bytes)
  }
}
