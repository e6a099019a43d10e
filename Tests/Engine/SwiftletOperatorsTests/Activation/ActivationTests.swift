import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Activations")
struct ActivationTests {
  private static let inputs: [Float] = [-10, -3, -1, -0.5, 0, 0.5, 1, 3, 7]

  private func real(_ kind: BuiltinOperator, options: WrittenOptions? = nil) throws -> [Float] {
    try evaluate(kind, [try .input(Self.inputs)], to: .float32, options: options).values()
  }

  private func expectClose(_ values: [Float], _ expected: [Float]) {
    #expect(values.count == expected.count)
    for (value, want) in zip(values, expected) { #expect(abs(value - want) <= 1e-6, "\(value) is not \(want)") }
  }

  @Test("clamp")
  func clamps() throws {
    #expect(try real(.relu) == [0, 0, 0, 0, 0, 0.5, 1, 3, 7])
    #expect(try real(.relu6) == [0, 0, 0, 0, 0, 0.5, 1, 3, 6])
    #expect(try real(.reluN1To1) == [-1, -1, -1, -0.5, 0, 0.5, 1, 1, 1])
    #expect(try real(.relu0To1) == [0, 0, 0, 0, 0, 0.5, 1, 1, 1])
  }

  @Test("follow their definitions")
  func definitions() throws {
    expectClose(
      try real(.logistic),
      [4.5397868e-05, 0.04742587, 0.26894143, 0.37754068, 0.5, 0.62245935, 0.7310586, 0.95257413, 0.999089])
    expectClose(
      try real(.tanh), [-1, -0.9950548, -0.7615942, -0.46211717, 0, 0.46211717, 0.7615942, 0.9950548, 0.9999983])
    expectClose(try real(.hardSwish), [0, 0, -0.33333334, -0.20833333, 0, 0.29166666, 0.6666667, 3, 7])
    expectClose(try real(.elu), [-0.9999546, -0.95021296, -0.63212055, -0.39346933, 0, 0.5, 1, 3, 7])
    expectClose(
      try real(.gelu, options: GeluOptions.with { [$0.approximate(false)] }),
      [0, -0.0040496886, -0.15865526, -0.15426877, 0, 0.34573123, 0.8413447, 2.9959502, 7])
    expectClose(
      try real(.gelu, options: GeluOptions.with { [$0.approximate(true)] }),
      [0, -0.0036373436, -0.15880802, -0.15428598, 0, 0.345714, 0.841192, 2.9963627, 7])
    #expect(
      try real(.leakyRelu, options: LeakyReluOptions.with { [$0.alpha(0.25)] }) == [
        -2.5, -0.75, -0.25, -0.125, 0, 0.5, 1, 3, 7,
      ])
  }

  @Test("saturate at infinities")
  func infinities() throws {
    let ends = try Operand.input([-Float.infinity, .infinity])
    #expect(try evaluate(.logistic, [ends], to: .float32).values() == [Float(0), 1])
    #expect(try evaluate(.tanh, [ends], to: .float32).values() == [Float(-1), 1])
    #expect(try evaluate(.relu6, [ends], to: .float32).values() == [Float(0), 6])
  }

  @Test("accept an alpha per channel")
  func alphaPerChannel() throws {
    let input = try Operand.input([Float(-1), -1, 2, 2, -4, -4], [3, 2])
    let alpha = try Operand.input([Float(0.5), -2])
    #expect(try evaluate(.prelu, [input, alpha], to: .float32).values() == [Float(-0.5), 2, 2, 2, -2, 8])
  }

  @Test("reject an alpha that is larger than the input")
  func refusesAlpha() throws {
    let input = try Operand.input([Float(1), 2])
    #expect(throws: RuntimeError.self) {
      try evaluate(.prelu, [input, try .input([Float](repeating: 0, count: 4), [2, 2])], to: .float32)
    }
    #expect(throws: RuntimeError.self) {
      try evaluate(.prelu, [input, try .input([Float](repeating: 0, count: 3))], to: .float32)
    }
  }

  struct Quantized: Sendable, CustomTestStringConvertible {
    var kind: BuiltinOperator
    var output: TestQuantization
    var options: WrittenOptions?
    var function: @Sendable (Float) -> Float
    var testDescription: String { kind.schemaName }
  }

  static let quantized = [
    Quantized(kind: .relu, output: TestQuantization(scale: 0.03, zeroPoint: -100)) { max($0, 0) },
    Quantized(kind: .relu6, output: TestQuantization(scale: 0.03, zeroPoint: -100)) { min(max($0, 0), 6) },
    Quantized(kind: .reluN1To1, output: TestQuantization(scale: 0.03, zeroPoint: 7)) { min(max($0, -1), 1) },
    Quantized(kind: .relu0To1, output: TestQuantization(scale: 0.03, zeroPoint: 7)) { min(max($0, 0), 1) },
    Quantized(kind: .hardSwish, output: TestQuantization(scale: 0.05, zeroPoint: -3)) {
      $0 * min(max($0 + 3, 0), 6) / 6
    },
    Quantized(kind: .elu, output: TestQuantization(scale: 0.06, zeroPoint: 1)) {
      $0 < 0 ? expm1f($0) : $0
    },
    Quantized(
      kind: .leakyRelu, output: TestQuantization(scale: 0.06, zeroPoint: 1),
      options: LeakyReluOptions.with { [$0.alpha(-0.3)] }
    ) {
      $0 > 0 ? $0 : $0 * -0.3
    },
    Quantized(kind: .logistic, output: TestQuantization(scale: 1 / 256, zeroPoint: -128)) {
      1 / (1 + expf(-$0))
    },
    Quantized(kind: .tanh, output: TestQuantization(scale: 1 / 128)) { tanhf($0) },
  ]

  @Test("are within a step of the real function for every 8-bit value", arguments: quantized)
  func everyCode(example: Quantized) throws {
    let codes = Array(Int8.min...Int8.max)
    let result: [Int8] = try evaluate(
      example.kind, [try .input(codes, scale: 0.05, zeroPoint: 10)], to: .int8,
      example.output,
      options: example.options, version: [.hardSwish, .elu, .reluN1To1, .relu0To1].contains(example.kind) ? 1 : 2
    ).values()
    for (code, value) in zip(codes, result) {
      let real = example.function((Float(code) - 10) * 0.05) / example.output.scale + Float(example.output.zeroPoint)
      #expect(abs(Float(value) - min(127, max(-128, real))) <= 1.05, "code \(code)")
    }
  }

  @Test("interpolate 16-bit sigmoids within two steps", arguments: [Float(0x1p-12), 0.00021, 0x1p-11])
  func wideSigmoids(scale: Float) throws {
    let codes = (-400...400).map { Int16($0 * 81) }
    for (kind, function) in [
      (BuiltinOperator.logistic, { 1 / (1 + expf(-$0)) } as (Float) -> Float),
      (.tanh, { tanhf($0) }),
    ] {
      let result: [Int16] = try evaluate(
        kind, [try .input(codes, scale: scale)], to: .int16,
        TestQuantization(scale: 0x1p-15), version: 3
      ).values()
      for (code, value) in zip(codes, result) {
        #expect(abs(Float(value) - min(32767, function(Float(code) * scale) * 32768)) < 6, "code \(code)")
      }
    }
  }

  @Test("reject a 16-bit sigmoid whose output has another scale")
  func refusesScale() throws {
    let operand = try Operand.input([Int16(1)], scale: 0x1p-12)
    for kind in [BuiltinOperator.logistic, .tanh] {
      #expect(throws: RuntimeError.self) {
        try evaluate(kind, [operand], to: .int16, TestQuantization(scale: 0.001), version: 3)
      }
    }
  }

  @Test("reject a HARD_SWISH with too fine an output scale")
  func refusesFineOutput() throws {
    let operand = try Operand.input([Int8(1)], scale: 1)
    #expect(throws: RuntimeError.self) { try evaluate(.hardSwish, [operand], to: .int8, TestQuantization(scale: 1e-6)) }
  }

  @Test("LOGISTIC has the reference's form for every argument in bit-exact numerics")
  func exactLogistic() throws {
    let inputs: [Float] = [-104, -88.7, -20.3, -9.1, -9, -8.9, 0.7, 16.6, 16.7, 90]
    let expected = inputs.map { $0 < -9 ? expf($0) : $0 > 16.65 ? 1 : 1 / (1 + expf(-$0)) }
    let result = try evaluate(.logistic, [try .input(inputs)], to: .float32, run: RuntimeOptions(numerics: .bitExact))
    #expect(try result.values() == expected)
  }

  @Test("quantized alphas work per channel, in both rounding modes", arguments: bothNumerics)
  func quantizedAlpha(run: RuntimeOptions) throws {
    let input = try Operand.input([Int8(-100), -100, 60, 60], [2, 2], scale: 0.1)
    let alpha = try Operand.input([Int8(64), -128], scale: 0x1p-7)
    let result = try evaluate(.prelu, [input, alpha], to: .int8, TestQuantization(scale: 0.1), run: run)
    #expect(try result.values() == [Int8(-50), 100, 60, 60])
  }

  @Test(
    "survive the smallest and largest float scales",
    arguments: [
      BuiltinOperator.relu, .relu6, .reluN1To1, .relu0To1, .hardSwish, .elu, .gelu, .leakyRelu, .logistic, .tanh, .exp,
      .log, .abs, .sqrt, .rsqrt, .quantize,
    ])
  func surviveScales(kind: BuiltinOperator) throws {
    let extremes: [Float] = [.leastNonzeroMagnitude, .leastNormalMagnitude, 1, .greatestFiniteMagnitude]
    let options: [BuiltinOperator: WrittenOptions] = [
      .leakyRelu: LeakyReluOptions.with { [$0.alpha(.greatestFiniteMagnitude)] }
    ]
    for input in extremes {
      for output in extremes {
        let narrow = try Operand.input([Int8(0), 1, 127], scale: input)
        let wide = try Operand.input([Int16(0), 1, 32767], scale: input)
        for (operand, type) in [(narrow, ElementType.int8), (wide, .int16)] {
          do {
            let result = try evaluate(
              kind, [operand], to: type, TestQuantization(scale: output), options: options[kind],
              version: kind == .logistic || kind == .tanh || kind == .relu ? 3 : 1)
            #expect(result.shape == [3])
          } catch let error as RuntimeError {
            // Some combinations are rejected: 16-bit sigmoids, scales beyond HARD_SWISH's range, and unsupported types.
            #expect(error.code == .invalidModel || error.code == .unsupportedOperators)
          }
        }
      }
    }
  }
}
