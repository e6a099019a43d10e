@testable import SwiftletKernels
import Testing

@Suite("Quantizing and dequantizing")
struct QuantizeTests {
  @Test(
    "quantized values equal the reference, including ties and huge values",
    arguments: variants([0, 1, 7, 8, 15, 16, 17, 63, 64, 65, 200]))
  func codes(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 111)
    var values = random.floats(count, in: -40...40)
    let special: [Float] = [0.5, -0.5, 1.5, -2.5, 0.49999997, -0.49999997, 1e30, -1e30, .infinity, -.infinity, 63.5, 0]
    for (index, value) in special.enumerated() where index < count { values[count - 1 - index] = value }
    let input = GuardedBuffer(values)
    for scale in [1, 0.25, 0.037] as [Float] {
      let bytes = GuardedBuffer<UInt8>(count: count, repeating: 0),
        halves = GuardedBuffer<Int16>(count: count, repeating: 0)
      let signed = GuardedBuffer<Int8>(count: count, repeating: 0)
      let dynamic = GuardedBuffer<Int8>(count: count, repeating: 0)
      table.quantization.quantize(
        count: count, input: input.pointer, scale: scale, zeroPoint: 100, lower: 0, upper: 255,
        isSigned: false, toBytes: bytes.pointer)
      table.quantization.quantize(
        count: count, input: input.pointer, scale: scale, zeroPoint: -90, lower: -128, upper: 120, isSigned: true,
        toBytes: signed.pointer)
      table.quantization.quantize(
        count: count, input: input.pointer, scale: scale, zeroPoint: -9, lower: -32768, upper: 32767,
        toInt16: halves.pointer)
      table.quantization.quantize(
        count: count, input: input.pointer, factor: 1 / scale, zeroPoint: -3, lower: -127, upper: 127,
        roundsToEven: false, toBytes: dynamic.pointer)
      let even = GuardedBuffer<UInt8>(count: count, repeating: 0)
      table.quantization.quantize(
        count: count, input: input.pointer, factor: 1 / scale, zeroPoint: 100, lower: 3, upper: 250, isSigned: false,
        roundsToEven: true, toBytes: even.pointer)
      for (index, x) in values.enumerated() {
        #expect(
          Int32(bytes.pointer[index])
            == KernelReference.quantize(x, scale: scale, zeroPoint: 100, lower: 0, upper: 255), "\(x)")
        #expect(
          Int32(signed.pointer[index])
            == KernelReference.quantize(x, scale: scale, zeroPoint: -90, lower: -128, upper: 120), "\(x)")
        #expect(
          Int32(halves.pointer[index])
            == KernelReference.quantize(x, scale: scale, zeroPoint: -9, lower: -32768, upper: 32767), "\(x)")
        #expect(
          Int32(dynamic.pointer[index])
            == KernelReference.quantize(x, factor: 1 / scale, zeroPoint: -3, lower: -127, upper: 127), "\(x)")
        let nearest = min(max((x * (1 / scale)).rounded(.toNearestOrEven) + 100, 3), 250)
        #expect(even.pointer[index] == UInt8(nearest), "\(x)")
      }
    }
  }

  @Test("NaN becomes the smallest quantized value", arguments: variants([1, 16, 70]))
  func notANumber(_ table: KernelTable, _ count: Int) {
    let input = GuardedBuffer([Float](repeating: .nan, count: count))
    let bytes = GuardedBuffer<Int8>(count: count, repeating: 0),
      halves = GuardedBuffer<Int16>(count: count, repeating: 0)
    table.quantization.quantize(
      count: count, input: input.pointer, scale: 1, zeroPoint: -100, lower: -128, upper: 127, isSigned: true,
      toBytes: bytes.pointer)
    #expect(bytes.values == [Int8](repeating: -128, count: count))
    table.quantization.quantize(
      count: count, input: input.pointer, factor: 2, zeroPoint: -100, lower: -127, upper: 127, roundsToEven: true,
      toBytes: bytes.pointer)
    #expect(bytes.values == [Int8](repeating: -127, count: count))
    table.quantization.quantize(
      count: count, input: input.pointer, scale: 1, zeroPoint: -7, lower: -32768, upper: 32767, toInt16: halves.pointer
    )
    #expect(halves.values == [Int16](repeating: -32768, count: count))
  }

  @Test(
    "values are differences from the zero point times the scale", arguments: variants([0, 1, 7, 8, 15, 16, 17, 256]))
  func values(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 112)
    let bytes = GuardedBuffer(random.integers(count, in: UInt8.min...UInt8.max))
    let halves = GuardedBuffer(random.integers(count, in: Int16.min...Int16.max))
    let output = GuardedBuffer<Float>(count: count, repeating: -77)
    for isSigned in [true, false] {
      table.quantization.dequantize(
        count: count, bytes: bytes.pointer, isSigned: isSigned, scale: 0.037, zeroPoint: -5, output: output.pointer)
      let expected = bytes.values.map { 0.037 * Float((isSigned ? Int32(Int8(bitPattern: $0)) : Int32($0)) + 5) }
      #expect(output.values == expected)
    }
    table.quantization.dequantize(
      count: count, halves: halves.pointer, scale: 0.0012, zeroPoint: 11, output: output.pointer)
    #expect(output.values == halves.values.map { 0.0012 * Float(Int32($0) - 11) })
  }

  @Test("all 65536 half-precision floats expand exactly", arguments: KernelTable.available)
  func halfPrecision(_ table: KernelTable) {
    let input = GuardedBuffer((0...65535).map { UInt16($0) })
    let output = GuardedBuffer<Float>(count: 65536, repeating: -77)
    table.quantization.expandFloat16(count: 65536, input: input.pointer, output: output.pointer)
    for bits in 0...65535 {
      let exponent = bits >> 10 & 31, fraction = Float(bits & 1023) / 1024
      let magnitude: Float =
        switch exponent {
        case 0: fraction * 0x1p-14
        case 31: fraction == 0 ? .infinity : .nan
        default: (1 + fraction) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
        }
      let expected = bits >= 0x8000 ? -magnitude : magnitude
      let got = output.pointer[bits]
      #expect(got.bitPattern == expected.bitPattern || (got.isNaN && expected.isNaN), "\(bits)")
    }
    for count in 0...20 {
      let few = GuardedBuffer([UInt16](repeating: 0x3E00, count: count))
      let expanded = GuardedBuffer<Float>(count: count, repeating: 0)
      table.quantization.expandFloat16(count: count, input: few.pointer, output: expanded.pointer)
      #expect(expanded.values == [Float](repeating: 1.5, count: count))
    }
  }
}
