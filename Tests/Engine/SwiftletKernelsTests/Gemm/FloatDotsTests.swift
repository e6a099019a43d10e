@testable import SwiftletKernels
import Testing

@Suite("Dot products of float32 windows")
struct FloatDotsTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var rows: Int
    var columns: Int
    var taps = 2
    var tapDepth: Int
    /// The distance between two rows of results beyond the number of columns.
    var gap = 0
    var testDescription: String { "\(rows)×\(taps)·\(tapDepth)×\(columns), gap \(gap)" }
  }

  /// Rows up to two steps of four, every number of columns that fills pairs or doesn't, and depths around one, two, and
  /// three vectors of any instruction set.
  private static let shapes: [Shape] = {
    var shapes = [
      Shape(rows: 0, columns: 1, tapDepth: 3), Shape(rows: 3, columns: 0, tapDepth: 3),
      Shape(rows: 3, columns: 2, tapDepth: 0), Shape(rows: 3, columns: 2, taps: 0, tapDepth: 3),
    ]
    for rows in 1...9 {
      for columns in 1...6 {
        for gap in [0, 3] { shapes.append(Shape(rows: rows, columns: columns, tapDepth: 11, gap: gap)) }
      }
    }
    for depth in Array(1...33) + [47, 48, 49, 100] {
      for columns in [1, 2, 3] { shapes.append(Shape(rows: 5, columns: columns, taps: 3, tapDepth: depth)) }
    }
    return shapes
  }()

  /// A random product with padding taps.
  private struct Problem {
    let shape: Shape
    let input: GuardedBuffer<Float>
    let zeroRow: GuardedBuffer<Float>
    let weights: GuardedBuffer<Float>
    let bias: GuardedBuffer<Float>
    let offsets: GuardedBuffer<Int32>
    let packed: GuardedBuffer<Float>

    init(_ shape: Shape, _ gemm: GemmKernels) {
      var random = SplitMix(seed: 41)
      let pixels = 9, depth = shape.taps * shape.tapDepth
      self.shape = shape
      input = GuardedBuffer(random.floats(pixels * shape.tapDepth))
      zeroRow = GuardedBuffer([Float](repeating: 0, count: shape.tapDepth))
      weights = GuardedBuffer(random.floats(shape.columns * depth))
      bias = GuardedBuffer(random.floats(shape.columns))
      offsets = GuardedBuffer(
        (0..<shape.rows * shape.taps).map { _ in
          let pixel = Int.random(in: -2..<pixels, using: &random)
          return Int32(pixel < 0 ? -1 : pixel * shape.tapDepth)
        })
      packed = GuardedBuffer<Float>(
        count: gemm.packedDotCount(columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth),
        repeating: .nan)
      gemm.packDots(
        columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, weights: weights.pointer,
        columnStride: depth, depthStride: 1, bias: bias.pointer, into: packed.pointer)
    }

    var stride: Int { shape.columns + shape.gap }
    var count: Int { shape.rows == 0 ? 0 : (shape.rows - 1) * stride + shape.columns }

    func multiply(
      _ gemm: GemmKernels, rows: Range<Int>, into output: UnsafeMutablePointer<Float>, lower: Float, upper: Float
    ) {
      gemm.multiplyDots(
        rows: rows.count, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, input: input.pointer,
        offsets: offsets.pointer + rows.lowerBound * shape.taps, zeroRow: zeroRow.pointer, packed: packed.pointer,
        output: output + rows.lowerBound * stride, outputStride: stride, lower: lower, upper: upper)
    }
  }

  @Test(
    "windows with padding agree with plain loops, and nothing outside the output is accessed",
    arguments: variants(shapes))
  func agreesWithPlainLoops(_ table: KernelTable, _ shape: Shape) {
    let problem = Problem(shape, table.gemm)
    let output = GuardedBuffer<Float>(count: problem.count, repeating: -77)
    let expected = GuardedBuffer<Float>(count: problem.count, repeating: -77)
    problem.multiply(table.gemm, rows: 0..<shape.rows, into: output.pointer, lower: -0.75, upper: 1.5)
    KernelReference.multiplyTaps(
      rows: shape.rows, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth,
      input: problem.input.pointer, offsets: problem.offsets.pointer, zeroRow: problem.zeroRow.pointer,
      weights: problem.weights.pointer, bias: problem.bias.pointer, output: expected.pointer,
      outputStride: problem.stride, lower: -0.75, upper: 1.5)
    let bound = Float(shape.taps * shape.tapDepth + 1) * 6e-8
    for (index, (got, wanted)) in zip(output.values, expected.values).enumerated() {
      #expect(abs(got - wanted) <= bound, "element \(index)")
    }
  }

  @Test("a row's result does not depend on the rows computed with it", arguments: variants(Array(1...6)))
  func resultsDoNotDependOnRows(_ table: KernelTable, _ columns: Int) {
    let problem = Problem(Shape(rows: 11, columns: columns, tapDepth: 67), table.gemm)
    let together = GuardedBuffer<Float>(count: problem.count, repeating: 0)
    let apart = GuardedBuffer<Float>(count: problem.count, repeating: 0)
    problem.multiply(table.gemm, rows: 0..<11, into: together.pointer, lower: -.infinity, upper: .infinity)
    for rows in [0..<1, 1..<4, 4..<11] {
      problem.multiply(table.gemm, rows: rows, into: apart.pointer, lower: -.infinity, upper: .infinity)
    }
    #expect(together.values == apart.values)
  }

  @Test("NaN passes the limits, and infinities are limited", arguments: variants([Float.nan, .infinity, -.infinity]))
  func specialValues(_ table: KernelTable, _ value: Float) {
    let problem = Problem(Shape(rows: 5, columns: 2, taps: 1, tapDepth: 9), table.gemm)
    let input = [Float](repeating: value, count: 9 * 9)
    // The element of every tap that isn't in a whole vector of eight, where other lanes have no weight.
    let output = GuardedBuffer<Float>(count: problem.count, repeating: 0)
    table.gemm.packDots(
      columns: 2, taps: 1, tapDepth: 9, weights: [Float](repeating: 1, count: 18), columnStride: 9, depthStride: 1,
      bias: nil, into: problem.packed.pointer)
    table.gemm.multiplyDots(
      rows: 5, columns: 2, taps: 1, tapDepth: 9, input: input, offsets: [0, 9, 18, 27, 72], zeroRow: input,
      packed: problem.packed.pointer, output: output.pointer, outputStride: 2, lower: -3, upper: 6)
    for result in output.values {
      if value.isNaN { #expect(result.isNaN) } else { #expect(result == (value > 0 ? 6 : -3)) }
    }
  }

  @Test("weights with a distance between depths are packed like contiguous ones", arguments: KernelTable.available)
  func strides(_ table: KernelTable) {
    let columns = 3, taps = 2, tapDepth = 21, depth = 42
    let weights = (0..<columns * depth).map { Float($0) }
    func packed(_ weights: [Float], columnStride: Int, depthStride: Int) -> [Float] {
      let packed = GuardedBuffer<Float>(
        count: table.gemm.packedDotCount(columns: columns, taps: taps, tapDepth: tapDepth), repeating: -1)
      table.gemm.packDots(
        columns: columns, taps: taps, tapDepth: tapDepth, weights: weights, columnStride: columnStride,
        depthStride: depthStride, bias: nil, into: packed.pointer)
      // Between the biases and the weights is unused memory.
      return Array(packed.values.dropFirst(16))
    }
    let transposed = (0..<depth).flatMap { step in (0..<columns).map { weights[$0 * depth + step] } }
    #expect(
      packed(weights, columnStride: depth, depthStride: 1) == packed(transposed, columnStride: 1, depthStride: columns))
  }

  @Test("few columns of long taps are preferred", arguments: KernelTable.available)
  func preference(_ table: KernelTable) {
    #expect(table.gemm.prefersDots(columns: 1, taps: 9, tapDepth: 256))
    #expect(table.gemm.prefersDots(columns: 2, taps: 9, tapDepth: 256))
    #expect(!table.gemm.prefersDots(columns: 7, taps: 9, tapDepth: 256))
    #expect(!table.gemm.prefersDots(columns: 1, taps: 9, tapDepth: 1))
    #expect(!table.gemm.prefersDots(columns: 0, taps: 9, tapDepth: 256))
    #expect(!table.gemm.prefersDots(columns: 1, taps: 9, tapDepth: 0))
  }
}
