@testable import SwiftletKernels
import Testing

@Suite("Dynamic range")
struct DynamicRangeTests {
  @Test(
    "the extremes are found at any position, and NaN is ignored",
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

  @Test(
    "every row is quantized with its own extremes, halves to even, and NaN becomes the lowest value",
    arguments: variants([1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65, 130]))
  func rows(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 123)
    let ranges: [ClosedRange<Float>] = [-1...1, 0.5...3, -9...(-2), -0.001...40, 0...0]
    var values = ranges.flatMap { random.floats(columns, in: $0) }
    // With steps of one, halves are ties. The second to last row has no number at all.
    values += (0..<columns).map { $0 == 0 ? -127.5 : $0 == 1 ? 127.5 : Float($0 % 40) - 19.5 }
    values += [Float](repeating: .nan, count: columns)
    values += random.floats(columns).enumerated().map { $0.offset == columns / 2 ? .nan : $0.element }
    // Rows are quantized four at a time, and up to three more.
    for rows in 1...values.count / columns {
      check(table, Array(values[..<(rows * columns)]), columns: columns)
    }
  }

  private func check(_ table: KernelTable, _ values: [Float], columns: Int) {
    let rows = values.count / columns
    let input = GuardedBuffer(values), codes = GuardedBuffer<Int8>(count: values.count, repeating: 77)
    let scales = GuardedBuffer<Float>(count: rows, repeating: -77),
      zeroPoints = GuardedBuffer<Int32>(count: rows, repeating: -77)
    table.quantization.quantizeRows(
      rows: rows, columns: columns, input: input.pointer, scales: scales.pointer, zeroPoints: zeroPoints.pointer,
      output: codes.pointer)
    for row in 0..<rows {
      let numbers = values[row * columns..<(row + 1) * columns]
      let low = min(0, numbers.filter { !$0.isNaN }.min() ?? 0), high = max(0, numbers.filter { !$0.isNaN }.max() ?? 0)
      let factor = low == high ? 0 : 255 / (high - low)
      #expect(scales.pointer[row] == (low == high ? 1 : 1 / factor))
      let errors = (-128 + low * factor) + (127 + high * factor)
      let exact = low == high ? 0 : errors > 0 ? -128 - low * factor : 127 - high * factor
      let zeroPoint = Int32(min(max(exact, -128), 127).rounded(.toNearestOrEven))
      #expect(zeroPoints.pointer[row] == zeroPoint)
      for (column, number) in numbers.enumerated() {
        let steps = (number * factor).rounded(.toNearestOrEven)
        let expected = number.isNaN ? -128 : Int8(min(max(steps + Float(zeroPoint), -128), 127))
        #expect(codes.pointer[row * columns + column] == expected, "row \(row), column \(column): \(number)")
      }
    }
  }

  @Test("the extremes of an empty array are zero", arguments: KernelTable.available)
  func noElements(_ table: KernelTable) {
    #expect(table.quantization.extremes(count: 0, input: GuardedBuffer<Float>([]).pointer) == SIMD2(0, 0))
  }

  @Test(
    "sums are scaled in each order, bit for bit",
    arguments: variants([0, 1, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70]))
  func scaledSums(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 122)
    let rows = 3, rowScale: Float = 0.0173
    let sums = GuardedBuffer(random.integers(rows * columns, in: Int32(-900_000)...900_000))
    let scales = GuardedBuffer(random.floats(columns, in: 0.0001...0.1)), bias = GuardedBuffer(random.floats(columns))
    for hasBias in [true, false] {
      for order in SumScaling.allCases {
        let output = GuardedBuffer<Float>(count: rows * columns, repeating: -77)
        table.quantization.scale(
          rows: rows, columns: columns, sums: sums.pointer, rowScale: rowScale, scales: scales.pointer,
          bias: hasBias ? UnsafePointer(bias.pointer) : nil, order: order, lower: -20, upper: 30,
          output: output.pointer)
        for (index, value) in output.values.enumerated() {
          let column = index % columns
          let sum = Float(sums.pointer[index]), scale = scales.pointer[column]
          let offset = hasBias ? bias.pointer[column] : 0
          let results: [Float]
          switch order {
          case .scalesFirst: results = [sum * (scale * rowScale) + offset]
          case .columnFirst: results = [sum * scale * rowScale + offset]
          // The last sum is fused on most instruction sets.
          case .rowFirst: results = [offset.addingProduct(sum * rowScale, scale), sum * rowScale * scale + offset]
          }
          let expected = results.map { min(max($0, -20), 30) }
          #expect(expected.contains(value), "\(order), bias \(hasBias), element \(index)")
        }
      }
    }
  }

  @Test("a range is extended to include zero, which is exactly representable")
  func parameters() {
    func parts(_ low: Float, _ high: Float) -> [Float] {
      let parameters = DynamicRangeParameters(low: low, high: high)
      return [parameters.scale, parameters.factor, Float(parameters.zeroPoint)]
    }
    #expect(parts(-64, 191) == [1, 1, -64])
    #expect(parts(-191, 64) == [1, 1, 63])
    #expect(parts(0, 255) == [1, 1, -128])
    #expect(parts(51, 255) == [1, 1, -128])
    #expect(parts(-255, 0) == [1, 1, 127])
    #expect(parts(-255, -51) == [1, 1, 127])
    #expect(parts(0, 510) == [2, 0.5, -128])
    // In the middle, 127 - 127.5 is rounded to even.
    let step: Float = 1 / 127.5
    #expect(parts(-1, 1) == [step, 127.5, 0])
    #expect(parts(0, 0) == [1, 0, 0])
    #expect(parts(.nan, .nan) == [1, 0, 0])
    #expect(parts(.nan, 255) == [1, 1, -128])
    #expect(parts(-255, .nan) == [1, 1, 127])
    #expect(DynamicRangeParameters(low: -.infinity, high: .infinity).zeroPoint == -128)
  }
}
