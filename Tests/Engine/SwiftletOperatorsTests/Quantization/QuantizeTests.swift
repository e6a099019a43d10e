import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("QUANTIZE and DEQUANTIZE")
struct QuantizeTests {
  /// Returns a model of one QUANTIZE or DEQUANTIZE with tensors that are quantized per channel.
  private func perChannel(
    _ kind: BuiltinOperator, _ operand: Tensor, _ quantization: QuantizationParameters, to type: ElementType
  ) throws -> Tensor {
    var graph = TestGraph()
    let input = graph.input(operand.elementType, operand.shape.dimensions)
    let output = graph.output(type, operand.shape.dimensions)
    graph.quantize(kind == .quantize ? output : input, quantization)
    graph.add(kind, [input], [output], version: kind == .quantize ? 3 : 5)
    return try graph.session().run([operand])[0]
  }

  private static let exact = RuntimeOptions(numerics: .bitExact)

  @Test("rounds half to even in fast numerics, half away from zero in bit-exact numerics, and saturates")
  func rounds() throws {
    let operand = try Operand.input([Float(0.5), -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, 1e30, -1e30, .infinity, .nan])
    let one = TestQuantization(scale: 1)
    let fast = try evaluate(.quantize, [operand], to: .int8, one)
    #expect(try fast.values() == [Int8(0), 0, 2, -2, 2, -2, 0, 127, -128, 127, -128])
    let exact = try evaluate(.quantize, [operand], to: .int8, one, run: Self.exact)
    #expect(try exact.values() == [Int8(1), -1, 2, -2, 3, -3, 0, 127, -128, 127, -128])
    let shifted = try evaluate(.quantize, [operand], to: .uint8, TestQuantization(scale: 0.5, zeroPoint: 100))
    #expect(try shifted.values() == [UInt8(101), 99, 103, 97, 105, 95, 101, 255, 0, 255, 0])
    let wide = try evaluate(.quantize, [operand], to: .int16, TestQuantization(scale: 0.25))
    #expect(try wide.values() == [Int16(2), -2, 6, -6, 10, -10, 2, 32767, -32768, 32767, -32768])
  }

  @Test("rounds every tie and its neighbors like the definition", arguments: [Int32(-128), 0, 33, 127], [false, true])
  func ties(zeroPoint: Int32, isExact: Bool) throws {
    let ties = stride(from: Float(-300), through: 300, by: 0.5).flatMap { [$0, $0.nextUp, $0.nextDown] }
    let result: [Int8] = try evaluate(
      .quantize, [try .input(ties)], to: .int8, TestQuantization(scale: 1, zeroPoint: zeroPoint),
      run: isExact ? Self.exact : RuntimeOptions()
    ).values()
    let rule: FloatingPointRoundingRule = isExact ? .toNearestOrAwayFromZero : .toNearestOrEven
    for (input, value) in zip(ties, result) {
      #expect(Int32(value) == min(127, max(-128, Int32(input.rounded(rule)) + zeroPoint)), "\(input)")
    }
  }

  @Test("fast numerics multiply by the rounded reciprocal of the scale, if it is finite")
  func reciprocal() throws {
    let scale: Float = 0.037
    let inputs = (-3000...3000).map { Float($0) * 0.5 * scale }
    let fast: [Int8] = try evaluate(
      .quantize, [try .input(inputs)], to: .int8, TestQuantization(scale: scale, zeroPoint: 5)
    ).values()
    for (input, value) in zip(inputs, fast) {
      let steps = min(122, max(-133, (input * (1 / scale)).rounded(.toNearestOrEven)))
      #expect(value == Int8(steps + 5), "\(input)")
    }
    // The reciprocal of a number below the normal range may be infinite, and its product with 0 isn't a number.
    let tiny = Float.leastNonzeroMagnitude
    let smallest = try evaluate(
      .quantize, [try .input([0, 3 * tiny, -200 * tiny] as [Float])], to: .int8, TestQuantization(scale: tiny))
    #expect(try smallest.values() == [Int8(0), 3, -128])
  }

  @Test("returns the real values of quantized tensors")
  func dequantizes() throws {
    let signed = try Operand.input([Int8(-128), 0, 127], scale: 0.5, zeroPoint: 2)
    #expect(try evaluate(.dequantize, [signed], to: .float32, version: 2).values() == [Float(-65), -1, 62.5])
    let unsigned = try Operand.input([UInt8(0), 255], scale: 2, zeroPoint: 128)
    #expect(try evaluate(.dequantize, [unsigned], to: .float32).values() == [Float(-256), 254])
    let wide = try Operand.input([Int16(-32768), 5], scale: 0x1p-15)
    #expect(try evaluate(.dequantize, [wide], to: .float32, version: 3).values() == [Float(-1), 0x5p-15])
    let half = try Operand.input(.float16, bits: [0x3555, 0x8001, 0x7C00])
    #expect(
      try evaluate(.dequantize, [half], to: .float32, version: 3).values() == [Float(0.33325195), -0x1p-24, .infinity])
  }

  @Test("uses a scale per channel, on every axis", arguments: [0, 1, 2])
  func channels(axis: Int) throws {
    let shape: Shape = [2, 3, 4]
    let scales: [Float] = [0.5, 1, 2, 4]
    let zeroPoints: [Int32] = [0, 1, 2, 3]
    let quantization = QuantizationParameters(
      scales: Array(scales.prefix(shape[axis])), zeroPoints: Array(zeroPoints.prefix(shape[axis])), axis: axis)
    let reals = try Tensor([Float](repeating: 8, count: 24), shape: shape)
    let codes: [Int8] = try perChannel(.quantize, reals, quantization, to: .int8).values()
    for position in 0..<24 {
      let channel = position / shape.strides[axis] % shape[axis]
      #expect(Float(codes[position]) == 8 / scales[channel] + Float(zeroPoints[channel]))
    }
    #expect(
      try perChannel(.dequantize, try Tensor(codes, shape: shape), quantization, to: .float32).values()
        == [Float](repeating: 8, count: 24))
  }

  @Test("rejects per-channel scales that are inconsistent with the shape")
  func refusesChannels() throws {
    let reals = try Tensor([Float](repeating: 1, count: 6), shape: [2, 3])
    func quantize(_ scales: [Float], _ zeroPoints: [Int32], axis: Int) throws {
      _ = try perChannel(
        .quantize, reals, QuantizationParameters(scales: scales, zeroPoints: zeroPoints, axis: axis), to: .int8)
    }
    try quantize([1, 2, 3], [0, 0, 0], axis: 1)
    #expect(throws: (any Error).self) { try quantize([1, 2, 3], [0, 0, 0], axis: 0) }
    #expect(throws: (any Error).self) { try quantize([1, 2], [0, 0], axis: 2) }
    #expect(throws: (any Error).self) { try quantize([1, 2, -3], [0, 0, 0], axis: 1) }
    #expect(throws: (any Error).self) { try quantize([1, 2, 3], [0, 0, 400], axis: 1) }
    #expect(throws: (any Error).self) { try quantize([1, 2, 3], [0, 0], axis: 1) }
  }

  @Test("requantizes bytes with eight fraction bits in fast numerics")
  func requantizesCoarsely() throws {
    // The factor becomes 74/256, slightly less than 0.29: 19 becomes 5.49 instead of 5.51.
    let codes = try Operand.input([UInt8(0), 3, 19, 255], scale: 0.29)
    let results = try bothNumerics.map { run -> [UInt8] in
      try evaluate(.quantize, [codes], to: .uint8, TestQuantization(scale: 1), run: run).values()
    }
    #expect(results == [[0, 1, 5, 74], [0, 1, 6, 74]])
  }

  @Test("requantizes between integer types", arguments: bothNumerics)
  func requantizes(run: RuntimeOptions) throws {
    let signed = try Operand.input([Int8(-128), -5, 0, 127], scale: 0.5, zeroPoint: -5)
    let unsigned = try evaluate(.quantize, [signed], to: .uint8, TestQuantization(scale: 0.5, zeroPoint: 123), run: run)
    #expect(try unsigned.values() == [UInt8(0), 123, 128, 255])
    let wide = try evaluate(.quantize, [signed], to: .int16, TestQuantization(scale: 0.125), run: run)
    #expect(try wide.values() == [Int16(-492), 0, 20, 528])
    let codes = try Operand.input([Int16(-32768), 0, 300, 32767], scale: 0.01)
    #expect(
      try evaluate(.quantize, [codes], to: .int8, TestQuantization(scale: 1, zeroPoint: 4), run: run).values() == [
        Int8(-128), 4, 7, 127,
      ])
    #expect(
      try evaluate(.quantize, [codes], to: .int32, TestQuantization(scale: 0.0001), run: run).values() == [
        Int32(-3_276_800), 0, 30_000, 3_276_700,
      ])
    let sums = try Operand.input([Int32.min, -1000, 1000, .max], scale: 0.001)
    #expect(
      try evaluate(.quantize, [sums], to: .int16, TestQuantization(scale: 0.002), run: run).values() == [
        Int16(-32768), -500, 500, 32767,
      ])
  }

  @Test("packs and unpacks 4-bit elements that are computed")
  func packed() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [5])
    let codes = graph.tensor(.int4, [5], scale: 0.5, zeroPoint: 1)
    let output = graph.output(.float32, [5])
    graph.add(.quantize, [input], [codes], version: 4)
    graph.add(.dequantize, [codes], [output], version: 6)
    let result = try graph.session().run([try Tensor([Float(0), 1, -1.3, 100, -100], shape: [5])])[0]
    #expect(try result.values() == [Float(0), 1, -1.5, 3, -4.5])
  }

  @Test("is computed at load for constants")
  func foldsConstants() throws {
    var graph = TestGraph()
    let weights = graph.constant([Int8(2), 4], scale: 0.5)
    let real = graph.tensor(.float32, [2])
    let input = graph.input(.float32, [2])
    let sum = graph.output(.float32, [2])
    graph.add(.dequantize, [weights], [real], version: 2)
    graph.add(.add, [input, real], [sum])
    let session = try graph.session()
    #expect(try session.run([try Tensor([Float(1), 1], shape: [2])])[0].values() == [Float(2), 3])
  }
}

@Suite("CAST")
struct CastTests {
  @Test("saturates real numbers, wraps integers, and converts to bool")
  func conversions() throws {
    let reals = try Operand.input([Float(1.9), -1.9, 300, -300, 3e9, .infinity, -.infinity, 0])
    #expect(try evaluate(.cast, [reals], to: .int8).values() == [Int8(1), -1, 127, -128, 127, 127, -128, 0])
    #expect(try evaluate(.cast, [reals], to: .uint8).values() == [UInt8(1), 0, 255, 0, 255, 255, 0, 0])
    #expect(
      try evaluate(.cast, [reals], to: .int32).values() == [Int32(1), -1, 300, -300, .max, .max, .min, 0])
    #expect(
      try evaluate(.cast, [reals], to: .int64).values() == [Int64(1), -1, 300, -300, 3_000_000_000, .max, .min, 0])
    #expect(try evaluate(.cast, [reals], to: .bool).values() == [true, true, true, true, true, true, true, false])
    let integers = try Operand.input([Int32(-1), 256, 300, 0])
    #expect(try evaluate(.cast, [integers], to: .uint8).values() == [UInt8(255), 0, 44, 0])
    #expect(try evaluate(.cast, [integers], to: .int64).values() == [Int64(-1), 256, 300, 0])
    #expect(try evaluate(.cast, [integers], to: .bool).values() == [true, true, true, false])
    #expect(
      try evaluate(.cast, [try .input([Int64(1) << 53 + 1, -1])], to: .float32).values() == [Float(0x1p53), -1])
  }

  @Test("returns the largest integer for NaN, like the reference")
  func notANumber() throws {
    let nan = try Operand.input([Float.nan])
    #expect(try evaluate(.cast, [nan], to: .int32).values() == [Int32.max])
    #expect(try evaluate(.cast, [nan], to: .uint8).values() == [UInt8.max])
    #expect(try evaluate(.cast, [nan], to: .bool).values() == [true])
  }

  @Test("truncates real numbers to bytes instead of rounding")
  func bytes() throws {
    let inputs = stride(from: Float(-2), through: 258, by: 0.25).flatMap { [$0, $0.nextUp, $0.nextDown] }
    let result: [UInt8] = try evaluate(.cast, [try .input(inputs)], to: .uint8).values()
    for (input, value) in zip(inputs, result) { #expect(Float(value) == max(0, min(255, input)).rounded(.down)) }
  }

  /// All types that CAST accepts, with 0 and 1 in each.
  static let types: [(ElementType, [UInt8])] = [
    (.float32, [0, 0, 0, 0, 0, 0, 0x80, 0x3F]), (.float64, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]),
    (.float16, [0, 0, 0, 0x3C]), (.bfloat16, [0, 0, 0x80, 0x3F]), (.int8, [0, 1]), (.uint8, [0, 1]), (.bool, [0, 1]),
    (.int16, [0, 0, 1, 0]), (.uint16, [0, 0, 1, 0]), (.int32, [0, 0, 0, 0, 1, 0, 0, 0]),
    (.uint32, [0, 0, 0, 0, 1, 0, 0, 0]),
    (.int64, [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
    (.complex64, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0]),
  ]

  @Test("supports every pair of types", arguments: types)
  func everyPair(type: ElementType, bytes: [UInt8]) throws {
    let operand = Operand.input(try Tensor(elementType: type, shape: [2], bytes: bytes))
    for (target, expected) in Self.types {
      #expect(try evaluate(.cast, [operand], to: target).bytes == expected, "\(type) to \(target)")
    }
  }

  @Test("crosses its internal chunks, with one thread and several", arguments: [1, 3])
  func longTensors(threads: Int) throws {
    let values = (0..<50_001).map { Int16(truncatingIfNeeded: $0) }
    let result = try evaluate(.cast, [try .input(values)], to: .float64, run: RuntimeOptions(threads: threads))
    #expect(try result.values() == values.map(Double.init))
  }
}
