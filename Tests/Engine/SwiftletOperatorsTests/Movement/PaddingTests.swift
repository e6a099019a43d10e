import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Padding")
struct PaddingTests {
  private func pad(_ values: [Float], _ shape: [Int], _ paddings: [Int32]) throws -> Tensor {
    try SingleNode(
      .pad, [.input(values, shape), .constant(paddings, [paddings.count / 2, 2])], gives: [.float32])()
  }

  @Test(
    "puts zeros around every axis",
    arguments: [
      ([1, 2, 3, 4], [2, 2], [1, 0, 0, 1], [0, 0, 0, 1, 2, 0, 3, 4, 0], [3, 3]),
      ([1, 2], [2], [0, 0], [1, 2], [2]),
      ([7], [], [], [7], []),
      ([1, 2, 3, 4], [1, 2, 2], [0, 0, 0, 1, 0, 0], [1, 2, 3, 4, 0, 0], [1, 3, 2]),
    ] as [([Float], [Int], [Int32], [Float], [Int])])
  func padsWithZeros(values: [Float], shape: [Int], paddings: [Int32], expected: [Float], size: [Int]) throws {
    let result = try pad(values, shape, paddings)
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == size)
  }

  @Test(
    "places every element of long and short rows correctly",
    arguments: [
      ([2, 3, 5], [1, 0, 0, 2, 3, 1]), ([2, 3, 100], [0, 1, 2, 0, 0, 7]), ([3, 4, 100], [0, 0, -1, -1, 5, 0]),
      ([3, 4, 2], [2, 0, -2, 3, 0, 0]), ([2, 2, 3], [-1, 1, 0, 0, -1, 2]), ([4, 3, 2], [0, 0, 0, 0, 0, 3]),
    ] as [([Int], [Int32])])
  func putsElementsInPlace(shape: [Int], paddings: [Int32]) throws {
    let values = (1...shape.reduce(1, *)).map { Float($0) }
    let before = [0, 2, 4].map { Int(paddings[$0]) }
    let size = (0..<3).map { shape[$0] + Int(paddings[2 * $0]) + Int(paddings[2 * $0 + 1]) }
    var expected: [Float] = []
    for x in 0..<size[0] {
      for y in 0..<size[1] {
        for z in 0..<size[2] {
          let place = [x - before[0], y - before[1], z - before[2]]
          let isInside = (0..<3).allSatisfy { (0..<shape[$0]).contains(place[$0]) }
          expected.append(isInside ? values[(place[0] * shape[1] + place[1]) * shape[2] + place[2]] : 0)
        }
      }
    }
    let result = try pad(values, shape, paddings)
    #expect(try result.values() == expected)
    #expect(result.shape.dimensions == size)
  }

  @Test("pads an empty input")
  func padsNothing() throws {
    let result = try pad([], [0, 2], [1, 1, 0, 1])
    #expect(result.shape == [2, 3])
    #expect(try result.values() == [Float](repeating: 0, count: 6))
  }

  @Test(
    "crops if a padding is negative",
    arguments: [
      ([-1, 0], [2, 3]), ([0, -2], [1]), ([-1, 2], [2, 3, 0, 0]), ([2, -1], [0, 0, 1, 2]), ([-3, 2], [0, 0]),
      ([3, -5], [0]),
    ] as [([Int32], [Float])])
  func crops(paddings: [Int32], expected: [Float]) throws {
    #expect(try pad([1, 2, 3], [3], paddings).values() == expected)
  }

  @Test("fills quantized tensors with their zero point, and others with the given value")
  func fillsWithValue() throws {
    let quantized = SingleNode(
      .pad, [try .input([Int8(5)], [1], scale: 0.5, zeroPoint: -3), .constant([Int32(1), 1], [1, 2])], gives: [.int8],
      scale: 0.5, zeroPoint: -3)
    #expect(try quantized().values() == [Int8(-3), 5, -3])
    let valued = SingleNode(
      .padV2, [try .input([Int64(5)], [1]), .constant([Int32(1), 2], [1, 2]), try .input([Int64(-9)], [])],
      gives: [.int64])
    #expect(try valued().values() == [Int64(-9), 5, -9, -9])
  }

  @Test("accepts paddings that are computed in the run")
  func takesComputedPaddings() throws {
    let node = SingleNode(.pad, [try .input([Float(1)], [1]), try .input([Int32(2), 0], [1, 2])], gives: [.float32])
    #expect(try node().values() == [Float(0), 0, 1])
  }

  @Test(
    "mirrors with and without the border",
    arguments: [
      (0, [3, 2, 1, 2, 3, 2]), (1, [2, 1, 1, 2, 3, 3]),
    ] as [(Int8, [Float])])
  func mirrors(mode: Int8, expected: [Float]) throws {
    let node = SingleNode(
      .mirrorPad, [try .input([Float(1), 2, 3]), .constant([Int32(2), 1], [1, 2])], gives: [.float32],
      options: MirrorPadOptions.with { [$0.mode(code: mode)] })
    #expect(try node().values() == expected)
  }

  @Test(
    "rejects inconsistent paddings",
    arguments: [
      (BuiltinOperator.pad, [Int32(1), 1, 1, 1], [2, 2]), (.pad, [1, 1], [2]), (.pad, [-2, -2], [1, 2]),
      (.pad, [.max, .max], [1, 2]), (.mirrorPad, [3, 0], [1, 2]), (.mirrorPad, [-1, 0], [1, 2]),
    ])
  func refuses(kind: BuiltinOperator, paddings: [Int32], shape: [Int]) throws {
    let node = SingleNode(kind, [try .input([Float(1), 2, 3]), .constant(paddings, shape)], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "fuses zero padding of height and width into a convolution, and no other padding",
    arguments: [
      ([0, 0, 1, 2, 3, 4, 0, 0], ExplicitPadding(top: 1, bottom: 2, left: 3, right: 4)),
      ([1, 0, 1, 2, 3, 4, 0, 0], nil), ([0, 0, 1, 2, 3, 4, 0, 1], nil), ([0, 0, -1, 2, 3, 4, 0, 0], nil),
    ] as [([Int32], ExplicitPadding?)])
  func folds(paddings: [Int32], expected: ExplicitPadding?) throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 4, 4, 2])
    let amounts = graph.constant(paddings, shape: [4, 2])
    let output = graph.output(.float32, [])
    graph.add(.pad, [data, amounts], [output])
    let built = try GraphBuilder.build(
      try graph.model().file, subgraph: 0, options: RuntimeOptions(), operators: OperatorCatalog.type(for:))
    let node = built.nodes[0]
    let padding = try #require(node.operation.fusion.padding)
    #expect(try padding.foldablePadding(NodeView(node: node, values: ValueTable(built.values))) == expected)
  }

  @Test(
    "crops everything and fills, however far both paddings go beyond the axis",
    arguments: [
      ([Int64.min / 2 + 1, Int64.max / 2], [Float](repeating: 0, count: 3)), ([-(1 << 62) - 1, 1 << 62], [0, 0]),
      ([1 << 62, -(1 << 62)], [0, 0, 0]), ([-1, 1], [2, 3, 0]), ([-3, 2], [0, 0]), ([2, -4], [0]), ([-4, 2], [0]),
    ] as [([Int64], [Float])])
  func cropsFar(paddings: [Int64], expected: [Float]) throws {
    // A second axis that is merged with the first, for byte types.
    let node = SingleNode(
      .pad, [try .input([Float(1), 1, 2, 2, 3, 3], [3, 2]), .constant(paddings + [0, 0], [2, 2])], gives: [.float32])
    #expect(try node().values() == expected.flatMap { [$0, $0] })
  }

  @Test("mirrors any number of axes", arguments: [0, 1], [0, 1, 2, 3])
  func mirrorsManyAxes(mode: Int8, seed: Int) throws {
    let shapes = [[2, 3, 4], [3, 2, 2, 5], [2, 2, 2, 2, 3], [3, 4, 1 + Int(mode), 2]]
    let shape = shapes[seed], offset = mode == 0 ? 1 : 0
    let pads = shape.enumerated().map { axis, size in
      (before: (axis + seed) % (size - offset + 1), after: size - offset)
    }
    let count = Shape(shape).elementCount
    let node = SingleNode(
      .mirrorPad,
      [
        try .input((0..<count).map { Int16($0) }, shape),
        .constant(pads.flatMap { [Int32($0.before), Int32($0.after)] }, [shape.count, 2]),
      ],
      gives: [.int16], options: MirrorPadOptions.with { [$0.mode(code: mode)] })
    let result = try node()
    let padded = zip(shape, pads).map { $0 + $1.before + $1.after }
    #expect(result.shape == Shape(padded))
    let strides = Shape(shape).strides, paddedStrides = Shape(padded).strides
    let expected = (0..<Shape(padded).elementCount).map { position in
      Int16(
        shape.indices.reduce(0) { sum, axis in
          let step = position / paddedStrides[axis] % padded[axis] - pads[axis].before
          let size = shape[axis]
          let source = step < 0 ? -step - 1 + offset : step < size ? step : 2 * size - 1 - offset - step
          return sum + source * strides[axis]
        })
    }
    #expect(try result.values() == expected)
  }

  @Test("isn't fused into a convolution if it pads a variable, which may change before the convolution runs")
  func leavesVariables() throws {
    for isVariable in [false, true] {
      var graph = TestGraph()
      let data = isVariable ? graph.variable(.float32, [1, 4, 4, 2]) : graph.input(.float32, [1, 4, 4, 2])
      let padded = graph.tensor(.float32, [1, 6, 6, 2])
      graph.add(.pad, [data, graph.constant([Int32(0), 0, 1, 1, 1, 1, 0, 0], shape: [4, 2])], [padded])
      let weights = graph.constant([Float](repeating: 1, count: 36), shape: [2, 3, 3, 2])
      graph.add(
        .conv2D, [padded, weights, nil], [graph.output(.float32, [])],
        options: Conv2DOptions.with { [$0.padding(.valid), $0.strideWidth(1), $0.strideHeight(1)] })
      let names = try CompiledModel(try graph.model()).operatorNames
      #expect(names == (isVariable ? ["PAD", "CONV_2D"] : ["CONV_2D"]))
    }
  }
}
