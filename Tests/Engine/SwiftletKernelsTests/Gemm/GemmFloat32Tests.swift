@testable import SwiftletKernels
import Testing

@Suite("Float32 matrix multiplication")
struct GemmFloat32Tests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var rows: Int
    var columns: Int
    var taps: Int
    var tapDepth: Int
    var testDescription: String { "\(rows)×\(taps)·\(tapDepth)×\(columns)" }
  }

  static let shapes: [Shape] = {
    var shapes = [
      Shape(rows: 0, columns: 5, taps: 1, tapDepth: 3), Shape(rows: 3, columns: 0, taps: 1, tapDepth: 3),
      Shape(rows: 3, columns: 5, taps: 1, tapDepth: 0), Shape(rows: 3, columns: 5, taps: 0, tapDepth: 3),
      Shape(rows: 1, columns: 1, taps: 1, tapDepth: 1), Shape(rows: 1, columns: 301, taps: 2, tapDepth: 17),
      Shape(rows: 13, columns: 70, taps: 9, tapDepth: 5),
    ]
    for rows in 1...14 { shapes.append(Shape(rows: rows, columns: 33, taps: 2, tapDepth: 7)) }
    // Up to two tiles of eight rows, by one vector of columns.
    for rows in 1...18 {
      for columns in [3, 8, 16, 34] { shapes.append(Shape(rows: rows, columns: columns, taps: 2, tapDepth: 5)) }
    }
    // Parts of a vector of columns in tiles of eight rows.
    for columns in 1...7 { shapes.append(Shape(rows: 17, columns: columns, taps: 2, tapDepth: 5)) }
    for columns in 1...36 { shapes.append(Shape(rows: 7, columns: columns, taps: 1, tapDepth: 4)) }
    // One row per lane, for few columns in either vector of a panel: no rows, whole vectors of rows, and rows beyond.
    for columns in [0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 20, 24, 25, 33, 40, 49, 56] {
      for rows in [15, 16, 17, 35] { shapes.append(Shape(rows: rows, columns: columns, taps: 1, tapDepth: 24)) }
    }
    for depth in 1...33 {
      for columns in [2, 8, 22] { shapes.append(Shape(rows: 18, columns: columns, taps: 3, tapDepth: depth)) }
    }
    return shapes
  }()

  @Test(
    "windows with padding agree with plain loops, and nothing outside the output is accessed",
    arguments: variants(shapes))
  func agreesWithPlainLoops(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 11)
    let depth = shape.taps * shape.tapDepth
    let pixels = 9
    let input = GuardedBuffer(random.floats(pixels * shape.tapDepth))
    let zeroRow = GuardedBuffer([Float](repeating: 0, count: shape.tapDepth))
    let weights = GuardedBuffer(random.floats(shape.columns * depth))
    let bias = GuardedBuffer(random.floats(shape.columns))
    let offsets = GuardedBuffer(
      (0..<shape.rows * shape.taps).map { _ in
        let pixel = Int.random(in: -2..<pixels, using: &random)
        return Int32(pixel < 0 ? -1 : pixel * shape.tapDepth)
      })
    let panels = GuardedBuffer<Float>(
      count: table.gemm.packedCount(columns: shape.columns, depth: depth), repeating: .nan)
    table.gemm.pack(
      columns: shape.columns, depth: depth, weights: weights.pointer, columnStride: depth, depthStride: 1,
      bias: bias.pointer, into: panels.pointer)

    let stride = shape.columns + 3
    let count = shape.rows == 0 ? 0 : (shape.rows - 1) * stride + shape.columns
    let output = GuardedBuffer<Float>(count: count, repeating: -77)
    let expected = GuardedBuffer<Float>(count: count, repeating: -77)
    table.gemm.multiplyTaps(
      rows: shape.rows, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, input: input.pointer,
      offsets: offsets.pointer, zeroRow: zeroRow.pointer, panels: panels.pointer, output: output.pointer,
      outputStride: stride, lower: -0.75, upper: 1.5)
    KernelReference.multiplyTaps(
      rows: shape.rows, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, input: input.pointer,
      offsets: offsets.pointer, zeroRow: zeroRow.pointer, weights: weights.pointer, bias: bias.pointer,
      output: expected.pointer, outputStride: stride, lower: -0.75, upper: 1.5)

    let bound = Float(depth + 1) * 6e-8
    for (index, (got, wanted)) in zip(output.values, expected.values).enumerated() {
      #expect(abs(got - wanted) <= bound, "element \(index)")
    }
  }

  @Test("rows at a constant stride are bit-exact with the same rows as windows", arguments: variants([1, 2, 5, 6, 20]))
  func rowsEqualWindows(_ table: KernelTable, _ rows: Int) {
    var random = SplitMix(seed: 12)
    let columns = 150, depth = 19, stride = 23
    let input = GuardedBuffer(random.floats((rows - 1) * stride + depth))
    let weights = random.floats(columns * depth)
    let panels = GuardedBuffer<Float>(count: table.gemm.packedCount(columns: columns, depth: depth), repeating: .nan)
    // The right-hand side of a matrix product: depth × columns.
    table.gemm.pack(
      columns: columns, depth: depth, weights: weights, columnStride: 1, depthStride: columns, bias: nil,
      into: panels.pointer)
    let byRows = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
    let byTaps = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
    let offsets = (0..<rows).map { Int32($0 * stride) }
    table.gemm.multiplyRows(
      rows: rows, columns: columns, depth: depth, input: input.pointer, inputStride: stride, panels: panels.pointer,
      output: byRows.pointer, outputStride: columns, lower: -.infinity, upper: .infinity)
    table.gemm.multiplyTaps(
      rows: rows, columns: columns, taps: 1, tapDepth: depth, input: input.pointer, offsets: offsets,
      zeroRow: input.pointer, panels: panels.pointer, output: byTaps.pointer, outputStride: columns,
      lower: -.infinity, upper: .infinity)
    #expect(byRows.values == byTaps.values)

    for row in 0..<rows {
      for column in 0..<columns {
        let exact = (0..<depth).reduce(0.0) { sum, step in
          sum + Double(input.pointer[row * stride + step]) * Double(weights[step * columns + column])
        }
        #expect(abs(Double(byRows.values[row * columns + column]) - exact) < Double(depth) * 6e-8)
      }
    }
  }

  @Test(
    "a row's result does not depend on the rows computed with it", arguments: variants([300, 8, 3, 20, 16, 40]))
  func resultsDoNotDependOnTiling(_ table: KernelTable, _ columns: Int) {
    var random = SplitMix(seed: 13)
    let rows = 33, depth = 67
    let input = random.floats(rows * depth)
    let panels = GuardedBuffer<Float>(count: table.gemm.packedCount(columns: columns, depth: depth), repeating: 0)
    table.gemm.pack(
      columns: columns, depth: depth, weights: random.floats(columns * depth), columnStride: depth, depthStride: 1,
      bias: nil, into: panels.pointer)
    func multiply(_ range: Range<Int>, into output: UnsafeMutablePointer<Float>) {
      input.withUnsafeBufferPointer {
        guard let base = $0.baseAddress else { return }
        table.gemm.multiplyRows(
          rows: range.count, columns: columns, depth: depth, input: base + range.lowerBound * depth,
          inputStride: depth, panels: panels.pointer, output: output + range.lowerBound * columns,
          outputStride: columns, lower: -.infinity, upper: .infinity)
      }
    }
    let together = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
    let apart = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
    multiply(0..<rows, into: together.pointer)
    for range in [0..<1, 1..<3, 3..<9, 9..<10, 10..<17, 17..<33] { multiply(range, into: apart.pointer) }
    #expect(together.values == apart.values)
  }

  @Test("columns that are packed and computed from a panel boundary equal the whole", arguments: KernelTable.available)
  func columnRangesEqualTheWhole(_ table: KernelTable) {
    var random = SplitMix(seed: 14)
    let gemm = table.gemm
    let columns = 3 * gemm.panelColumns + 5, depth = 11, rows = 4, cut = 2 * gemm.panelColumns
    let weights = random.floats(columns * depth), bias = random.floats(columns), input = random.floats(rows * depth)
    let whole = GuardedBuffer<Float>(count: gemm.packedCount(columns: columns, depth: depth), repeating: 0)
    let parts = GuardedBuffer<Float>(count: whole.count, repeating: 0)
    let skipped = gemm.packedCount(columns: cut, depth: depth)
    weights.withUnsafeBufferPointer { weights in
      bias.withUnsafeBufferPointer { bias in
        guard let weights = weights.baseAddress, let bias = bias.baseAddress else { return }
        gemm.pack(
          columns: columns, depth: depth, weights: weights, columnStride: depth, depthStride: 1, bias: bias,
          into: whole.pointer)
        gemm.pack(
          columns: cut, depth: depth, weights: weights, columnStride: depth, depthStride: 1, bias: bias,
          into: parts.pointer)
        gemm.pack(
          columns: columns - cut, depth: depth, weights: weights + cut * depth, columnStride: depth, depthStride: 1,
          bias: bias + cut, into: parts.pointer + skipped)
      }
    }
    #expect(whole.values == parts.values)
    let first = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
    let second = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
    gemm.multiplyRows(
      rows: rows, columns: columns, depth: depth, input: input, inputStride: depth, panels: whole.pointer,
      output: first.pointer, outputStride: columns, lower: -1, upper: 1)
    gemm.multiplyRows(
      rows: rows, columns: cut, depth: depth, input: input, inputStride: depth, panels: whole.pointer,
      output: second.pointer, outputStride: columns, lower: -1, upper: 1)
    gemm.multiplyRows(
      rows: rows, columns: columns - cut, depth: depth, input: input, inputStride: depth,
      panels: whole.pointer + skipped, output: second.pointer + cut, outputStride: columns, lower: -1, upper: 1)
    #expect(first.values == second.values)
  }

  @Test("NaN passes through the clamp", arguments: KernelTable.available)
  func notANumberPassesThrough(_ table: KernelTable) {
    let panels = GuardedBuffer<Float>(count: table.gemm.packedCount(columns: 1, depth: 1), repeating: 0)
    table.gemm.pack(
      columns: 1, depth: 1, weights: [1], columnStride: 1, depthStride: 1, bias: nil, into: panels.pointer)
    let output = GuardedBuffer<Float>(count: 1, repeating: 0)
    table.gemm.multiplyRows(
      rows: 1, columns: 1, depth: 1, input: [.nan], inputStride: 1, panels: panels.pointer, output: output.pointer,
      outputStride: 1, lower: 0, upper: 6)
    #expect(output.pointer[0].isNaN)
  }
}
