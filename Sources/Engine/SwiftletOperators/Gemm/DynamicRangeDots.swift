import SwiftletEngine
import SwiftletKernels

/// Products of dynamically quantized images with a few columns of int8 weights, as dot products of rows and columns.
///
/// Results are those of `QuantizedGemmKernels.multiplyDynamicRange` in XNNPACK's order.
struct DynamicRangeDots: Sendable {
  private let rows: NarrowRows
  private let scales: [Float]
  /// The position of the biases in the packed weights.
  private let biasOffset: Int
  private let range: (lower: Float, upper: Float)
  private let kernels: QuantizedGemmKernels
  private let scaling: QuantizationKernels

  /// Creates the products, or returns `nil` if products with panels are faster, if rows have their own parameters, if
  /// results aren't contiguous, or if the order is that of the reference.
  init?(
    _ context: PrepareContext, _ layout: GemmLayout, scales: [Float], quantization: DynamicQuantization,
    range: (lower: Float, upper: Float)
  ) {
    kernels = context.kernels.quantizedGemm
    guard kernels.prefersRowDots(columns: layout.columns, taps: layout.taps, tapDepth: layout.byteTapDepth),
      !quantization.isByRow, quantization.rule == .roundingToEven, layout.outputDistance == layout.columns,
      layout.weights.count == 1, scales.count == layout.columns
    else { return nil }
    rows = NarrowRows(channels: layout.columns, rows: layout.rows)
    self.scales = rows.repeated(scales)
    biasOffset = kernels.packedRowDotsByteCount(
      columns: layout.columns, taps: layout.taps, tapDepth: layout.byteTapDepth)
    self.range = range
    scaling = context.kernels.quantization
  }

  /// Packs input `weights` of the node, followed by the biases of a wide row.
  func packedWeights(
    _ context: PrepareContext, _ layout: GemmLayout, weights: Int, bias: Int?
  ) throws -> PackedWeights {
    let kernels = kernels, rows = rows, columns = layout.columns, taps = layout.taps, tapDepth = layout.byteTapDepth
    let biasOffset = biasOffset
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 1, tapDepth: tapDepth, panelColumns: columns,
      panelBytes: biasOffset + scales.count * 4, form: PackedLayout("dynamic-range columns", [rows.repetitions])
    ) { job in
      kernels.packRowDots(
        columns: columns, taps: taps, tapDepth: tapDepth, weights: job.weights, weightsAreSigned: true,
        columnStride: job.columnStride, tapStride: job.tapStride, channelStride: job.depthStride, weightZeroPoint: 0,
        inputZeroPoint: 0, inputIsSigned: true, bias: nil, into: job.panels)
      for element in 0..<rows.repetitions &* columns {
        let value = job.bias.map { $0.assumingMemoryBound(to: Float.self)[element % columns] } ?? 0
        job.panels.storeBytes(of: value, toByteOffset: biasOffset &+ element &* 4, as: Float.self)
      }
    }
  }

  /// Multiplies contiguous or located rows of one image.
  ///
  /// - Parameters:
  ///   - starts: Memory for the first terms of the columns.
  ///   - sums: Memory for a sum per row and column.
  func multiply(
    rows: Int, _ input: ByteRows, packed: UnsafeRawPointer, rowScale: Float, zeroPoint: Int32,
    starts: UnsafeMutablePointer<Int32>, sums: UnsafeMutablePointer<Int32>, output: UnsafeMutablePointer<Float>
  ) {
    let columns = self.rows.channels
    let packedStarts = packed.assumingMemoryBound(to: Int32.self)
    let weightSums = (packed + QuantizedGemmKernels.dotWeightSums).assumingMemoryBound(to: Int32.self)
    for column in 0..<columns { starts[column] = packedStarts[column] &- zeroPoint &* weightSums[column] }
    kernels.multiplyRowDots(
      rows: rows, columns: columns, input: input, packed: packed, starts: starts, rowTerms: nil, output: sums)
    let bias = (packed + biasOffset).assumingMemoryBound(to: Float.self)
    scales.withUnsafeBufferPointer { scales in
      guard let scales = scales.baseAddress else { return }
      self.rows.forEach(of: rows) { first, rows, columns in
        scaling.scale(
          rows: rows, columns: columns, sums: sums + first, rowScale: rowScale, scales: scales, bias: bias,
          order: .rowFirst, lower: range.lower, upper: range.upper, output: output + first)
      }
    }
  }
}
