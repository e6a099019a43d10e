import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Convolution2DTransposeBias")
struct Convolution2DTransposeBiasTests {
  private func run(
    padding: Int32, stride: Int32, filter: [Int], weights: [Float], options: [UInt8]? = nil
  ) throws -> Tensor {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 2, 2, 1])
    let weights = graph.constant(weights, shape: filter)
    let bias = graph.constant([Float(0.5)])
    let result = graph.output(.float32, [])
    let fields = [padding, stride, stride].flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    graph.add(custom: "Convolution2DTransposeBias", [data, weights, bias], [result], options: options ?? fields)
    return try graph.session().run([try Tensor([Float(1), 2, 3, 4], shape: [1, 2, 2, 1])])[0]
  }

  @Test("finds its output size from the input")
  func findsSize() throws {
    let result = try run(padding: 1, stride: 2, filter: [1, 2, 2, 1], weights: [1, 10, 100, 1000])
    #expect(result.shape == [1, 4, 4, 1])
    #expect(
      try result.values(as: Float.self).map { $0 - 0.5 } == [
        1, 10, 2, 20, 100, 1000, 200, 2000, 3, 30, 4, 40, 300, 3000, 400, 4000,
      ])
    let ones = [Float](repeating: 1, count: 9)
    // (2 − 1) % 2 = 1 of the filter's 3 elements remains for padding; half of it, 0, is leading.
    #expect(try run(padding: 1, stride: 2, filter: [1, 3, 3, 1], weights: ones).shape == [1, 4, 4, 1])
    #expect(try run(padding: 2, stride: 2, filter: [1, 3, 3, 1], weights: ones).shape == [1, 5, 5, 1])
    #expect(try run(padding: 1, stride: 1, filter: [1, 3, 3, 1], weights: ones).shape == [1, 2, 2, 1])
  }

  @Test("rejects truncated and invalid options")
  func refusesOptions() {
    #expect(throws: RuntimeError.self) { try run(padding: 0, stride: 1, filter: [1, 1, 1, 1], weights: [1]) }
    #expect(throws: RuntimeError.self) { try run(padding: 1, stride: 0, filter: [1, 1, 1, 1], weights: [1]) }
    #expect(throws: RuntimeError.self) { try run(padding: 1, stride: 70_000, filter: [1, 1, 1, 1], weights: [1]) }
    #expect(throws: RuntimeError.self) {
      try run(padding: 1, stride: 1, filter: [1, 1, 1, 1], weights: [1], options: [1, 0, 0, 0, 1])
    }
    #expect(throws: RuntimeError.self) { try run(padding: 1, stride: 1, filter: [1, 1, 1, 2], weights: [1, 1]) }
  }
}
