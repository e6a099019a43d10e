import SwiftletKernels
import SwiftletEngine
import SwiftletOperators
import SwiftletSchema
import SwiftletTestSupport
import Testing

/// A product of a float32 input with constant weights.
struct ReducedCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var kind: BuiltinOperator = .conv2D
  var input: [Int]
  var weights: [Int]
  var bias = 0
  /// The output's shape, for operators that require it as an input.
  var outputShape: [Int32]?
  var output: [Int]
  var options: WrittenOptions
  /// Whether a PRELU with a slope per channel follows the product.
  var hasSlopes = false
  var expected = Precision.reduced

  static func convolution(
    _ name: String, _ input: [Int], _ weights: [Int], to output: [Int], same: Bool = true, stride: Int = 1,
    dilation: Int = 1,
    hasSlopes: Bool = false, expected: Precision = .reduced
  ) -> ReducedCase {
    ReducedCase(
      testDescription: name, input: input, weights: weights, bias: weights[0], output: output,
      options: Conv2DOptions.with {
        [
          $0.padding(same ? .same : .valid), $0.strideWidth(stride), $0.strideHeight(stride),
          $0.dilationWidth(dilation), $0.dilationHeight(dilation),
        ]
      }, hasSlopes: hasSlopes, expected: expected)
  }

  static let all: [ReducedCase] = [
    convolution("1×1", [2, 9, 7, 24], [40, 1, 1, 24], to: [2, 9, 7, 40]),
    convolution("1×1 with an odd depth", [1, 5, 5, 7], [3, 1, 1, 7], to: [1, 5, 5, 3]),
    convolution("1×1 with stride 2", [1, 9, 8, 16], [20, 1, 1, 16], to: [1, 5, 4, 20], stride: 2),
    convolution("3×3 with padding", [2, 9, 7, 10], [24, 3, 3, 10], to: [2, 9, 7, 24]),
    convolution("3×3 by minimal filtering", [2, 9, 7, 16], [24, 3, 3, 16], to: [2, 9, 7, 24], expected: .full),
    convolution("3×3 of three channels, stride 2", [1, 33, 35, 3], [16, 3, 3, 3], to: [1, 17, 18, 16], stride: 2),
    convolution(
      "5×5 without padding, stride 3", [2, 23, 21, 5], [9, 5, 5, 5], to: [2, 7, 6, 9], same: false, stride: 3),
    convolution("a window as wide as the image", [1, 6, 3, 4], [5, 2, 3, 4], to: [1, 5, 1, 5], same: false),
    convolution("a window as large as the image", [3, 4, 4, 6], [10, 4, 4, 6], to: [3, 1, 1, 10], same: false),
    convolution("dilated", [1, 11, 10, 6], [7, 3, 3, 6], to: [1, 11, 10, 7], dilation: 2),
    convolution("two groups", [1, 6, 5, 10], [8, 3, 3, 5], to: [1, 6, 5, 8]),
    convolution(
      "one channel, whose pairs save nothing", [1, 6, 5, 1], [8, 1, 1, 1], to: [1, 6, 5, 8], expected: .full),
    convolution(
      "many tiles and pieces before a PRELU", [1, 96, 94, 3], [32, 3, 3, 3], to: [1, 96, 94, 32], hasSlopes: true),
    convolution("1×1 before a PRELU", [2, 47, 45, 8], [12, 1, 1, 8], to: [2, 47, 45, 12], hasSlopes: true),
    ReducedCase(
      testDescription: "fully connected", kind: .fullyConnected, input: [1, 301], weights: [150, 301], bias: 150,
      output: [1, 150], options: FullyConnectedOptions.empty),
    ReducedCase(
      testDescription: "fully connected rows", kind: .fullyConnected, input: [17, 20], weights: [33, 20],
      output: [17, 33],
      options: FullyConnectedOptions.empty),
    ReducedCase(
      testDescription: "transposed convolution", kind: .transposeConv, input: [1, 7, 6, 9], weights: [5, 3, 3, 9],
      outputShape: [1, 14, 12, 5], output: [1, 14, 12, 5],
      options: TransposeConvOptions.with { [$0.padding(.same), $0.strideWidth(2), $0.strideHeight(2)] }),
    ReducedCase(
      testDescription: "products of matrices", kind: .batchMatMul, input: [3, 5, 14], weights: [3, 14, 6],
      output: [3, 5, 6],
      options: BatchMatMulOptions.empty),
  ]

  /// Returns eighths from -4 to 4, which are exact in bfloat16, and whose sums are exact in float32.
  static func exact(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(state: seed)
    return (0..<count).map { _ in Float(Int.random(in: -32...32, using: &random)) / 8 }
  }

  func run(_ precision: Precision, threads: Int = 1, values: (Int, UInt64) -> [Float]) throws -> [Float] {
    var graph = TestGraph()
    let data = graph.input(.float32, input)
    let factors = graph.constant(values(weights.reduce(1, *), 1), shape: weights)
    let offsets = bias > 0 ? graph.constant(values(bias, 2)) : nil
    let result = hasSlopes ? graph.tensor(.float32, output) : graph.output(.float32, output)
    if let outputShape {
      graph.add(kind, [graph.constant(outputShape), factors, data], [result], options: options)
    } else {
      graph.add(kind, [data, factors] + (bias > 0 ? [offsets] : []), [result], options: options)
    }
    if hasSlopes {
      let channels = output[output.count - 1]
      let slopes = graph.constant(values(channels, 3), shape: [1, 1, channels])
      graph.add(.prelu, [result, slopes], [graph.output(.float32, output)])
    }
    let compiled = try CompiledModel(graph.model(), options: RuntimeOptions(threads: threads, precision: precision))
    #expect(compiled.precision == (precision == .reduced ? expected : .full))
    let tensor = try Tensor(values(input.reduce(1, *), 4), shape: Shape(input))
    return try Session(compiled).run([tensor])[0].values(as: Float.self)
  }
}

@Suite("Reduced precision")
struct ReducedPrecisionTests {
  @Test(
    "numbers that are exact in bfloat16 give the same bits as full precision",
    .enabled(if: KernelTable.current.bfloat16 != nil, "needs a processor with products of bfloat16"),
    arguments: ReducedCase.all
  )
  func exactNumbersStayExact(_ product: ReducedCase) throws {
    let full = try product.run(.full, values: ReducedCase.exact)
    #expect(try product.run(.reduced, values: ReducedCase.exact) == full)
    #expect(full.contains { $0 != 0 })
  }

  @Test(
    "other numbers give close results, which don't depend on threads",
    .enabled(if: KernelTable.current.bfloat16 != nil, "needs a processor with products of bfloat16"),
    arguments: ReducedCase.all
  )
  func otherNumbersComeNear(_ product: ReducedCase) throws {
    func values(_ count: Int, _ seed: UInt64) -> [Float] {
      var random = SplitMix64(state: seed)
      return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }
    let full = try product.run(.full, values: values)
    let reduced = try product.run(.reduced, values: values)
    // Two roundings by at most 2^-9 each, in sums of at most 301 products.
    let largest = full.reduce(0) { max($0, abs($1)) }
    for (a, b) in zip(full, reduced) { #expect(abs(a - b) < largest / 16) }
    if product.expected == .reduced { #expect(full != reduced) }
    #expect(try product.run(.reduced, threads: 3, values: values) == reduced)
  }

  @Test("is incompatible with bit-exact numerics")
  func contradictsBitExact() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 4])
    graph.add(.relu, [data], [graph.output(.float32, [1, 4])])
    let model = try graph.model()
    let error = #expect(throws: RuntimeError.self) {
      try CompiledModel(model, options: RuntimeOptions(numerics: .bitExact, precision: .reduced))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("is full precision if no operator can reduce it")
  func nothingToReduce() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 4])
    graph.add(.relu, [data], [graph.output(.float32, [1, 4])])
    #expect(try CompiledModel(graph.model(), options: RuntimeOptions(precision: .reduced)).precision == .full)
  }
}
