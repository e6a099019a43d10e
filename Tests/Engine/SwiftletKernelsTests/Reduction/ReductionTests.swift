@testable import SwiftletKernels
import Testing

@Suite("Sums and extremes of rows")
struct ReductionTests {
  static let sizes: [(rows: Int, columns: Int)] = [0, 1, 2, 7].flatMap { rows in
    [0, 1, 3, 4, 8, 9, 15, 16, 17, 31, 63, 64, 65, 130].map { (rows, $0) }
  }

  @Test("columns of floats and bytes are summed over rows", arguments: variants(sizes))
  func sumsOfRows(_ table: KernelTable, _ size: (rows: Int, columns: Int)) {
    var random = SplitMix(seed: 91)
    let stride = size.columns + 2, count = size.rows == 0 ? 0 : (size.rows - 1) * stride + size.columns
    let floats = GuardedBuffer(random.floats(count)),
      bytes = GuardedBuffer(random.integers(count, in: UInt8.min...UInt8.max))
    let sums = GuardedBuffer<Float>(count: size.columns, repeating: -77)
    table.reduction.sumRows(
      rows: size.rows, columns: size.columns, input: floats.pointer, inputStride: stride, output: sums.pointer)
    for column in 0..<size.columns {
      let exact = (0..<size.rows).reduce(0.0) { $0 + Double(floats.pointer[$1 * stride + column]) }
      #expect(abs(Double(sums.pointer[column]) - exact) < 1e-6)
    }
    for isSigned in [true, false] {
      let byteSums = GuardedBuffer<Int32>(count: size.columns, repeating: -77)
      table.reduction.sumRows(
        rows: size.rows, columns: size.columns, bytes: bytes.pointer, isSigned: isSigned, inputStride: stride,
        output: byteSums.pointer)
      let expected = (0..<size.columns).map { column in
        (0..<size.rows).reduce(Int32(0)) {
          let byte = bytes.pointer[$1 * stride + column]
          return $0 + (isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte))
        }
      }
      #expect(byteSums.values == expected)
    }
  }

  @Test("each row returns its sum, minimum, and maximum", arguments: variants(sizes))
  func summaries(_ table: KernelTable, _ size: (rows: Int, columns: Int)) {
    var random = SplitMix(seed: 92)
    let stride = size.columns + 1, count = size.rows == 0 ? 0 : (size.rows - 1) * stride + size.columns
    let input = GuardedBuffer(random.floats(count))
    let sums = GuardedBuffer<Float>(count: size.rows, repeating: -77)
    let smallest = GuardedBuffer<Float>(count: size.rows, repeating: -77)
    let largest = GuardedBuffer<Float>(count: size.rows, repeating: -77)
    table.reduction.summarizeRows(
      rows: size.rows, columns: size.columns, input: input.pointer, inputStride: stride, sums: sums.pointer,
      smallest: smallest.pointer, largest: largest.pointer)
    table.reduction.summarizeRows(
      rows: size.rows, columns: size.columns, input: input.pointer, inputStride: stride, sums: nil, smallest: nil,
      largest: nil)
    for row in 0..<size.rows {
      let values = (0..<size.columns).map { input.pointer[row * stride + $0] }
      #expect(abs(Double(sums.pointer[row]) - values.reduce(0.0) { $0 + Double($1) }) < 1e-5)
      #expect(smallest.pointer[row] == values.min() ?? .infinity)
      #expect(largest.pointer[row] == values.max() ?? -.infinity)
    }
  }

  @Test("rows are added in XNNPACK's order for x86-64, bit-exactly", arguments: variants(sizes))
  func ordersSums(_ table: KernelTable, _ size: (rows: Int, columns: Int)) {
    var random = SplitMix(seed: 94)
    let input = GuardedBuffer(random.floats(size.rows * size.columns))
    let output = GuardedBuffer<Float>(count: size.rows, repeating: -77)
    table.reduction.reduceRows(
      .sum, rows: size.rows, columns: size.columns, input: input.pointer, inputStride: size.columns,
      output: output.pointer)
    // The number of vectors of the variant, and of separate accumulators.
    #if arch(arm64)
      let lanes = 8
    #else
      let lanes = table.name == "avx512" ? 16 : table.name == "portable" ? 4 : 8
    #endif
    let chains = lanes == 16 ? 2 : 4
    let expected = (0..<size.rows).map { row -> Float in
      let start = input.pointer + row * size.columns
      var sums = [[Float]](repeating: [Float](repeating: 0, count: lanes), count: chains)
      for vector in 0..<size.columns / lanes {
        for lane in 0..<lanes { sums[vector % chains][lane] += start[vector * lanes + lane] }
      }
      while sums.count > 1 {
        let half = sums.count / 2
        sums = (0..<half).map { chain in zip(sums[chain], sums[chain + half]).map(+) }
      }
      var sum = sums[0]
      for (lane, column) in (size.columns / lanes * lanes..<size.columns).enumerated() { sum[lane] += start[column] }
      while sum.count > 1 { sum = zip(sum.prefix(sum.count / 2), sum.suffix(sum.count / 2)).map(+) }
      return sum[0]
    }
    #expect(output.values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test("each row is reduced to one number, and extremes ignore NaN", arguments: variants(sizes))
  func reductions(_ table: KernelTable, _ size: (rows: Int, columns: Int)) {
    var random = SplitMix(seed: 93)
    let stride = size.columns + 3, count = size.rows == 0 ? 0 : (size.rows - 1) * stride + size.columns
    let input = GuardedBuffer(random.floats(count))
    let output = GuardedBuffer<Float>(count: size.rows, repeating: -77)
    func reduce(_ operation: ReductionKernels.RowOperation) -> [Float] {
      table.reduction.reduceRows(
        operation, rows: size.rows, columns: size.columns, input: input.pointer, inputStride: stride,
        output: output.pointer)
      return output.values
    }
    let rows = (0..<size.rows).map { row in (0..<size.columns).map { input.pointer[row * stride + $0] } }
    for (sum, row) in zip(reduce(.sum), rows) {
      #expect(abs(Double(sum) - row.reduce(0.0) { $0 + Double($1) }) < 1e-5)
    }
    for (sum, row) in zip(reduce(.sumOfSquares), rows) {
      #expect(abs(Double(sum) - row.reduce(0.0) { $0 + Double($1) * Double($1) }) < 1e-5)
    }
    #expect(reduce(.minimum) == rows.map { $0.min() ?? .infinity })
    #expect(reduce(.maximum) == rows.map { $0.max() ?? -.infinity })
    for row in 0..<size.rows where size.columns > 1 { input.pointer[row * stride + row % size.columns] = .nan }
    let numbers = (0..<size.rows).map { row in
      (0..<size.columns).map { input.pointer[row * stride + $0] }.filter { !$0.isNaN }
    }
    #expect(reduce(.minimum) == numbers.map { $0.min() ?? .infinity })
    #expect(reduce(.maximum) == numbers.map { $0.max() ?? -.infinity })
  }
}
