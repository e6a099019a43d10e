import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// Products of dynamically quantized float32 rows with int4 weights, which stay in four bits:
/// `output[r, c] = clamp(bias[c] + Σ (quantized − zero of row) · weight · scale of row · scale)`.
///
/// The scale of a weight is that of its column, or that of its block of the column. Unlike the reference, products with
/// blocks apply an activation.
final class Int4Gemm: Sendable {
  /// The scales of the weights: one per column, or one per block of every column.
  enum Scales {
    case columns([Float])
    case blocks(BlockScales)
  }

  private let layout: GemmLayout
  private let blocks: Int4Blocks
  private let scales: [Float]
  private let quantization: DynamicQuantization
  private let range: (lower: Float, upper: Float)
  private let kernels: QuantizedGemmKernels
  private let terms: TensorSlot
  private let largestTiles: GemmTiling

  /// The largest number of bytes that the kernel reads after the last row.
  static let inputPadding = 7

  /// Returns whether this is better than expanding weights with a scale per column to bytes. Reading the weights takes
  /// most of the time of a few rows, and much memory if there are many. Otherwise, the int8 GEMM is faster.
  static func pays(_ layout: GemmLayout) -> Bool {
    layout.rows <= mostRows || layout.columns.multipliedReportingOverflow(by: layout.depth).partialValue >= manyWeights
  }

  private static let mostRows = 8
  private static let manyWeights = 1 << 20

  /// Creates the products of a layout without windows.
  ///
  /// - Parameter quantization: The quantization of the rows, with `inputPadding`.
  init(
    _ context: PrepareContext, _ layout: GemmLayout, _ scales: Scales, quantization: DynamicQuantization,
    activation: FusedActivation
  ) throws {
    self.layout = layout
    self.quantization = quantization
    switch scales {
    case .columns(let values):
      blocks = Int4Blocks(count: 1, size: layout.depth, haveScales: false)
      self.scales = values
    case .blocks(let scales):
      blocks = Int4Blocks(count: layout.depth / scales.size, size: scales.size, haveScales: true)
      self.scales = scales.values
    }
    context.uses("dynamic-range GEMM int4")
    range = activation.floatRange
    kernels = context.kernels.quantizedGemm
    terms = try context.scratch(bytes: layout.rows * blocks.count * 4)
    largestTiles = Self.tiling(layout, kernels, threads: 1)
  }

  private static func tiling(_ layout: GemmLayout, _ kernels: QuantizedGemmKernels, threads: Int) -> GemmTiling {
    layout.tiling(tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 1, threads: threads)
  }

  /// Returns the stages that multiply the quantized rows by input `weights` of the node. The quantization stages must run
  /// before.
  ///
  /// - Parameters:
  ///   - bias: The index of the input with a float32 bias per column, if there is one.
  ///   - epilogue: The steps to apply to the results while they are in the cache.
  func stages(
    _ context: PrepareContext, weights: Int, bias: Int?, output: TensorSlot, epilogue: [EpilogueStep]
  ) throws -> [PreparedOperator.Stage] {
    let packed = try packedWeights(context, weights: weights, bias: bias)
    let epilogue = try FusedEpilogue(context, epilogue)
    let summing = PreparedOperator.Stage(items: layout.rows, cost: Double(layout.depth) * 0.02 + 5) {
      [self] run, rows in
      let first = rows.lowerBound
      kernels.computeInt4Terms(
        rows: rows.count, blocks: blocks,
        input: run.pointer(quantization.quantized, as: Int8.self) + first &* layout.depth,
        into: run.pointer(terms, as: Int32.self) + first &* blocks.count)
    }.touching(reads: [quantization.quantized], writes: [terms])
    let work = layout.work(
      largestTiles, panelColumns: kernels.panelColumns, product: 0.02, result: 0.5 + 2 * Double(epilogue.count),
      elementBytes: 1)
    let multiplying = PreparedOperator.Stage { [self] threads in
      let tiling = Self.tiling(layout, kernels, threads: threads)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { [self] run, tile in
        layout.forEachPiece(of: tiling.block(tile), tileRows: kernels.tileRows, run, output, epilogue) {
          block, _, destination in multiply(block, run, packed, into: destination)
        }
      }
    }
    return [summing] + GemmStages(packing: packed.stages, multiplying: multiplying).all
  }

  private func packedWeights(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let kernels = kernels, blocks = blocks, scales = scales
    let scaleStep = blocks.haveScales ? blocks.count : 1
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 1, panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedByteCount(columns: 1, blocks: blocks),
      form: PackedLayout(
        "int4 panels", [kernels.panelColumns, blocks.count, blocks.size] + scales.map { Int($0.bitPattern) })
    ) { job in
      scales.withUnsafeBufferPointer { scales in
        guard let scales = scales.baseAddress else { return }
        kernels.packInt4(
          columns: job.columns.count, blocks: blocks, weights: job.weights.assumingMemoryBound(to: Int8.self),
          columnStride: job.columnStride, scales: scales + job.columns.lowerBound &* scaleStep,
          bias: job.bias.map { $0.assumingMemoryBound(to: Float.self) + job.columns.lowerBound }, into: job.panels)
      }
    }
  }

  private func multiply(
    _ block: GemmTiling.Block, _ run: RunContext, _ packed: PackedWeights, into destination: UnsafeMutablePointer<Float>
  ) {
    let first = block.rows.lowerBound
    kernels.multiplyDynamicRange(
      rows: block.rows.count, columns: block.columns.count, blocks: blocks,
      input: run.pointer(quantization.quantized, as: Int8.self) + first &* layout.depth,
      rowTerms: run.pointer(terms, as: Int32.self) + first &* blocks.count,
      panels: packed.panels(run, matrix: 0, column: block.columns.lowerBound),
      rowScales: run.pointer(quantization.scales, as: Float.self) + first,
      rowZeroPoints: run.pointer(quantization.zeroPoints, as: Int32.self) + first, output: destination,
      outputStride: layout.outputDistance, lower: range.lower, upper: range.upper,
      isFused: quantization.rule == .roundingToEven)
  }
}
