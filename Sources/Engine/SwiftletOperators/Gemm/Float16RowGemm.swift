import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The product of a single float32 row with float16 weights, which stay in 16 bits:
/// `output[c] = clamp(bias[c] + Σ row[d] · weight[c, d])`.
///
/// Reading the weights takes most of the time of such a product. Results are those of `FloatGemm`, bit for bit.
final class Float16RowGemm: Sendable {
  private let layout: GemmLayout
  private let kernels: GemmKernels
  private let weights: ByteRegion
  private let range: (lower: Float, upper: Float)

  /// Creates the product with input `weights` of the node; `nil` if the product has several rows, if the weights aren't
  /// expanded from float16 constants, or if the CPU or the options don't allow it.
  init?(_ context: PrepareContext, _ layout: GemmLayout, weights: Int, bias: Int?, activation: FusedActivation) {
    let kernels = context.kernels.gemm
    guard layout.rows == 1, kernels.takesFloat16, context.options.numerics == .fast,
      let weights = context.float16Source(ofInput: weights), bias.map(context.node.isConstant) ?? true
    else { return nil }
    self.layout = layout
    self.kernels = kernels
    self.weights = weights
    range = activation.floatRange
    context.uses("row product float16")
  }

  /// Returns the stages of the product.
  ///
  /// - Parameters:
  ///   - bias: The index of the input with a bias per column, if there is one.
  ///   - epilogue: The steps to apply to the results while they are in the cache.
  func stages(
    _ context: PrepareContext, input: TensorSlot, bias: Int?, output: TensorSlot, epilogue: [EpilogueStep]
  ) throws -> [PreparedOperator.Stage] {
    let kernels = kernels, columns = layout.columns, depth = layout.depth, panelColumns = kernels.panelColumns
    let panelBytes = kernels.packedFloat16ByteCount(columns: 1, depth: depth)
    let panels = (columns + panelColumns - 1) / panelColumns
    let packed = try context.packed(
      weights, inputs: bias.map { [$0] } ?? [],
      layout: PackedLayout("float16 row panels", [panelColumns, columns, depth]),
      byteCount: try PackedWeights.byteCount(context, panels: panels, panelBytes: panelBytes), items: panels
    ) { sources, packed, items in
      guard let weights = sources[0].baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
      let first = items.lowerBound &* panelColumns
      kernels.packFloat16(
        columns: min(columns, items.upperBound &* panelColumns) &- first, depth: depth,
        weights: weights + first &* depth, columnStride: depth,
        bias: sources.count > 1 ? sources[1].baseAddress.map { $0.assumingMemoryBound(to: Float.self) + first } : nil,
        into: packed.start + items.lowerBound &* panelBytes)
    }
    let epilogue = try FusedEpilogue(context, epilogue)
    let work = layout.work(
      tiling(threads: 1), panelColumns: panelColumns, product: 0.03, result: 1 + 2 * Double(epilogue.count),
      elementBytes: 2)
    return [
      PreparedOperator.Stage { [self] threads in
        let tiling = tiling(threads: threads)
        return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { [self] run, tile in
          layout.forEachPiece(of: tiling.block(tile), tileRows: kernels.tileRows, run, output, epilogue) {
            block, _, destination in
            kernels.multiplyFloat16Row(
              columns: block.columns.count, depth: depth, input: run.pointer(input, as: Float.self),
              panels: packed.start + block.columns.lowerBound / panelColumns &* panelBytes, output: destination,
              lower: range.lower, upper: range.upper)
          }
        }
      }
    ]
  }

  private func tiling(threads: Int) -> GemmTiling {
    layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 2, threads: threads)
  }
}
