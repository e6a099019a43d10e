@testable import SwiftletKernels
import Testing

@Suite("Products with int4 weights")
struct Int4GemmTests {
  struct Shape: CustomStringConvertible {
    var rows: Int
    var columns: Int
    var blocks: Int
    var size: Int

    var depth: Int { blocks * size }
    var description: String { "\(rows) × \(columns), \(blocks) × \(size)" }
  }

  private static let shapes =
    [1, 2, 3, 4, 5, 9].map { Shape(rows: $0, columns: 37, blocks: 2, size: 16) }
    + [1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 65].map { Shape(rows: 3, columns: $0, blocks: 3, size: 8) }
    + (1...17).map { Shape(rows: 2, columns: 5, blocks: 2, size: $0) }
    + [Shape(rows: 1, columns: 130, blocks: 4, size: 32), Shape(rows: 6, columns: 66, blocks: 1, size: 100)]

  /// Random rows and weights, and what is computed from them.
  private struct Case {
    let shape: Shape
    let input: GuardedBuffer<Int8>
    let weights: GuardedBuffer<Int8>
    let bias: GuardedBuffer<Float>
    let rowScales: GuardedBuffer<Float>
    let zeroPoints: GuardedBuffer<Int32>

    init(_ shape: Shape) {
      var random = SplitMix(seed: UInt64(shape.depth))
      self.shape = shape
      let values = random.integers(shape.rows * shape.depth, in: Int8(-128)...127)
      input = GuardedBuffer(values + [Int8](repeating: 99, count: 7))
      weights = GuardedBuffer(random.integers(shape.columns * shape.depth, in: Int8(-8)...7))
      bias = GuardedBuffer(random.floats(shape.columns))
      rowScales = GuardedBuffer(random.floats(shape.rows, in: 0.01...0.1))
      zeroPoints = GuardedBuffer(random.integers(shape.rows, in: Int32(-128)...127))
    }

    /// Returns the result of the kernel, with a gap of two elements after every row.
    func result(
      _ gemm: QuantizedGemmKernels, scales: [Float], haveScales: Bool, isFused: Bool = false,
      limits: ClosedRange<Float> = -50...40
    ) -> [Float] {
      let blocks = Int4Blocks(
        count: haveScales ? shape.blocks : 1, size: haveScales ? shape.size : shape.depth, haveScales: haveScales)
      let panels = GuardedBuffer<Int32>(
        count: gemm.packedByteCount(columns: shape.columns, blocks: blocks) / 4, repeating: 0x5A5A_5A5A)
      let ownScales = GuardedBuffer(scales)
      gemm.packInt4(
        columns: shape.columns, blocks: blocks, weights: weights.pointer, columnStride: shape.depth,
        scales: ownScales.pointer, bias: bias.pointer, into: panels.pointer)
      let terms = GuardedBuffer<Int32>(count: shape.rows * blocks.count, repeating: -77)
      gemm.computeInt4Terms(rows: shape.rows, blocks: blocks, input: input.pointer, into: terms.pointer)
      let output = GuardedBuffer<Float>(count: shape.rows * (shape.columns + 2), repeating: -77)
      gemm.multiplyDynamicRange(
        rows: shape.rows, columns: shape.columns, blocks: blocks, input: input.pointer, rowTerms: terms.pointer,
        panels: panels.pointer, rowScales: rowScales.pointer, rowZeroPoints: zeroPoints.pointer,
        output: output.pointer, outputStride: shape.columns + 2, lower: limits.lowerBound, upper: limits.upperBound,
        isFused: isFused)
      return output.values
    }
  }

  @Test("blocks are scaled and added in ascending order, bit for bit", arguments: variants(shapes))
  func blocks(_ table: KernelTable, _ shape: Shape) {
    let problem = Case(shape)
    var random = SplitMix(seed: 7)
    let scales = random.floats(shape.columns * shape.blocks, in: 0.001...0.2)
    let result = problem.result(table.quantizedGemm, scales: scales, haveScales: true)
    for row in 0..<shape.rows {
      for column in 0..<shape.columns + 2 {
        let value = result[row * (shape.columns + 2) + column]
        guard column < shape.columns else {
          #expect(value == -77, "gap of row \(row)")
          continue
        }
        var total: Float = 0
        var zero: Float = 0
        for block in 0..<shape.blocks {
          var sum: Int32 = 0
          var weightSum: Int32 = 0
          for channel in block * shape.size..<(block + 1) * shape.size {
            let weight = Int32(problem.weights.values[column * shape.depth + channel])
            sum += Int32(problem.input.values[row * shape.depth + channel]) * weight
            weightSum += weight
          }
          let scale = scales[column * shape.blocks + block]
          total += Float(sum) * scale
          zero += scale * Float(weightSum)
        }
        let scaled = (total - Float(problem.zeroPoints.values[row]) * zero) * problem.rowScales.values[row]
        let expected = min(max(scaled + problem.bias.values[column], -50), 40)
        #expect(value == expected, "row \(row), column \(column)")
      }
    }
  }

  @Test("with a scale per column, results are those of the same weights in bytes", arguments: variants(shapes))
  func columns(_ table: KernelTable, _ shape: Shape) {
    let gemm = table.quantizedGemm
    let problem = Case(shape)
    var random = SplitMix(seed: 8)
    let scales = random.floats(shape.columns, in: 0.001...0.2)
    let panels = GuardedBuffer<Int32>(
      count: gemm.packedByteCount(columns: shape.columns, taps: 1, tapDepth: shape.depth) / 4, repeating: 0)
    gemm.packDynamicRange(
      columns: shape.columns, taps: 1, tapDepth: shape.depth, weights: problem.weights.pointer,
      columnStride: shape.depth, tapStride: 0, channelStride: 1, scales: scales, scaleStride: 1,
      bias: problem.bias.pointer, into: panels.pointer)
    for isFused in [false, true] {
      let expected = GuardedBuffer<Float>(count: shape.rows * (shape.columns + 2), repeating: -77)
      gemm.multiplyDynamicRange(
        rows: shape.rows, columns: shape.columns,
        input: .rows(base: problem.input.pointer, isSigned: true, stride: shape.depth, depth: shape.depth),
        panels: panels.pointer, rowScales: problem.rowScales.pointer, rowZeroPoints: problem.zeroPoints.pointer,
        rowParameterStride: 1, output: expected.pointer, outputStride: shape.columns + 2, lower: -50, upper: 40,
        isFused: isFused)
      #expect(problem.result(gemm, scales: scales, haveScales: false, isFused: isFused) == expected.values)
    }
  }

  @Test("the largest sums are exact", arguments: variants([8, 4096, 65_536]))
  func largestSums(_ table: KernelTable, _ depth: Int) {
    let gemm = table.quantizedGemm, blocks = Int4Blocks(count: 1, size: depth, haveScales: false)
    for (value, weight) in [(-128, -8), (-128, 7), (127, -8), (127, 7)] as [(Int8, Int8)] {
      let input = GuardedBuffer([Int8](repeating: value, count: depth + 7))
      let weights = [Int8](repeating: weight, count: depth)
      let panels = GuardedBuffer<Int32>(count: gemm.packedByteCount(columns: 1, blocks: blocks) / 4, repeating: 0)
      gemm.packInt4(
        columns: 1, blocks: blocks, weights: weights, columnStride: depth, scales: [1], bias: nil,
        into: panels.pointer)
      let terms = GuardedBuffer<Int32>(count: 1, repeating: 0), output = GuardedBuffer<Float>(count: 1, repeating: 0)
      gemm.computeInt4Terms(rows: 1, blocks: blocks, input: input.pointer, into: terms.pointer)
      gemm.multiplyDynamicRange(
        rows: 1, columns: 1, blocks: blocks, input: input.pointer, rowTerms: terms.pointer, panels: panels.pointer,
        rowScales: [1], rowZeroPoints: [0], output: output.pointer, outputStride: 1, lower: -.infinity,
        upper: .infinity, isFused: false)
      #expect(output.values == [Float(Int(value) * Int(weight) * depth)])
    }
  }
}
