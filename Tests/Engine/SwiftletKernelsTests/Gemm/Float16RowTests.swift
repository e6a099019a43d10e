@testable import SwiftletKernels
import Testing

@Suite("Products of a row with float16 weights")
struct Float16RowTests {
  struct Shape: CustomStringConvertible {
    var columns: Int
    var depth: Int

    var description: String { "\(depth) × \(columns)" }
  }

  private static let shapes =
    [1, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 200].map { Shape(columns: $0, depth: 5) }
    + [0, 1, 2, 3, 100].map { Shape(columns: 40, depth: $0) }

  @Test("results are those of the same weights in float32, bit for bit", arguments: variants(shapes))
  func equalsFloat32(_ table: KernelTable, _ shape: Shape) {
    let gemm = table.gemm
    var random = SplitMix(seed: 31)
    // Every finite number, also subnormal ones.
    let halves = GuardedBuffer(
      random.integers(shape.columns * shape.depth, in: UInt16.min ... .max).map { $0 & 0x7C00 == 0x7C00 ? 0 : $0 })
    let weights = GuardedBuffer<Float>(count: halves.count, repeating: 0)
    table.quantization.expandFloat16(count: halves.count, input: halves.pointer, output: weights.pointer)
    let input = GuardedBuffer(random.floats(shape.depth)), bias = GuardedBuffer(random.floats(shape.columns))
    for hasBias in [true, false] {
      let bias = hasBias ? UnsafePointer(bias.pointer) : nil
      let expected = GuardedBuffer<Float>(count: shape.columns, repeating: -77)
      let panels = GuardedBuffer<Float>(
        count: gemm.packedCount(columns: shape.columns, depth: shape.depth), repeating: .nan)
      gemm.pack(
        columns: shape.columns, depth: shape.depth, weights: weights.pointer, columnStride: shape.depth,
        depthStride: 1, bias: bias, into: panels.pointer)
      gemm.multiplyRows(
        rows: 1, columns: shape.columns, depth: shape.depth, input: input.pointer, inputStride: shape.depth,
        panels: panels.pointer, output: expected.pointer, outputStride: shape.columns, lower: -900, upper: 800)

      let narrow = GuardedBuffer<UInt16>(
        count: gemm.packedFloat16ByteCount(columns: shape.columns, depth: shape.depth) / 2, repeating: 0x7E00)
      gemm.packFloat16(
        columns: shape.columns, depth: shape.depth, weights: halves.pointer, columnStride: shape.depth, bias: bias,
        into: narrow.pointer)
      let output = GuardedBuffer<Float>(count: shape.columns, repeating: -77)
      gemm.multiplyFloat16Row(
        columns: shape.columns, depth: shape.depth, input: input.pointer, panels: narrow.pointer,
        output: output.pointer, lower: -900, upper: 800)
      #expect(output.values == expected.values)
    }
  }
}
