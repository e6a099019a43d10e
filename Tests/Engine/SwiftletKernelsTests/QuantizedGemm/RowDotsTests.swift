@testable import SwiftletKernels
import Testing

@Suite("Dot products of rows")
struct RowDotsTests {
  /// Every number of columns, rows up to two steps of four, and depths around one, two, and four vectors of any
  /// instruction set.
  private static let shapes: [QuantizedCase.Shape] = {
    let depths = [4, 8, 12, 16, 20, 28, 32, 36, 60, 64, 68, 124, 128, 132, 260]
    var shapes: [QuantizedCase.Shape] = []
    for columns in 1...8 {
      for depth in depths {
        for rows in [0, 1, 2, 3, 4, 5, 8, 9] {
          let inputIsSigned = depth % 8 == 0, weightsAreSigned = rows % 2 == 0
          shapes.append(
            QuantizedCase.Shape(
              rows: rows, columns: columns, taps: depth > 64 ? 1 : 3, tapDepth: depth, inputIsSigned: inputIsSigned,
              inputZeroPoint: inputIsSigned ? -11 : 131, weightsAreSigned: weightsAreSigned,
              weightZeroPoint: weightsAreSigned ? 0 : 117))
        }
      }
    }
    return shapes
  }()

  private static func packed(_ gemm: QuantizedGemmKernels, _ problem: QuantizedCase) -> GuardedBuffer<UInt8> {
    let shape = problem.shape
    let packed = GuardedBuffer<UInt8>(
      count: gemm.packedRowDotsByteCount(columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth),
      repeating: 0x5A)
    gemm.packRowDots(
      columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, weights: problem.weights.pointer,
      weightsAreSigned: shape.weightsAreSigned, columnStride: shape.taps * shape.tapDepth, tapStride: shape.tapDepth,
      channelStride: 1, weightZeroPoint: shape.weightZeroPoint, inputZeroPoint: shape.inputZeroPoint,
      inputIsSigned: shape.inputIsSigned, bias: problem.bias.pointer, into: packed.pointer)
    return packed
  }

  @Test("sums are exact for every combination of signs and zero points", arguments: variants(shapes))
  func sumsAreExact(_ table: KernelTable, _ shape: QuantizedCase.Shape) {
    let gemm = table.quantizedGemm
    let problem = QuantizedCase(shape, seed: 31)
    let terms = problem.rowTerms(gemm), packed = Self.packed(gemm, problem)
    let output = GuardedBuffer<Int32>(count: shape.rows * shape.columns, repeating: -77)
    gemm.multiplyRowDots(
      rows: shape.rows, columns: shape.columns, input: problem.rows, packed: packed.pointer, rowTerms: terms?.pointer,
      output: output.pointer)
    let expected = problem.expectedAccumulators(filler: -77)
    for row in 0..<shape.rows {
      let first = row * problem.outputStride
      #expect(
        output.values[row * shape.columns..<(row + 1) * shape.columns] == expected[first..<first + shape.columns],
        "row \(row)")
    }
  }

  @Test("other first terms replace those of the weights", arguments: variants(Array(1...8)))
  func starts(_ table: KernelTable, _ columns: Int) {
    let gemm = table.quantizedGemm
    let shape = QuantizedCase.Shape(rows: 7, columns: columns, tapDepth: 100, inputZeroPoint: 5)
    let problem = QuantizedCase(shape, seed: 32)
    let packed = Self.packed(gemm, problem)
    let own = (0..<columns).map { UnsafeRawPointer(packed.pointer).load(fromByteOffset: $0 * 4, as: Int32.self) }
    let starts = GuardedBuffer((0..<(columns + 3) / 4 * 4).map { Int32($0 * 1000 - 77) })
    func sums(_ starts: UnsafePointer<Int32>?) -> [Int32] {
      let output = GuardedBuffer<Int32>(count: 7 * columns, repeating: -77)
      gemm.multiplyRowDots(
        rows: 7, columns: columns, input: problem.rows, packed: packed.pointer, starts: starts, rowTerms: nil,
        output: output.pointer)
      return output.values
    }
    let expected = sums(nil).enumerated().map { index, sum in
      sum &- own[index % columns] &+ starts.pointer[index % columns]
    }
    #expect(sums(starts.pointer) == expected)
  }

  @Test("the packed weights contain the sum of each column", arguments: variants(Array(1...8)))
  func weightSums(_ table: KernelTable, _ columns: Int) {
    let shape = QuantizedCase.Shape(rows: 0, columns: columns, taps: 2, tapDepth: 68)
    let problem = QuantizedCase(shape, seed: 33)
    let packed = Self.packed(table.quantizedGemm, problem)
    for column in 0..<columns {
      let weights = problem.weights.values[column * 136..<(column + 1) * 136]
      let sum = UnsafeRawPointer(packed.pointer).load(
        fromByteOffset: QuantizedGemmKernels.dotWeightSums + column * 4, as: Int32.self)
      #expect(sum == weights.reduce(0) { $0 + Int32(Int8(bitPattern: $1)) })
    }
  }
}
