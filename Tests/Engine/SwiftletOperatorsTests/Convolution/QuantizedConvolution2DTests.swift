import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A 1×1 CONV_2D of int8 values.
private struct CodeConvolution {
  var input: (scale: Float, zeroPoint: Int32) = (0.5, 3)
  var weights = QuantizationParameters(scales: [0.25, 0.5], zeroPoints: [0, 0], axis: 0)
  var output: (scale: Float, zeroPoint: Int32) = (0.125, -1)
  var biasType = ElementType.int32
  var activation: Int8 = 0
  var numerics = Numerics.bitExact

  func run(_ codes: [Int8]) throws -> [Int8] {
    var graph = TestGraph()
    let data = graph.input(.int8, [1, 1, codes.count / 2, 2], scale: input.scale, zeroPoint: input.zeroPoint)
    let filter = graph.constant([Int8(1), 2, -3, 4], shape: [2, 1, 1, 2])
    graph.quantize(filter, weights)
    let bias = biasType == .int32 ? graph.constant([Int32(8), -8]) : graph.constant([Int64(8), -8])
    let result = graph.output(.int8, [], scale: output.scale, zeroPoint: output.zeroPoint)
    graph.add(
      .conv2D, [data, filter, bias], [result],
      options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1), $0.fusedActivation(code: activation)] },
      version: 3)
    let tensor = try Tensor(codes, shape: [1, 1, codes.count / 2, 2])
    return try graph.session(options: RuntimeOptions(numerics: numerics)).run([tensor])[0].values()
  }
}

@Suite("Quantized CONV_2D")
struct QuantizedConvolution2DTests {
  @Test("requantizes per channel, rounding half away from zero", arguments: Numerics.allCases)
  func rescales(numerics: Numerics) throws {
    // The sums are (x₀ − 3) + 2 (x₁ − 3) + 8 and −3 (x₀ − 3) + 4 (x₁ − 3) − 8; the factors are 1 and 2.
    let result = try CodeConvolution(numerics: numerics).run([3, 3, 13, 8, -5, 0])
    #expect(result == [7, -17, 27, -37, -7, 7])
  }

  @Test("saturates at the quantized range and the activation bounds", arguments: Numerics.allCases)
  func saturates(numerics: Numerics) throws {
    #expect(try CodeConvolution(numerics: numerics).run([127, 127, -128, -128]) == [127, 127, -128, -128])
    // ReLU6: real 0 is the quantized value −1, real 6 is 47.
    #expect(
      try CodeConvolution(activation: 3, numerics: numerics).run([127, 127, -128, -128]) == [47, 47, -1, -1])
  }

  @Test("rejects parameters that are inconsistent with the weights")
  func refusesParameters() {
    func refuses(_ change: (inout CodeConvolution) -> Void) {
      var convolution = CodeConvolution()
      change(&convolution)
      #expect(throws: (any Error).self) { try convolution.run([0, 0]) }
    }
    refuses { $0.weights = QuantizationParameters(scales: [0.25, 0.5], zeroPoints: [0, 0], axis: 3) }
    refuses { $0.weights = QuantizationParameters(scales: [0.25, 0.5, 1], zeroPoints: [0, 0, 0], axis: 0) }
    refuses { $0.weights = QuantizationParameters(scales: [0.25, 0.5], zeroPoints: [0, 1], axis: 0) }
    refuses { $0.output.scale = 0 }
    refuses { $0.input.scale = 0 }
    refuses { $0.biasType = .int64 }
  }

  /// In bit-exact numerics, weights are packed without factors. Reading one per filter anyway would be 4 MB beyond an
  /// empty array.
  @Test("supports a million filters in bit-exact numerics")
  func manyFilters() throws {
    let filters = 1 << 20
    var graph = TestGraph()
    let input = graph.input(.int8, [1, 1, 1, 1], scale: 0.5, zeroPoint: 0)
    let weights = (0..<filters).map { Int8(truncatingIfNeeded: $0) }
    let filter = graph.constant(weights, shape: [filters, 1, 1, 1], scale: 1)
    let bias = graph.constant([Int32](repeating: 0, count: filters))
    let result = graph.output(.int8, [], scale: 0.5, zeroPoint: 0)
    graph.add(
      .conv2D, [input, filter, bias], [result],
      options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] },
      version: 3)
    let session = try graph.session(options: RuntimeOptions(numerics: .bitExact))
    #expect(try session.run([try Tensor([Int8(1)], shape: [1, 1, 1, 1])])[0].values() == weights)
  }

  @Test("never traps on extreme factors")
  func survivesExtremeFactors() throws {
    var convolution = CodeConvolution()
    convolution.output.scale = .leastNonzeroMagnitude
    _ = try convolution.run([127, 127])
    convolution.output.scale = .greatestFiniteMagnitude
    #expect(try convolution.run([127, 127]) == [-1, -1])
    convolution.input.scale = .greatestFiniteMagnitude
    convolution.output.scale = 1e-30
    _ = try convolution.run([127, -128])
    convolution.numerics = .fast
    _ = try convolution.run([127, -128])
  }

  @Test(
    "quantizes float activations of integer weights per image, or per pixel like XNNPACK",
    arguments: [Numerics.bitExact, .fast])
  func quantizesActivations(numerics: Numerics) throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2, 1, 2, 1])
    let filter = graph.constant([Int8(100), -50], shape: [2, 1, 1, 1], scale: 0.01)
    let bias = graph.constant([Float(1), 0])
    let result = graph.output(.float32, [])
    graph.add(
      .conv2D, [data, filter, bias], [result], options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] },
      version: 2)
    let session = try graph.session(options: RuntimeOptions(numerics: numerics))
    let output = try session.run([try Tensor([Float(127), 63.4, 1.27, 0], shape: [2, 1, 2, 1])])[0]
    let second: [Float] = numerics == .fast ? [64.4, -31.7] : [64, -31.5]
    let expected = [128, -63.5] + second + [2.27, -0.635, 1, 0]
    for (value, wanted) in zip(try output.values(as: Float.self), expected) { #expect(abs(value - wanted) < 1e-4) }
  }

  @Test(
    "survives infinite and NaN activations", arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
  func survivesInfinity(value: Float) throws {
    for scales in [[Float(0.01), 0.01], [0.01, 0.02]] {
      var graph = TestGraph()
      let data = graph.input(.float32, [1, 1, 2, 1])
      let filter = graph.constant([Int8(100), -50], shape: [2, 1, 1, 1])
      graph.quantize(filter, QuantizationParameters(scales: scales, zeroPoints: [0, 0], axis: 0))
      let bias = graph.constant([Float(1), 0])
      let result = graph.output(.float32, [])
      graph.add(
        .conv2D, [data, filter, bias], [result],
        options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] }, version: 5)
      #expect(try graph.session().run([try Tensor([value, 1], shape: [1, 1, 2, 1])])[0].shape == [1, 1, 2, 2])
    }
  }
}
