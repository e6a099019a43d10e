import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport

/// Models for the soak test, with features that the bundled models lack.
enum SoakModels {
  static let channels = 8

  /// Returns a convolution with float16 weights, of any height and width. Its weights are converted to float32 and
  /// packed at load.
  static func convolution() throws -> Model {
    var graph = TestGraph()
    let image = graph.input(.float32, [1, 16, 16, channels])
    // From 1/16 in steps of 1/1024 of that.
    let bits = (0..<16 * 9 * channels).map { UInt16(0x2C00 + $0 % 1000) }
    let halves = graph.constant(
      try Tensor(bits, shape: Shape([bits.count])), of: .float16, shape: [16, 3, 3, channels])
    let weights = graph.tensor(.float32, [16, 3, 3, channels])
    graph.add(.dequantize, [halves], [weights])
    let bias = graph.constant([Float](repeating: 1, count: 16))
    let result = graph.output(.float32, [1, 16, 16, 16])
    graph.add(
      .conv2D, [image, weights, bias], [result],
      options: Conv2DOptions.with {
        [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1), $0.dilationWidth(1), $0.dilationHeight(1)]
      })
    return try graph.model()
  }

  /// Returns a loop whose tensor doubles its length in every round and whose counter runs from the first input to 6.
  static func growingLoop() throws -> Model {
    try loop(to: 6) { round, value in
      let result = round.tensor(.float32, [2])
      round.add(.concatenation, [value, value], [result], options: ConcatenationOptions.with { [$0.axis(0)] })
      return result
    }
  }

  /// The round at which `endlessLoop` ends.
  static let endlessRounds = Int32.max

  /// Returns a loop that takes many seconds from round 0 and no time from round `endlessRounds`.
  static func endlessLoop() throws -> Model {
    try loop(to: endlessRounds) { round, value in
      let result = round.tensor(.float32, [2])
      round.add(.sub, [value, value], [result])
      return result
    }
  }

  private static func loop(to limit: Int32, _ body: (inout TestGraph, Int) -> Int) throws -> Model {
    var condition = TestGraph()
    let count = condition.input(.int32, [1])
    _ = condition.input(.float32, [2])
    condition.add(.less, [count, condition.constant([limit])], [condition.output(.bool, [1])])
    var round = TestGraph()
    let before = round.input(.int32, [1])
    let value = round.input(.float32, [2])
    round.add(.add, [before, round.constant([Int32(1)])], [round.output(.int32, [1])])
    round.addOutput(body(&round, value))
    var graph = TestGraph()
    let inputs = [graph.input(.int32, [1]), graph.input(.float32, [2])]
    graph.add(
      .whileLoop, inputs, [graph.output(.int32, [1]), graph.output(.float32, [2])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    return try graph.model([condition, round])
  }

  /// Returns a matrix of ones whose shape is the input's values, with its row sums.
  static func shapeFromValues() throws -> Model {
    var graph = TestGraph()
    let shape = graph.input(.int32, [2])
    let ones = graph.output(.float32, [1, 1])
    graph.add(.fill, [shape, graph.constant([Float(1)], shape: [])], [ones])
    graph.add(
      .sum, [ones, graph.constant([Int32(1)])], [graph.output(.float32, [1])],
      options: ReducerOptions.with { [$0.keepDimensions(false)] })
    return try graph.model()
  }
}
