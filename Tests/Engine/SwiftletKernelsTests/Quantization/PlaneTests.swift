@testable import SwiftletKernels
import Testing

@Suite("Sums of two planes")
struct PlaneTests {
  @Test("are rescaled like 64-bit sums", arguments: variants([1, 2, 3, 8, 15, 16, 17, 33, 40]))
  func rescales(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 93)
    let rows = 5, padding = QuantizationKernels.planeSlackBytes
    for (largest, shift) in [(1 << 8, -3), (1 << 20, -9), (1 << 29, -16), (1 << 22, 0), (1 << 9, 3)] as [(Int32, Int32)]
    {
      let high = GuardedBuffer(random.integers(rows * columns + padding / 4, in: -largest...largest))
      let low = GuardedBuffer(random.integers(rows * columns + padding / 4, in: -largest...largest))
      let terms = random.integers(columns + padding / 8, in: Int64(-largest)...Int64(largest))
      let multipliers = random.integers(columns, in: Int32(1 << 30)...Int32.max).map {
        QuantizedMultiplier(multiplier: $0, shift: shift)
      }
      let fixed = multipliers.map { factor in
        let fraction = factor.multiplier < 0x7FFF_0000 ? (factor.multiplier + (1 << 15)) >> 16 : 0x7FFF
        return Double(sign: .plus, exponent: Int(shift) - 15, significand: Double(fraction))
      }
      // Halves of odd sums are ties.
      let real = (0..<columns).map { $0 % 2 == 0 ? Double(sign: .plus, exponent: Int(shift) - 2, significand: 1) : 0.3 }
      func sum(_ index: Int) -> Int64 {
        Int64(high.pointer[index]) * 256 + Int64(low.pointer[index]) + terms[index % columns]
      }
      func rescaled(_ factors: [Double], roundsUp: Bool) -> [Int16] {
        let output = GuardedBuffer<Int16>(count: (rows - 1) * (columns + 3) + columns, repeating: 77)
        let factors = GuardedBuffer(factors + [Double](repeating: 0, count: padding / 8))
        let terms = GuardedBuffer(terms.map { Double($0) })
        table.quantization.rescalePlanes(
          roundsUp: roundsUp, rows: rows, columns: columns, high: high.pointer, low: low.pointer, stride: columns,
          terms: terms.pointer, factors: factors.pointer, zeroPoint: 1, lower: -30000, upper: 32000,
          output: output.pointer, outputStride: columns + 3)
        return output.values
      }
      func expected(_ scaled: (Int) -> Int) -> [Int16] {
        var result = [Int16](repeating: 77, count: (rows - 1) * (columns + 3) + columns)
        for index in 0..<rows * columns {
          result[index / columns * (columns + 3) + index % columns] = Int16(min(max(scaled(index) + 1, -30000), 32000))
        }
        return result
      }
      let fixedResults = expected { index in
        let factor = multipliers[index % columns]
        // Without wrapping to 32 bits.
        let fraction = factor.multiplier < 0x7FFF_0000 ? (Int64(factor.multiplier) + (1 << 15)) >> 16 : 0x7FFF
        return Int((sum(index) * fraction + 1 << (14 - Int64(shift))) >> (15 - Int64(shift)))
      }
      #expect(rescaled(fixed, roundsUp: true) == fixedResults, "\(largest) \(shift)")
      let realResults = expected { index in
        Int((Double(sum(index)) * real[index % columns]).rounded(.toNearestOrAwayFromZero))
      }
      #expect(rescaled(real, roundsUp: false) == realResults, "\(largest) \(shift)")
    }
  }
}
