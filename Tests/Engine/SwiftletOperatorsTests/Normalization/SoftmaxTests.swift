import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func normalize<Scalar: TensorScalar>(
  _ kind: BuiltinOperator, _ values: [Scalar], shape: [Int], options: WrittenOptions? = nil,
  input: (scale: Float, zeroPoint: Int32)? = nil, output: (scale: Float, zeroPoint: Int32)? = nil
) throws -> Tensor {
  var graph = TestGraph()
  let data = graph.input(Scalar.elementType, shape, scale: input?.scale, zeroPoint: input?.zeroPoint ?? 0)
  let result = graph.output(Scalar.elementType, [], scale: output?.scale, zeroPoint: output?.zeroPoint ?? 0)
  graph.add(kind, [data], [result], options: options)
  return try graph.session().run([try Tensor(values, shape: Shape(shape))])[0]
}

private func softmax(_ values: [Float], shape: [Int], beta: Float = 1) throws -> [Float] {
  try normalize(.softmax, values, shape: shape, options: SoftmaxOptions.with { [$0.beta(beta)] }).values()
}

@Suite("SOFTMAX and its relatives")
struct SoftmaxTests {
  @Test("normalizes every row to a sum of one")
  func givesShares() throws {
    let shares = try softmax([0, 0, 0, 0, 1, 2, 3, 4], shape: [2, 4])
    #expect(shares[..<4].allSatisfy { $0 == 0.25 })
    #expect(abs(shares[4...].reduce(0, +) - 1) < 1e-6)
    #expect(abs(shares[7] - 0.643_914_26) < 1e-6)
    #expect(try softmax([1, 2], shape: [2], beta: 0) == [0.5, 0.5])
  }

  @Test("does not overflow")
  func doesNotOverflow() throws {
    #expect(try softmax([1e38, -1e38, 0], shape: [3]) == [1, 0, 0])
    #expect(try softmax([-1000, -1000], shape: [1, 2]) == [0.5, 0.5])
    #expect(try softmax([7], shape: [1]) == [1])
    #expect(try softmax([], shape: [3, 0]) == [])
  }

  @Test("returns quantized values for quantized values")
  func givesCodes() throws {
    let codes = try normalize(
      .softmax, [Int8(10), 10, 10, 10, 127, -128, -128, -128], shape: [2, 4],
      options: SoftmaxOptions.with { [$0.beta(1)] },
      input: (0.5, 0),
      output: (1 / 256, -128))
    #expect(try codes.values(as: Int8.self) == [-64, -64, -64, -64, 127, -128, -128, -128])
    let words = try normalize(
      .softmax, [Int16(100), 100], shape: [1, 2], options: SoftmaxOptions.with { [$0.beta(1)] }, input: (0.001, 0),
      output: (1 / 32768, 0))
    #expect(try words.values(as: Int16.self).allSatisfy { abs($0 - 16384) <= 2 })
  }

  @Test(
    "long rows of 8-bit values have the shares of the definition", arguments: [64, 65, 1001], [Float(0.02), 0.1, 1])
  func longRows(count: Int, scale: Float) throws {
    let values = (0..<count).map { Int8(truncatingIfNeeded: 73 * $0 + 11) }
    let codes: [Int8] = try normalize(
      .softmax, values, shape: [1, count], options: SoftmaxOptions.with { [$0.beta(1)] }, input: (scale, 0),
      output: (1 / 256, -128)
    ).values()
    let terms = values.map { exp(Double(scale) * (Double($0) - Double(values.max() ?? 0))) }
    let sum = terms.reduce(0, +)
    for (term, code) in zip(terms, codes) {
      #expect(abs(Double(code) + 128 - min(255, 256 * term / sum)) < 0.51, "\(term / sum)")
    }
  }

  @Test("exponentials below the normal range are zero, and numbers that aren't stay so", arguments: [3, 8, 40])
  func rangeOfExponentials(count: Int) throws {
    func shares(_ value: Float) throws -> [Float] {
      try softmax([value] + [Float](repeating: 0, count: count - 1), shape: [1, count])
    }
    #expect(try shares(-.infinity)[0] == 0)
    #expect(try shares(-1e9)[0] == 0)
    #expect(try shares(-104)[0] < 1e-44)
    let small = Double(try shares(-87)[0]) * Double(count - 1)
    #expect(abs(small / exp(-87) - 1) < 1e-5)
    #expect(try shares(.nan).contains { $0.isNaN })
  }

  @Test("rejects unsupported output scales, and scalars")
  func refusesScales() {
    #expect(throws: RuntimeError.self) {
      try normalize(
        .softmax, [Int8(1)], shape: [1], options: SoftmaxOptions.with { [$0.beta(1)] }, input: (0.5, 0),
        output: (1 / 128, -128))
    }
    #expect(throws: RuntimeError.self) {
      try normalize(
        .softmax, [Int8(1)], shape: [1], options: SoftmaxOptions.with { [$0.beta(0)] }, input: (0.5, 0),
        output: (1 / 256, -128))
    }
    #expect(throws: RuntimeError.self) { try softmax([1], shape: []) }
    #expect(throws: RuntimeError.self) {
      try normalize(.logSoftmax, [Int8(1)], shape: [1], input: (0.5, 0), output: (1 / 16, 0))
    }
    #expect(throws: RuntimeError.self) {
      try normalize(.l2Normalization, [UInt8(1)], shape: [1], input: (0.5, 0), output: (1 / 128, 0))
    }
  }

  @Test("LOG_SOFTMAX is the difference from the logarithm of the sum")
  func givesLogarithms() throws {
    let values: [Float] = try normalize(.logSoftmax, [Float(0), 0, 1000, -1000], shape: [2, 2]).values()
    #expect(abs(values[0] + 0.693_147_2) < 1e-6 && values[0] == values[1])
    #expect(values[2] == 0 && values[3] == -2000)
    let codes = try normalize(.logSoftmax, [Int8(5), 5], shape: [2], input: (0.1, 0), output: (1 / 16, 127))
    #expect(try codes.values(as: Int8.self) == [116, 116])
  }

  @Test("L2_NORMALIZATION returns rows of length one, and keeps zeros")
  func givesUnitRows() throws {
    let values: [Float] = try normalize(.l2Normalization, [Float(3), 4, 0, 0], shape: [2, 2]).values()
    #expect(values == [0.6, 0.8, 0, 0])
    let codes = try normalize(
      .l2Normalization, [Int8(30), 40, 0, 0], shape: [2, 2], input: (0.1, 0), output: (1 / 128, 0))
    #expect(try codes.values(as: Int8.self) == [77, 102, 0, 0])
    #expect(throws: RuntimeError.self) {
      try normalize(
        .l2Normalization, [Float(1)], shape: [1], options: L2NormOptions.with { [$0.fusedActivation(.relu)] })
    }
  }

  @Test("LOCAL_RESPONSE_NORMALIZATION uses a symmetric window")
  func looksToBothSides() throws {
    let options = LocalResponseNormalizationOptions.with { [$0.radius(1), $0.bias(1), $0.alpha(1), $0.beta(1)] }
    let values: [Float] = try normalize(
      .localResponseNormalization, [Float(1), 2, 3], shape: [1, 1, 1, 3], options: options
    ).values()
    let quotients: [Float] = zip([1, 2, 3], [6, 15, 14]).map { $0 / $1 }
    for (value, expected) in zip(values, quotients) { #expect(abs(value - expected) < 1e-6) }
    #expect(throws: RuntimeError.self) {
      try normalize(
        .localResponseNormalization, [Float(1)], shape: [1, 1, 1, 1],
        options: LocalResponseNormalizationOptions.with { [$0.radius(-1)] })
    }
    let wide: [Float] = try normalize(
      .localResponseNormalization, [Float(1), 2], shape: [1, 1, 1, 2],
      options: LocalResponseNormalizationOptions.with { [$0.radius(Int32.max), $0.bias(1)] }
    ).values()
    #expect(wide == [1, 2])
  }
}
