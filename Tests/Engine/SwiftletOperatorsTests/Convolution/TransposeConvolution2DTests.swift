import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private struct TransposedConvolution {
  var input = [1, 2, 2, 1]
  var filter = [1, 2, 2, 1]
  var output: [Int32] = [1, 4, 4, 1]
  var strides: (height: Int32, width: Int32) = (2, 2)
  var same = true
  var bias: [Float]?
  var isShapeComputed = false

  func run(_ values: [Float], weights: [Float]) throws -> Tensor {
    var graph = TestGraph()
    let shape = isShapeComputed ? graph.input(.int32, [4]) : graph.constant(output)
    let data = graph.input(.float32, input)
    let weights = graph.constant(weights, shape: filter)
    let offset = bias.map { graph.constant($0) }
    let result = graph.output(.float32, [])
    graph.add(
      .transposeConv, [shape, weights, data] + (offset.map { [$0] } ?? []), [result],
      options: TransposeConvOptions.with {
        [$0.padding(same ? .same : .valid), $0.strideWidth(strides.width), $0.strideHeight(strides.height)]
      }, version: 3)
    let image = try Tensor(values, shape: Shape(input))
    return try graph.session().run(isShapeComputed ? [try Tensor(output, shape: [4]), image] : [image])[0]
  }
}

@Suite("TRANSPOSE_CONV")
struct TransposeConvolution2DTests {
  @Test("adds the filter for every input pixel")
  func addsFilters() throws {
    let result = try TransposedConvolution().run([1, 2, 3, 4], weights: [1, 10, 100, 1000])
    #expect(
      try result.values(as: Float.self) == [
        1, 10, 2, 20, 100, 1000, 200, 2000, 3, 30, 4, 40, 300, 3000, 400, 4000,
      ])
  }

  @Test("adds up overlapping filters, and crops terms outside")
  func overlaps() throws {
    var convolution = TransposedConvolution(filter: [1, 3, 3, 1], output: [1, 2, 2, 1], strides: (1, 1), bias: [0.5])
    let ones = [Float](repeating: 1, count: 9)
    #expect(try convolution.run([1, 2, 3, 4], weights: ones).values(as: Float.self) == [10.5, 10.5, 10.5, 10.5])
    convolution.same = false
    convolution.output = [1, 4, 4, 1]
    let result = try convolution.run([1, 2, 3, 4], weights: ones)
    #expect(
      try result.values(as: Float.self).map { $0 - 0.5 } == [1, 3, 3, 2, 4, 10, 10, 6, 4, 10, 10, 6, 3, 7, 7, 4])
  }

  @Test("writes the bias to positions that no filter covers")
  func leavesBias() throws {
    let convolution = TransposedConvolution(
      filter: [1, 1, 1, 1], output: [1, 5, 6, 1], strides: (3, 3), same: false, bias: [7])
    let values = try convolution.run([1, 2, 3, 4], weights: [10]).values(as: Float.self)
    var expected = [Float](repeating: 7, count: 30)
    for (position, value) in [(0, 10), (3, 20), (18, 30), (21, 40)] { expected[position] += Float(value) }
    #expect(values == expected)
  }

  @Test("accepts an output shape that is computed in the run")
  func takesComputedShape() throws {
    let convolution = TransposedConvolution(isShapeComputed: true)
    #expect(try convolution.run([1, 2, 3, 4], weights: [1, 1, 1, 1]).shape == [1, 4, 4, 1])
  }

  @Test("rejects inconsistent output shapes")
  func refusesShapes() {
    func refuses(_ output: [Int32], strides: (height: Int32, width: Int32) = (2, 2)) {
      let convolution = TransposedConvolution(output: output, strides: strides)
      #expect(throws: RuntimeError.self) { try convolution.run([1, 2, 3, 4], weights: [1, 1, 1, 1]) }
    }
    refuses([2, 4, 4, 1])
    refuses([1, 4, 4, 2])
    refuses([1, 0, 4, 1])
    refuses([1, -4, 4, 1])
    refuses([1, 4, 4])
    refuses([1, 4, 4, 1], strides: (0, 2))
    refuses([1, .max, .max, 1])
    refuses([1, 10_000, 10_000, 1], strides: (10_000, 10_000))
  }

  @Test("adds the filter for every input position in three dimensions")
  func addsBoxes() throws {
    var graph = TestGraph()
    let shape = graph.constant([Int32(1), 2, 2, 4, 1])
    let data = graph.input(.float32, [1, 1, 1, 2, 2])
    let weights = graph.constant((1...16).map { Float($0) }, shape: [2, 2, 2, 1, 2])
    let result = graph.output(.float32, [])
    graph.add(
      .conv3DTranspose, [shape, weights, data], [result],
      options: Conv3DOptions.with { [$0.padding(.valid), $0.strideDepth(2), $0.strideWidth(2), $0.strideHeight(2)] })
    let output = try graph.session().run([try Tensor([Float(1), 0, 0, 1], shape: [1, 1, 1, 2, 2])])[0]
    #expect(try output.values(as: Float.self) == [1, 3, 2, 4, 5, 7, 6, 8, 9, 11, 10, 12, 13, 15, 14, 16])
  }
}
