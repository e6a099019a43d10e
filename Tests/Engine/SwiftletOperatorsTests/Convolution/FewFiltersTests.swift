import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A CONV_2D with the first filters of nine. Nine filters are a product with a panel; up to eight can be dot products.
private struct FilterConvolution: Sendable, CustomTestStringConvertible {
  /// The type of activations. Weights of float32 activations are int8.
  var type = ElementType.int8
  var window = 1
  var channels = 100
  var batch = 1
  var isPerChannel = false
  var activation: Int8 = 0

  private static let filters = 9
  private static let (height, width) = (9, 7)
  private var weightsAreSigned: Bool { type != .uint8 }

  private var elements: [Int] {
    var random = SplitMix64(state: 51)
    return random.integers(batch * Self.height * Self.width * channels, in: -128...127)
  }

  var testDescription: String {
    "\(type) \(window)×\(window) \(batch)×\(channels), \(isPerChannel ? "per channel" : "per tensor"), \(activation)"
  }

  private func graph(filters: Int) -> TestGraph {
    var graph = TestGraph()
    var random = SplitMix64(state: 52)
    let depth = window * window * channels
    let weights = random.integers(Self.filters * depth, in: -128...127)
    let biases = random.integers(Self.filters, in: -3000...3000)
    let input = graph.input(type, [batch, Self.height, Self.width, channels])
    let shape = [filters, window, window, channels], own = weights[..<(filters * depth)]
    let filter =
      weightsAreSigned
      ? graph.constant(own.map { Int8($0) }, shape: shape) : graph.constant(own.map { UInt8($0 + 128) }, shape: shape)
    let output = graph.output(type, [])
    let bias: Int
    if type == .float32 {
      bias = graph.constant(biases[..<filters].map { Float($0) / 1000 })
    } else {
      bias = graph.constant(biases[..<filters].map { Int32($0) })
      graph.quantize(input, QuantizationParameters(scale: 0.02, zeroPoint: type == .int8 ? -9 : 121))
      graph.quantize(output, QuantizationParameters(scale: 3, zeroPoint: type == .int8 ? 5 : 133))
    }
    if isPerChannel {
      graph.quantize(
        filter,
        QuantizationParameters(
          scales: (0..<filters).map { 0.01 * Float($0 + 1) }, zeroPoints: (0..<filters).map { _ in 0 }, axis: 0))
    } else {
      graph.quantize(filter, QuantizationParameters(scale: 0.03, zeroPoint: weightsAreSigned ? 0 : 119))
    }
    graph.add(
      .conv2D, [input, filter, bias], [output],
      options: Conv2DOptions.with {
        [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1), $0.fusedActivation(code: activation)]
      }, version: 5)
    return graph
  }

  private func input() throws -> Tensor {
    let shape = Shape([batch, Self.height, Self.width, channels])
    switch type {
    case .int8: return try Tensor(elements.map { Int8($0) }, shape: shape)
    case .uint8: return try Tensor(elements.map { UInt8($0 + 128) }, shape: shape)
    default: return try Tensor(elements.map { Float($0) / 64 }, shape: shape)
    }
  }

  /// Returns the bytes of the first `count` channels of the result of a convolution with `filters` filters.
  func result(filters: Int, first count: Int, numerics: Numerics, threads: Int = 1) throws -> [[UInt8]] {
    let session = try graph(filters: filters).session(options: RuntimeOptions(threads: threads, numerics: numerics))
    let bytes = try session.run([try input()])[0].bytes
    let size = type == .float32 ? 4 : 1
    return stride(from: 0, to: bytes.count, by: filters * size).map { Array(bytes[$0..<$0 + count * size]) }
  }

  func implementation(filters: Int, numerics: Numerics) throws -> String {
    let model = try CompiledModel(graph(filters: filters).model(), options: RuntimeOptions(numerics: numerics))
    return model.implementations[0].implementation
  }

  static let all: [FilterConvolution] = [ElementType.int8, .uint8, .float32].flatMap { type in
    [
      FilterConvolution(type: type), FilterConvolution(type: type, window: 3, channels: 40),
      FilterConvolution(type: type, window: 2, channels: 130, batch: 2, activation: 1),
      FilterConvolution(type: type, window: 3, channels: 61, isPerChannel: type == .int8, activation: 3),
    ]
  }
}

@Suite("Few filters of bytes")
struct FewFiltersTests {
  @Test("give the same bits as among nine filters", arguments: FilterConvolution.all, Numerics.allCases)
  fileprivate func sameBits(_ convolution: FilterConvolution, numerics: Numerics) throws {
    for count in 1...8 {
      let expected = try convolution.result(filters: 9, first: count, numerics: numerics)
      for threads in [1, 2] {
        let result = try convolution.result(filters: count, first: count, numerics: numerics, threads: threads)
        #expect(result == expected, "\(count) filters, \(threads) threads")
      }
    }
  }

  @Test("are dot products if taps are long enough")
  func implementation() throws {
    func name(_ convolution: FilterConvolution, _ filters: Int, _ numerics: Numerics = .fast) throws -> String {
      String(try convolution.implementation(filters: filters, numerics: numerics).prefix { $0 != "," })
    }
    let long = FilterConvolution(channels: 1024)
    #expect(try name(long, 1) == "dot products int8 1×1")
    #expect(try name(long, 1, .bitExact) == "dot products int8 1×1")
    #expect(try name(long, 9) == "GEMM int8 1×1")
    #expect(try name(FilterConvolution(channels: 8), 1) == "GEMM int8 1×1")
    #expect(try name(FilterConvolution(window: 3, channels: 256), 1) == "indirect dot products int8 3×3")
    // Rows have their own scales in a 1×1 convolution of floats.
    #expect(try name(FilterConvolution(type: .float32, channels: 1024), 1) == "dynamic-range GEMM int8 1×1")
    let float = FilterConvolution(type: .float32, window: 3, channels: 256)
    #expect(try name(float, 1) == "dynamic-range indirect dot products int8 3×3")
    #expect(try name(float, 1, .bitExact) == "dynamic-range indirect GEMM int8 3×3")
  }
}
