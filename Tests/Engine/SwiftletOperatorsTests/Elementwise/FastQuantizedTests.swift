import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// The scales and zero points of the two operands and the result of a case.
struct QuantizedCase: Sendable, CustomTestStringConvertible {
  var type: ElementType
  var left: TestQuantization
  var right: TestQuantization
  var output: TestQuantization

  var testDescription: String {
    let parts = [left, right, output].map { "\($0.scale) \($0.zeroPoint)" }
    return "\(type.name), " + parts.joined(separator: ", ")
  }

  static let all: [QuantizedCase] = [
    QuantizedCase(
      type: .int8, left: .init(scale: 0.05, zeroPoint: -7), right: .init(scale: 0.02, zeroPoint: 11),
      output: .init(scale: 0.03, zeroPoint: 5)),
    QuantizedCase(
      type: .int8, left: .init(scale: 0.01, zeroPoint: 127), right: .init(scale: 0.3, zeroPoint: -128),
      output: .init(scale: 0.2, zeroPoint: -128)),
    QuantizedCase(
      type: .uint8, left: .init(scale: 0.05, zeroPoint: 120), right: .init(scale: 0.04, zeroPoint: 3),
      output: .init(scale: 0.07, zeroPoint: 130)),
    QuantizedCase(
      type: .uint8, left: .init(scale: 0.02, zeroPoint: 0), right: .init(scale: 0.03, zeroPoint: 255),
      output: .init(scale: 0.02, zeroPoint: 100)),
    QuantizedCase(type: .int16, left: .init(scale: 0.001), right: .init(scale: 0.0007), output: .init(scale: 0.0013)),
    QuantizedCase(type: .int16, left: .init(scale: 0.0002), right: .init(scale: 0.004), output: .init(scale: 0.003)),
  ]

  var range: ClosedRange<Double> {
    switch type {
    case .int8: -128...127
    case .uint8: 0...255
    default: -32768...32767
    }
  }

  /// Returns quantized values that cover the type's range.
  func codes(_ count: Int) -> [Double] {
    let width = range.upperBound - range.lowerBound
    return (0..<count).map { (range.lowerBound + width * Double($0) / Double(count - 1)).rounded() }
  }

  func tensor(_ codes: [Double], _ shape: [Int], _ quantization: TestQuantization) -> ProbeTensor {
    let tensor: ProbeTensor =
      switch type {
      case .int8: .values(codes.map { Int8($0) }, shape)
      case .uint8: .values(codes.map { UInt8($0) }, shape)
      default: .values(codes.map { Int16($0) }, shape)
      }
    return tensor.scaled(quantization.scale, quantization.zeroPoint)
  }

  func result(_ tensor: Tensor) throws -> [Double] {
    switch type {
    case .int8: try tensor.values(as: Int8.self).map { Double($0) }
    case .uint8: try tensor.values(as: UInt8.self).map { Double($0) }
    default: try tensor.values(as: Int16.self).map { Double($0) }
    }
  }
}

/// Checks that fast numerics round the exact result to the nearest quantized value: within half a step, except for the
/// last bits of their factors.
@Suite("Quantized arithmetic in fast numerics")
struct FastQuantizedTests {
  /// The tolerance for operators with fixed-point factors in the reference: a product is rounded, then shifted and
  /// rounded again.
  private static let twiceRounded = 0.755

  private static func activated(_ value: Double, _ activation: FusedActivation) -> Double {
    switch activation {
    case .relu: max(value, 0)
    case .relu6: min(max(value, 0), 6)
    case .reluN1To1: min(max(value, -1), 1)
    default: value
    }
  }

  /// Runs a node on all pairs of some quantized values, and compares with `exact` on the real numbers.
  private func check(
    _ kind: BuiltinOperator, _ item: QuantizedCase, _ options: WrittenOptions?, tolerance: Double = 0.505,
    activation: FusedActivation = .none, skip: (Double, Double) -> Bool = { _, _ in false },
    _ exact: (Double, Double) -> Double
  ) throws {
    let count = 23
    let left = item.codes(count), right = item.codes(count + 1)
    func real(_ code: Double, _ quantization: TestQuantization) -> Double {
      Double(quantization.scale) * (code - Double(quantization.zeroPoint))
    }
    let kept = right.filter { !skip(1, real($0, item.right)) }
    let probe = Probe(
      kind, [item.tensor(left, [count, 1], item.left), item.tensor(kept, [kept.count], item.right)],
      [.of(item.type, scale: item.output.scale, zeroPoint: item.output.zeroPoint)], options, version: 2)
    let result = try item.result(try probe.run()[0])
    try #require(result.count == count * kept.count)
    var worst = 0.0
    for (row, first) in left.enumerated() {
      for (column, second) in kept.enumerated() {
        let value = Self.activated(exact(real(first, item.left), real(second, item.right)), activation)
        let steps = value / Double(item.output.scale) + Double(item.output.zeroPoint)
        let clamped = min(max(steps, item.range.lowerBound), item.range.upperBound)
        worst = max(worst, abs(result[row * kept.count + column] - clamped))
      }
    }
    #expect(worst <= tolerance)
  }

  @Test(
    "a sum and a difference are rounded once", arguments: QuantizedCase.all,
    [FusedActivation.none, .relu, .relu6, .reluN1To1])
  func sums(item: QuantizedCase, activation: FusedActivation) throws {
    try check(.add, item, AddOptions.with { [$0.fusedActivation(activation)] }, activation: activation) { $0 + $1 }
    try check(.sub, item, SubOptions.with { [$0.fusedActivation(activation)] }, activation: activation) { $0 - $1 }
  }

  @Test("a product is rounded once", arguments: QuantizedCase.all, [FusedActivation.none, .relu6])
  func products(item: QuantizedCase, activation: FusedActivation) throws {
    try check(.mul, item, MulOptions.with { [$0.fusedActivation(activation)] }, activation: activation) { $0 * $1 }
  }

  @Test("a quotient is rounded once", arguments: QuantizedCase.all, [FusedActivation.none, .relu])
  func quotients(item: QuantizedCase, activation: FusedActivation) throws {
    try check(
      .div, item, DivOptions.with { [$0.fusedActivation(activation)] }, activation: activation, skip: { $1 == 0 }
    ) { $0 / $1 }
  }

  @Test("a squared difference is rounded once", arguments: QuantizedCase.all.filter { $0.type == .int8 })
  func squares(item: QuantizedCase) throws {
    try check(.squaredDifference, item, nil) { ($0 - $1) * ($0 - $1) }
  }

  @Test(
    "a slope per column multiplies the negative values", arguments: QuantizedCase.all.filter { $0.type != .int16 })
  func slopes(item: QuantizedCase) throws {
    var item = item
    // The slopes have the same rank and broadcast over the rows.
    item.output.scale *= 4
    try checkSlopes(item, count: 24)
  }

  private func checkSlopes(_ item: QuantizedCase, count: Int) throws {
    let left = item.codes(count).flatMap { [Double](repeating: $0, count: count) }
    let slopes = item.codes(count)
    let probe = Probe(
      .prelu, [item.tensor(left, [count, count], item.left), item.tensor(slopes, [count], item.right)],
      [.of(item.type, scale: item.output.scale, zeroPoint: item.output.zeroPoint)])
    let result = try item.result(try probe.run()[0])
    for (index, code) in left.enumerated() {
      let value = Double(item.left.scale) * (code - Double(item.left.zeroPoint))
      let slope = Double(item.right.scale) * (slopes[index % count] - Double(item.right.zeroPoint))
      let steps = (value >= 0 ? value : value * slope) / Double(item.output.scale) + Double(item.output.zeroPoint)
      let clamped = min(max(steps, item.range.lowerBound), item.range.upperBound)
      #expect(abs(result[index] - clamped) <= 0.505)
    }
  }

  @Test("int16 accepts int8 slopes")
  func wideSlopes() throws {
    let values: [Int16] = [-32768, -1000, -1, 0, 1, 1000, 32767], slopes: [Int8] = [-128, -5, 0, 3, 127]
    let probe = Probe(
      .prelu,
      [
        ProbeTensor.values(values.flatMap { [$0, $0, $0, $0, $0] }, [7, 5]).scaled(0.001),
        ProbeTensor.values(slopes).scaled(0.01, 2),
      ], [.of(.int16, scale: 0.002)])
    let result: [Int16] = try probe.run()[0].values()
    for (row, value) in values.enumerated() {
      for (column, slope) in slopes.enumerated() {
        let factor = value >= 0 ? 1 : 0.01 * Double(Int(slope) - 2)
        #expect(abs(Double(result[5 * row + column]) - Double(value) * factor / 2) <= 0.505)
      }
    }
  }

  @Test(
    "the RELU family rounds once and stays within its bounds",
    arguments: [
      (BuiltinOperator.relu, 0, Double.infinity), (.relu6, 0, 6), (.reluN1To1, -1, 1), (.relu0To1, 0, 1),
    ] as [(BuiltinOperator, Double, Double)])
  func clamps(kind: BuiltinOperator, lower: Double, upper: Double) throws {
    for item in QuantizedCase.all where item.type != .int16 || kind == .relu || kind == .relu6 {
      let codes = item.codes(200)
      let probe = Probe(
        kind, [item.tensor(codes, [200], item.left)],
        [.of(item.type, scale: item.output.scale, zeroPoint: item.output.zeroPoint)],
        version: kind == .relu || kind == .relu6 ? 2 : 1)
      let result = try item.result(try probe.run()[0])
      for (code, value) in zip(codes, result) {
        let real = min(max(Double(item.left.scale) * (code - Double(item.left.zeroPoint)), lower), upper)
        let steps = real / Double(item.output.scale) + Double(item.output.zeroPoint)
        #expect(abs(value - min(max(steps, item.range.lowerBound), item.range.upperBound)) <= 0.505)
      }
    }
  }

  @Test("LEAKY_RELU accepts slopes of either sign", arguments: [Float(0.25), -0.25, 0, 1.5])
  func leaks(alpha: Float) throws {
    for item in QuantizedCase.all {
      let codes = item.codes(200)
      let probe = Probe(
        .leakyRelu, [item.tensor(codes, [200], item.left)],
        [.of(item.type, scale: item.output.scale, zeroPoint: item.output.zeroPoint)],
        LeakyReluOptions.with { [$0.alpha(alpha)] }, version: 2)
      let result = try item.result(try probe.run()[0])
      for (code, value) in zip(codes, result) {
        let real = Double(item.left.scale) * (code - Double(item.left.zeroPoint))
        let steps =
          (real >= 0 ? real : real * Double(alpha)) / Double(item.output.scale) + Double(item.output.zeroPoint)
        #expect(abs(value - min(max(steps, item.range.lowerBound), item.range.upperBound)) <= Self.twiceRounded)
      }
    }
  }

  @Test("ABS returns the magnitude of quantized real values, or of plain integers")
  func magnitudes() throws {
    for item in QuantizedCase.all where item.type != .uint8 {
      let codes = item.codes(200)
      let probe = Probe(
        .abs, [item.tensor(codes, [200], item.left)],
        [.of(item.type, scale: item.output.scale, zeroPoint: item.output.zeroPoint)], version: 2)
      for (code, value) in zip(codes, try item.result(try probe.run()[0])) {
        let real = abs(Double(item.left.scale) * (code - Double(item.left.zeroPoint)))
        let steps = real / Double(item.output.scale) + Double(item.output.zeroPoint)
        #expect(abs(value - min(max(steps, item.range.lowerBound), item.range.upperBound)) <= Self.twiceRounded)
      }
    }
    let shorts = Probe(.abs, [.values([Int16.min, -5, 0, 5, .max])], [.of(.int16)], version: 3)
    #expect(try shorts.run()[0].values() == [Int16.min, 5, 0, 5, .max])
    let wides = Probe(.abs, [.values([Int32.min, -5, 0, 5, .max])], [.of(.int32)], version: 4)
    #expect(try wides.run()[0].values() == [Int32.min, 5, 0, 5, .max])
  }

  /// Powers of two: one operand keeps its quantized values, and the other is shifted; options can disable it.
  @Test("int16 scales that are powers of two use shifts that round half away from zero", arguments: [true, false])
  func shifts(isSum: Bool) throws {
    func run(_ left: Float, _ right: Float, _ output: Float, prefers: Bool = true) throws -> [Int16] {
      let options =
        isSum
        ? AddOptions.with { [$0.powerOfTwoScaleInt16(prefers)] }
        : SubOptions.with { [$0.powerOfTwoScaleInt16(prefers)] }
      return try Probe(
        isSum ? .add : .sub,
        [
          ProbeTensor.values([Int16(100), 7, -7, 1004]).scaled(left),
          ProbeTensor.values([Int16(6), 2, 2, 0]).scaled(right),
        ],
        [.of(.int16, scale: output)], options
      ).run()[0].values()
    }
    let sign: Int16 = isSum ? 1 : -1
    // Two steps of the right operand's scale are one of the output's: 6 and 2 become 2 (1.5 rounded) and 1 (0.5).
    #expect(try run(0x1p-10, 0x1p-12, 0x1p-10) == [100 + sign * 2, 7 + sign, -7 + sign, 1004])
    // The left operand is shifted: 100 / 2, 7 / 2, and -7 / 2 are 50, 4, and -4.
    #expect(try run(0x1p-11, 0x1p-10, 0x1p-10) == [50 + sign * 6, 4 + sign * 2, -4 + sign * 2, 502])
    // Without the option, the sum is rounded once: 3.5 + 2 to even.
    let once = try run(0x1p-11, 0x1p-10, 0x1p-10, prefers: false)
    #expect(once[0] == 50 + sign * 6)
    #expect(abs(Double(once[1]) - (3.5 + Double(sign) * 2)) <= 0.5)
    // The ratio deviates from a power of two by half a percent: 504.51 instead of 502.
    #expect(try run(0x1p-11 * 1.005, 0x1p-10, 0x1p-10)[3] == 505)
  }

  @Test("powers of two are recognized to single precision")
  func exponents() {
    #expect(Float(1).exponentOfTwo == 0)
    #expect(Float(0x1p-15).exponentOfTwo == -15)
    #expect(Float(0x1p20).exponentOfTwo == 20)
    #expect((Float(0x1p-15) * 1.0006).exponentOfTwo == -15)
    #expect((Float(0x1p-15) * 0.9994).exponentOfTwo == -15)
    #expect((Float(0x1p-15) * 1.0008).exponentOfTwo == nil)
    #expect((Float(0x1p-15) * 0.9992).exponentOfTwo == nil)
    #expect((Float(0x1p-11) * 1.005).exponentOfTwo == nil)
    #expect(Float(3).exponentOfTwo == nil)
    #expect(Float(-1).exponentOfTwo == nil)
  }

  @Test("int16 products return the upper 8 bits, whatever the scales", arguments: [ElementType.int8, .uint8])
  func narrowProducts(type: ElementType) throws {
    let left: [Int16] = [.min, .max, 16384, -16384, 256, 0], right: [Int16] = [.min, .max, 16384, 16384, 257, 5]
    let zero: Int32 = type == .uint8 ? 128 : 0
    let probe = Probe(
      .mul, [ProbeTensor.values(left).scaled(0x1p-15), ProbeTensor.values(right).scaled(0x1p-15)],
      [.of(type, scale: 0x1p-7, zeroPoint: zero)], MulOptions.empty, version: 2)
    let bytes = try probe.run()[0].bytes
    let expected: [Int64] = zip(left, right).map { first, second in
      // The product of two fractions, of which -1 by -1 saturates, then rounded to 7 fractional bits.
      let product = min((Int64(first) * Int64(second) * 2 + (1 << 15)) >> 16, 32767)
      let rounded = (product + (product >= 0 ? 128 : 127)) >> 8
      return min(max(rounded + Int64(zero), type == .uint8 ? 0 : -128), type == .uint8 ? 255 : 127)
    }
    #expect(bytes == expected.map { UInt8(truncatingIfNeeded: $0) })
  }
}
