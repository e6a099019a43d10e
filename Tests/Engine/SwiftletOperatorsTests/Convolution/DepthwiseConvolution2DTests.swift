import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func depthwise(
  _ values: [Float], input: [Int], weights: [Float], filter: [Int], bias: [Float]? = nil, same: Bool = true,
  strides: (Int32, Int32) = (1, 1), dilations: (Int32, Int32) = (1, 1), multiplier: Int32 = 1, threads: Int = 1
) throws -> Tensor {
  var graph = TestGraph()
  let data = graph.input(.float32, input)
  let weights = graph.constant(weights, shape: filter)
  let offset = bias.map { graph.constant($0) }
  let result = graph.output(.float32, [])
  graph.add(
    .depthwiseConv2D, [data, weights] + (offset.map { [$0] } ?? []), [result],
    options: DepthwiseConv2DOptions.with {
      [
        $0.padding(same ? .same : .valid), $0.strideWidth(strides.1), $0.strideHeight(strides.0),
        $0.depthMultiplier(multiplier), $0.dilationWidth(dilations.1), $0.dilationHeight(dilations.0),
      ]
    }, version: 2)
  return try graph.session(options: RuntimeOptions(threads: threads)).run([try Tensor(values, shape: Shape(input))])[0]
}

@Suite("DEPTHWISE_CONV_2D")
struct DepthwiseConvolution2DTests {
  @Test("keeps channels separate")
  func keepsChannelsApart() throws {
    let result = try depthwise(
      [1, 10, 2, 20, 3, 30, 4, 40], input: [1, 2, 2, 2], weights: [1, 1, 2, 2, 3, 3, 4, 4], filter: [1, 2, 2, 2],
      bias: [0.5, -0.5], same: false)
    #expect(result.shape == [1, 1, 1, 2])
    #expect(try result.values(as: Float.self) == [30.5, 299.5])
  }

  @Test("applies several filters per channel, regardless of the option")
  func multipliesChannels() throws {
    let result = try depthwise(
      [1, 2, 3, 4], input: [1, 1, 2, 2], weights: [1, 10, 100, 1000], filter: [1, 1, 1, 4], multiplier: 7)
    #expect(try result.values(as: Float.self) == [1, 10, 200, 2000, 3, 30, 400, 4000])
  }

  @Test("pads with zeros, strides and dilates")
  func movesWindow() throws {
    let image = (1...9).map { Float($0) }
    let ones = [Float](repeating: 1, count: 9)
    let result = try depthwise(image, input: [1, 3, 3, 1], weights: ones, filter: [1, 3, 3, 1], strides: (2, 2))
    #expect(try result.values(as: Float.self) == [12, 16, 24, 28])
    let dilated = try depthwise(image, input: [1, 3, 3, 1], weights: ones, filter: [1, 3, 3, 1], dilations: (2, 2))
    #expect(try dilated.values(as: Float.self) == [20, 10, 20, 10, 5, 10, 20, 10, 20])
  }

  @Test("accepts quantized windows far wider than the image", arguments: [(1, 1), (3, 2)])
  func takesWideWindows(stride: Int, dilation: Int) throws {
    // Wider than int8 kernels support; distinct weights reveal the position of a window.
    let (width, window, channels) = (7, 1101, 2)
    let codes = (0..<2 * width * channels).map { Int8($0 * 5 % 13 - 6) }
    let weights = (0..<window * channels).map { Int8($0 % 11 - 5) }
    var graph = TestGraph()
    let data = graph.input(.int8, [1, 2, width, channels], scale: 1)
    let result = graph.output(.int8, [], scale: 64)
    graph.add(
      .depthwiseConv2D, [data, graph.constant(weights, shape: [1, 1, window, channels], scale: 1)], [result],
      options: DepthwiseConv2DOptions.with {
        [
          $0.padding(.same), $0.strideWidth(stride), $0.strideHeight(1), $0.depthMultiplier(1),
          $0.dilationWidth(dilation), $0.dilationHeight(1),
        ]
      }, version: 2)
    let tensor = try graph.session(options: RuntimeOptions(numerics: .bitExact)).run([
      try Tensor(codes, shape: [1, 2, width, channels])
    ])[0]
    let outputs = (width + stride - 1) / stride
    let before = max(0, (outputs - 1) * stride + (window - 1) * dilation + 1 - width) / 2
    var expected: [Int8] = []
    for row in 0..<2 {
      for output in 0..<outputs {
        for channel in 0..<channels {
          var sum = 0
          for tap in 0..<window {
            let x = output * stride - before + tap * dilation
            guard (0..<width).contains(x) else { continue }
            sum += Int(codes[(row * width + x) * channels + channel]) * Int(weights[tap * channels + channel])
          }
          expected.append(Int8(clamping: Int((Double(sum) / 64).rounded(.toNearestOrAwayFromZero))))
        }
      }
    }
    #expect(try tensor.values() == expected)
  }

  @Test("accepts weights with any value and zero point", arguments: [0, 1, 128, 255], bothNumerics)
  func takesEveryWeight(zeroPoint: Int32, run: RuntimeOptions) throws {
    let channels = 5, codes = (0..<4 * 4 * channels).map { UInt8($0 * 37 % 256) }
    let weights: [UInt8] = (0..<9 * channels).map { [0, 255, 128, 1, 254][$0 * 7 % 5] }
    let input = try Operand.input(codes, [1, 4, 4, channels], scale: 0.5, zeroPoint: 100)
    let filter = Operand.constant(weights, [1, 3, 3, channels], scale: 0.5, zeroPoint: zeroPoint)
    let result = try evaluate(
      .depthwiseConv2D, [input, filter], to: .uint8, TestQuantization(scale: 256, zeroPoint: 128),
      options: DepthwiseConv2DOptions.with {
        [$0.padding(.valid), $0.strideWidth(1), $0.strideHeight(1), $0.depthMultiplier(1)]
      }, run: run)
    let expected = (0..<4 * channels).map { index -> UInt8 in
      let (row, column, channel) = (index / channels / 2, index / channels % 2, index % channels)
      var sum = 0
      for tap in 0..<9 {
        let pixel = (row + tap / 3) * 4 + column + tap % 3
        let weight = Int(weights[tap * channels + channel]) - Int(zeroPoint)
        sum += (Int(codes[pixel * channels + channel]) - 100) * weight
      }
      return UInt8(clamping: Int((Double(sum) / 1024).rounded(.toNearestOrAwayFromZero)) + 128)
    }
    #expect(try result.values() == expected)
  }

  @Test("gives the same bytes for any number of threads")
  func isDeterministic() throws {
    var random = SplitMix64(state: 3)
    let values = (0..<2 * 40 * 30 * 17).map { _ in Float.random(in: -1...1, using: &random) }
    let weights = (0..<9 * 17).map { _ in Float.random(in: -1...1, using: &random) }
    func run(_ threads: Int) throws -> Tensor {
      try depthwise(values, input: [2, 40, 30, 17], weights: weights, filter: [1, 3, 3, 17], threads: threads)
    }
    #expect(try run(1).bytes == run(3).bytes)
  }

  @Test("rejects filters that are inconsistent with the channels")
  func refusesFilters() {
    func refuses(_ filter: [Int], bias: [Float]? = nil) {
      #expect(throws: RuntimeError.self) {
        try depthwise(
          [Float](repeating: 0, count: 12), input: [1, 2, 2, 3],
          weights: [Float](repeating: 0, count: filter.reduce(1, *)), filter: filter, bias: bias)
      }
    }
    refuses([1, 2, 2, 4])
    refuses([2, 2, 2, 3])
    refuses([1, 2, 3])
    refuses([1, 2, 2, 3], bias: [0, 0])
    refuses([1, 0, 2, 3])
  }
}
