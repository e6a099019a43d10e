import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("CAST at the limits of types")
struct CastLimitTests {
  private func cast<From: TensorScalar, To: TensorScalar>(_ values: [From], to type: To.Type) throws -> [To] {
    try Probe(.cast, [.values(values)], [.of(To.elementType)]).run()[0].values()
  }

  /// Checks the limit, its neighbors, and values far beyond: the result is the nearest integer of the type toward zero.
  private func check<Integer: TensorScalar & FixedWidthInteger>(_ type: Integer.Type) throws {
    let (least, greatest) = (Double(Integer.min), Double(Integer.max))
    let doubles = [
      least, least.nextDown, least.nextUp, greatest, greatest.nextUp, greatest.nextDown, least - 1, greatest + 1, 0.999,
      -0.999, 1, -1, 0, -0.0, 1e300, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude,
    ]
    func expected(_ value: Double) -> Integer {
      if value >= greatest { return .max }
      if value <= least { return .min }
      return Integer(value)
    }
    #expect(try cast(doubles, to: type) == doubles.map(expected), "\(Integer.elementType.name)")
    // Twenty of them, so that loops of sixteen process them in full blocks and in the remainder.
    let floats = (doubles + [2.5]).map { Float($0) }
    #expect(try cast(floats, to: type) == floats.map { expected(Double($0)) }, "\(Integer.elementType.name)")
    #expect(try cast(floats.reversed(), to: type) == floats.reversed().map { expected(Double($0)) })
    #expect(try cast([Double.nan, 1], to: type) == [.max, 1])
    #expect(try cast([Float.nan, 1], to: type) == [.max, 1])
  }

  @Test("real numbers are truncated and saturate")
  func reals() throws {
    try check(Int8.self)
    try check(UInt8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
  }

  @Test("2⁶³ and 2³¹ are exact in float32 and float64")
  func powers() throws {
    let single: [Float] = [0x1p63, -0x1p63, Float(0x1p63).nextDown]
    let belowSingle: Int64 = .max - (1 << 39) + 1
    #expect(try cast(single, to: Int64.self) == [.max, .min, belowSingle])
    let double: [Double] = [0x1p63, -0x1p63, (0x1p63).nextDown]
    let belowDouble: Int64 = .max - 1023
    #expect(try cast(double, to: Int64.self) == [.max, .min, belowDouble])
    let small: [Float] = [0x1p31, -0x1p31, Float(0x1p31).nextDown, 0x1p22, Float(0x1p22).nextDown, 8_388_609]
    let integers: [Int32] = [.max, .min, 0x7FFF_FF80, 1 << 22, 1 << 22 - 1, 1 << 23 + 1]
    #expect(try cast(small, to: Int32.self) == integers)
    #expect(try cast([0x1p31, 0x1p31 - 1, -0x1p31 - 1], to: Int32.self) == [.max, .max, .min])
  }

  /// A large element must not affect its neighbors, at any position.
  @Test("one element that is too large for vectors doesn't affect the others", arguments: [0, 7, 15, 16, 31, 32, 36])
  func largeAmongSmall(place: Int) throws {
    var values = (0..<37).map { Float($0) * 1.25 - 20 }
    values[place] = -3e9
    var expected = values.map { Int32(max($0, -0x1p31)) }
    expected[place] = .min
    #expect(try cast(values, to: Int32.self) == expected)
    values[place] = 5_000_001
    expected[place] = 5_000_001
    #expect(try cast(values, to: Int32.self) == expected)
  }

  @Test("integers wrap")
  func integers() throws {
    let values: [Int64] = [0, 127, 128, 255, 256, -1, -128, -129, 1 << 31, 1 << 32, .max, .min]
    #expect(try cast(values, to: Int8.self) == values.map { Int8(truncatingIfNeeded: $0) })
    #expect(try cast(values, to: UInt8.self) == values.map { UInt8(truncatingIfNeeded: $0) })
    #expect(try cast(values, to: Int16.self) == values.map { Int16(truncatingIfNeeded: $0) })
    #expect(try cast(values, to: Int32.self) == values.map { Int32(truncatingIfNeeded: $0) })
    #expect(try cast(values, to: Bool.self) == values.map { $0 != 0 })
    #expect(try cast(values, to: Float.self) == values.map { Float($0) })
    #expect(try cast(values, to: Double.self) == values.map { Double($0) })
    let bytes: [UInt8] = [0, 1, 127, 128, 255]
    #expect(try cast(bytes, to: Int8.self) == [0, 1, 127, -128, -1])
    #expect(try cast(bytes, to: Int64.self) == [0, 1, 127, 128, 255])
    #expect(try cast(bytes, to: Float.self) == [0, 1, 127, 128, 255])
    let signed: [Int8] = [-128, -1, 0, 127]
    #expect(try cast(signed, to: UInt8.self) == [128, 255, 0, 127])
    #expect(try cast(signed, to: Float.self) == [-128, -1, 0, 127])
    let wide: [Int32] = [.min, -1, 0, .max]
    #expect(try cast(wide, to: Int64.self) == wide.map { Int64($0) })
    #expect(try cast(wide, to: Float.self) == [-0x1p31, -1, 0, 0x1p31])
  }

  @Test("tensors may be slightly larger or smaller than a chunk", arguments: [255, 256, 257, 511, 512, 513, 1])
  func chunks(count: Int) throws {
    let values = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 257) }
    #expect(try cast(values, to: Double.self) == values.map { Double($0) })
    #expect(try cast(values.map { Double($0) }, to: Int16.self) == values)
  }
}

/// Checks quantized values at the ends of their types, and real numbers at the ends of the range.
@Suite("QUANTIZE and DEQUANTIZE at the limits of types")
struct QuantizeLimitTests {
  @Test("4-bit values round half away from zero and saturate", arguments: [Int32(-8), 0, 7])
  func narrow(zeroPoint: Int32) throws {
    let steps = stride(from: Float(-20), through: 20, by: 0.25)
    let reals = steps.flatMap { [$0, $0.nextUp, $0.nextDown] } + [.infinity, -.infinity]
    var graph = TestGraph()
    let input = graph.input(.float32, [reals.count])
    let codes = graph.tensor(.int4, [reals.count], scale: 1, zeroPoint: zeroPoint)
    graph.add(.quantize, [input], [codes], version: 4)
    graph.add(.dequantize, [codes], [graph.output(.float32, [reals.count])], version: 6)
    let result: [Float] = try graph.session().run([Tensor(reals, shape: [reals.count])])[0].values()
    for (real, value) in zip(reals, result) {
      let code = min(max(real.rounded(.toNearestOrAwayFromZero) + Float(zeroPoint), -8), 7)
      #expect(value == code - Float(zeroPoint), "\(real)")
    }
  }

  @Test("the smallest and largest quantized values are right", arguments: [Float(0.5), 3])
  func ends(scale: Float) throws {
    func reals<Code: TensorScalar>(_ codes: [Code], _ zeroPoint: Int32) throws -> [Float] {
      try Probe(.dequantize, [ProbeTensor.values(codes).scaled(scale, zeroPoint)], [.floats()], version: 3).run()[0]
        .values()
    }
    #expect(try reals([Int8.min, .max, 0], 7) == [-135 * scale, 120 * scale, -7 * scale])
    #expect(try reals([UInt8.min, .max, 7], 7) == [-7 * scale, 248 * scale, 0])
    #expect(try reals([Int16.min, .max, 0], 0) == [-32768 * scale, 32767 * scale, 0])
  }

  @Test("every channel uses its own scale and zero point, on the last line too", arguments: [0, 1, 2])
  func channels(axis: Int) throws {
    let shape = [2, 3, 4], size = shape[axis]
    let scales = (0..<size).map { Float(1 << $0) * 0.25 }, zeroPoints = (0..<size).map { Int32($0 * 5 - 7) }
    let codes = (0..<24).map { Int8($0 * 9 - 100) }
    let result: [Float] = try Probe(
      .dequantize, [ProbeTensor.values(codes, shape).scaled(scales, zeroPoints, axis: axis)], [.floats()], version: 5
    ).run()[0].values()
    for (position, value) in result.enumerated() {
      let channel = position / Shape(shape).strides[axis] % size
      #expect(value == scales[channel] * Float(Int32(codes[position]) - zeroPoints[channel]))
    }
  }

  @Test("FAKE_QUANT moves its range so that 0 is a step", arguments: [false, true])
  func fakeQuantized(isNarrow: Bool) throws {
    func run(_ lower: Float, _ upper: Float, _ values: [Float], bits: Int = 8) throws -> [Float] {
      let options = FakeQuantOptions.with {
        [$0.minimum(lower), $0.maximum(upper), $0.bitCount(bits), $0.narrowRange(isNarrow)]
      }
      return try Probe(.fakeQuant, [.values(values)], [.floats()], options).run()[0].values()
    }
    let steps: Float = isNarrow ? 254 : 255
    let whole = try run(0, steps, [-1, 0, 0.49, 0.5, 1.49, steps - 0.4, steps, steps + 1, .infinity])
    #expect(whole == [0, 0, 0, 1, 1, steps, steps, steps, steps])
    // From -0.6 to 254.4 or 253.4: 0 is 0.6 steps from the end, so the range moves to -1.
    let moved = try run(-0.6, steps - 0.6, [-5, -1, 0, 300])
    #expect(zip(moved, [-1, -1, 0, steps - 1]).allSatisfy { abs($0 - $1) < 1e-3 })
    // A range above 0 is extended down to 0.
    #expect(try run(10, 10 + steps, [-3, 5, 400]) == [0, 5, steps])
    #expect(try run(-10 - steps, -10, [3, -5, -400]) == [0, -5, -steps])
    let few: Float = isNarrow ? 2 : 3
    #expect(try run(0, few, [0, 1.2, 9], bits: 2) == [0, 1, few])
  }
}
