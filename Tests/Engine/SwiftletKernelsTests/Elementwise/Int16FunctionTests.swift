@testable import SwiftletKernels
import Testing

@Suite("Functions of int16 values")
struct Int16FunctionTests {
  static let counts = [1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 100]

  @Test("sums, products, and PRELU are those of scalar arithmetic", arguments: variants(counts))
  func combines(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 91)
    let left = GuardedBuffer(random.integers(count, in: Int16.min...Int16.max))
    let right = GuardedBuffer(random.integers(count, in: Int16.min...Int16.max))
    let slopes = GuardedBuffer(random.integers(count, in: Int8.min...Int8.max))
    let output = GuardedBuffer<Int16>(count: count, repeating: 0)
    func expect(
      _ operation: Int16BinaryOperation, _ p: Int16BinaryParameters, _ right: UnsafeRawPointer,
      _ function: (Float, Int) -> Float
    ) {
      let expected = (0..<count).map { index in
        let value = function(Float(left.pointer[index]), index)
        let raised = value > p.lower ? value : p.lower
        return Int16((raised < p.upper ? raised : p.upper).rounded(.toNearestOrEven))
      }
      table.elementwise.combineInt16(
        operation, p, count: count, left: left.pointer, right: right, output: output.pointer)
      #expect(output.values == expected, "\(operation)")
      let inPlace = GuardedBuffer(left.values)
      table.elementwise.combineInt16(
        operation, p, count: count, left: inPlace.pointer, right: right, output: inPlace.pointer)
      #expect(inPlace.values == expected, "\(operation) in place")
    }
    for (lower, upper) in [(-32768, 32767), (-5, 3000)] as [(Int32, Int32)] {
      let sum = Int16BinaryParameters(0.37, -1.25, 0.5, lower: lower, upper: upper)
      expect(.sum, sum, right.pointer) { $0 * 0.37 + (Float(right.pointer[$1]) * -1.25 + 0.5) }
      let product = Int16BinaryParameters(3, -2, 1.3e-4, -7, lower: lower, upper: upper)
      expect(.product, product, right.pointer) { ($0 - 3) * (Float(right.pointer[$1]) + 2) * 1.3e-4 - 7 }
      let relu = Int16BinaryParameters(-9, 4, 0.9, 0.02, 1, lower: lower, upper: upper)
      expect(.parametricRelu, relu, slopes.pointer) {
        ($0 + 9) * ($0 + 9 >= 0 ? 0.9 : (Float(slopes.pointer[$1]) - 4) * 0.02) + 1
      }
      let overflowing = Int16BinaryParameters(.infinity, -.infinity, 0, lower: lower, upper: upper)
      expect(.sum, overflowing, right.pointer) { $0 * .infinity + (Float(right.pointer[$1]) * -.infinity) }
    }
  }

  @Test("leaky ReLU has the reference's roundings for every value", arguments: KernelTable.available)
  func leakyRelu(_ table: KernelTable) {
    let input = GuardedBuffer((Int16.min...Int16.max).map { $0 })
    let output = GuardedBuffer<Int16>(count: input.count, repeating: 0)
    for (positive, negative, negates, zero) in [
      (1.0, 0.1, false, 0), (0.3, 0.7, true, 5), (2.5, 0.001, false, -7), (0.9, 1.7, true, 0), (1e-12, 0.5, false, 0),
    ] as [(Double, Double, Bool, Int32)] {
      let (p, n) = (QuantizedMultiplier(positive), QuantizedMultiplier(negative))
      table.elementwise.leakyReluInt16(
        Int16LeakyReluParameters(
          inputZeroPoint: zero, positive: p, negative: n, negates: negates, zeroPoint: 2, lower: -20000, upper: 32767),
        count: input.count, input: input.pointer, output: output.pointer)
      let expected = input.values.map { x in
        let value = Int32(x) - zero
        let scaled = value >= 0 ? p.apply(value) : (negates ? -1 : 1) * n.apply(value)
        return Int16(min(max(scaled + 2, -20000), 32767))
      }
      #expect(output.values == expected, "\(positive) \(negative)")
    }
  }

  @Test("interpolation covers every value", arguments: KernelTable.available)
  func sigmoid(_ table: KernelTable) {
    // Samples in the low half, and slopes that differ in the high half.
    let words = GuardedBuffer<Int32>(
      (0..<255).map { (index: Int32) -> Int32 in
        let slope: Int32 = 128 - index % 3
        return (32768 + index * 128) | (slope << 16)
      })
    let input = GuardedBuffer<Int16>(Array(Int16.min...Int16.max))
    let output = GuardedBuffer<Int16>(count: input.count, repeating: 0)
    for (multiplier, shift) in [(3, 0), (12, 0), (21845, 13), (32767, 1), (Int32.max, 0), (65536, 0)]
      as [(Int32, Int32)]
    {
      for (bits, saturated, center, reflected, resultShift) in [
        (9, 0x7FFF << 10, 0, (1 << 25) - 1, 10), (8, 0xFFFF << 8, 1 << 23, (1 << 23) - 1, 8),
      ] as [(Int32, Int32, Int32, Int32, Int32)] {
        let half: Int32 = shift > 0 ? 1 << (shift - 1) : 0
        table.elementwise.sigmoidInt16(
          Int16SigmoidParameters(
            multiplier: multiplier, half: half, shift: shift, fractionBits: bits, saturated: saturated, center: center,
            reflected: reflected, resultShift: resultShift), table: words.pointer, count: input.count,
          input: input.pointer, output: output.pointer)
        let rounding: Int32 = 1 << (resultShift - 1), mask: UInt32 = (1 << UInt32(bits)) - 1
        let expected = input.values.map { (x: Int16) -> Int16 in
          let position: Int32 = (Int32(x) &* multiplier &+ half) &>> shift
          let index = Int(position.magnitude >> UInt32(bits))
          var value = saturated
          if index < 255 {
            let fraction = Int32(position.magnitude & mask), word: Int32 = words.pointer[index]
            let start: Int32 = (word & 0xFFFF) << bits
            value = start + fraction * (word >> 16)
          }
          let centered = position >= 0 ? value - center : reflected - value
          return Int16(truncatingIfNeeded: (centered + rounding) >> resultShift)
        }
        #expect(output.values == expected, "\(multiplier) \(shift) \(bits)")
      }
    }
  }
}
