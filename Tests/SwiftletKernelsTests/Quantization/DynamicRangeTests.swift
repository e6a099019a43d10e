@testable import SwiftletKernels
import Testing

@Suite("Dynamic range")
struct DynamicRangeTests {
  @Test(
    "the extremes are found wherever they are, and NaN is passed over",
    arguments: variants([1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 200]))
  func extremes(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: 121)
    let input = GuardedBuffer(random.floats(count))
    for position in 0..<count {
      let kept = input.pointer[position]
      input.pointer[position] = -3
      #expect(table.quantization.extremes(count: count, input: input.pointer).x == -3, "at \(position)")
      input.pointer[position] = 3
      #expect(table.quantization.extremes(count: count, input: input.pointer).y == 3, "at \(position)")
      input.pointer[position] = .nan
      let others = input.values.filter { !$0.isNaN }
      let expected = SIMD2(others.min() ?? .infinity, others.max() ?? -.infinity)
      #expect(table.quantization.extremes(count: count, input: input.pointer) == expected, "NaN at \(position)")
      input.pointer[position] = kept
    }
  }

  @Test("no elements have the extremes zero", arguments: KernelTable.available)
  func noElements(_ table: KernelTable) {
    #expect(table.quantization.extremes(count: 0, input: GuardedBuffer<Float>([]).pointer) == SIMD2(0, 0))
  }

  @Test(
    "sums are scaled in the reference's order, bit for bit",
    arguments: variants([0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70]))
  func scaledSums(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 122)
    let rows = 3, rowScale: Float = 0.0173
    let sums = GuardedBuffer(random.integers(rows * columns, in: Int32(-900_000)...900_000))
    let scales = GuardedBuffer(random.floats(columns, in: 0.0001...0.1)), bias = GuardedBuffer(random.floats(columns))
    for hasBias in [true, false] {
      let output = GuardedBuffer<Float>(count: rows * columns, repeating: -77)
      table.quantization.scale(
        rows: rows, columns: columns, sums: sums.pointer, rowScale: rowScale, scales: scales.pointer,
        bias: hasBias ? UnsafePointer(bias.pointer) : nil, lower: -20, upper: 30, output: output.pointer)
      let expected = (0..<rows * columns).map { index -> Float in
        let column = index % columns
        let product = Float(sums.pointer[index]) * (scales.pointer[column] * rowScale)
        return min(max(hasBias ? product + bias.pointer[column] : product, -20), 30)
      }
      #expect(output.values == expected, "bias \(hasBias)")
    }
  }
}
