import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("CONV_3D")
struct Convolution3DTests {
  private func convolve(
    _ input: [Int], filter: [Int], same: Bool = false, strides: [Int32] = [1, 1, 1], bias: [Float]? = nil
  ) throws -> Tensor {
    var graph = TestGraph()
    let data = graph.input(.float32, input)
    let weights = graph.constant([Float](repeating: 1, count: filter.reduce(1, *)), shape: filter)
    let offset = bias.map { graph.constant($0) }
    let result = graph.output(.float32, [])
    graph.add(
      .conv3D, [data, weights] + (offset.map { [$0] } ?? []), [result],
      options: Conv3DOptions.with {
        [
          $0.padding(same ? .same : .valid), $0.strideDepth(strides[0]), $0.strideWidth(strides[2]),
          $0.strideHeight(strides[1]),
        ]
      })
    let values = (0..<input.reduce(1, *)).map { Float($0) }
    return try graph.session().run([try Tensor(values, shape: Shape(input))])[0]
  }

  @Test("sums over volumes")
  func sumsBoxes() throws {
    let result = try convolve([1, 2, 2, 3, 1], filter: [2, 2, 2, 1, 1], bias: [0.5])
    #expect(result.shape == [1, 1, 1, 2, 1])
    #expect(try result.values(as: Float.self) == [40.5, 48.5])
  }

  @Test("pads and strides along every axis")
  func padsAndStrides() throws {
    let result = try convolve([1, 3, 2, 2, 1], filter: [3, 1, 1, 1, 2], same: true, strides: [2, 1, 2])
    #expect(result.shape == [1, 2, 2, 1, 2])
    #expect(try result.values(as: Float.self) == [4, 4, 8, 8, 12, 12, 16, 16])
  }

  @Test("rejects inconsistent filters")
  func refusesFilters() {
    #expect(throws: RuntimeError.self) { try convolve([1, 2, 2, 3, 2], filter: [2, 2, 2, 1, 1]) }
    #expect(throws: RuntimeError.self) { try convolve([1, 2, 2, 3, 1], filter: [2, 2, 1, 1]) }
    #expect(throws: RuntimeError.self) { try convolve([1, 2, 2, 3, 1], filter: [4, 2, 2, 1, 1]) }
    #expect(throws: RuntimeError.self) { try convolve([1, 2, 2, 3, 1], filter: [1, 1, 1, 1, 1], strides: [1, 0, 1]) }
    #expect(throws: RuntimeError.self) { try convolve([1, 2, 2, 3, 1], filter: [1, 1, 1, 1, 1], bias: [1, 2]) }
  }
}
