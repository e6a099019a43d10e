import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// Products of dynamically quantized float32 rows with int8 weights:
/// `output[r, c] = clamp(bias[c] + Σ (quantized − zero of row) · weight · scale of row · scale[c])`.
final class DynamicRangeGemm: Sendable {
  let layout: GemmLayout
  private let scales: [Float]
  private let quantization: DynamicQuantization
  private let range: (lower: Float, upper: Float)
  private let kernels: QuantizedGemmKernels
  /// The dot products that are computed instead of products with panels.
  private let dots: DynamicRangeDots?
  /// Whether products copy their rows before they read them.
  private let copiesRows: Bool
  /// The tiles for a single thread, which are the largest.
  private let largestTiles: GemmTiling

  /// Creates the products.
  ///
  /// - Parameters:
  ///   - scales: The scales of the columns of every weight matrix, or of one matrix for all.
  ///   - quantization: The quantization of the slices. If the layout has windows, slices are those of
  ///     `GemmLayout.Place.slice`; otherwise, they are rows.
  init(
    _ context: PrepareContext, _ layout: GemmLayout, scales: [Float], quantization: DynamicQuantization,
    activation: FusedActivation = .none
  ) {
    self.layout = layout
    self.scales = scales
    self.quantization = quantization
    range = activation.floatRange
    kernels = context.kernels.quantizedGemm
    dots = DynamicRangeDots(context, layout, scales: scales, quantization: quantization, range: range)
    copiesRows = dots == nil && layout.copiesRows(kernels, flips: false)
    switch (layout.windows == nil, dots == nil) {
    case (true, true): context.uses("dynamic-range GEMM int8")
    case (true, false): context.uses("dynamic-range dot products int8")
    case (false, true): context.uses("dynamic-range indirect GEMM int8")
    case (false, false): context.uses("dynamic-range indirect dot products int8")
    }
    largestTiles = Self.tiling(layout, kernels, keepsSums: dots != nil, threads: 1)
  }

  private static func tiling(
    _ layout: GemmLayout, _ kernels: QuantizedGemmKernels, keepsSums: Bool, threads: Int
  ) -> GemmTiling {
    layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 1, keepsSums: keepsSums,
      threads: threads)
  }

  /// Returns the stages that multiply the quantized input by input `weights` of the node. The quantization stages must
  /// run before.
  ///
  /// - Parameters:
  ///   - quantized: The rows of the layout, if they aren't in the memory of the quantization.
  ///   - bias: The index of the input with a float32 bias per column of every weight matrix, if there is one.
  ///   - epilogue: The steps to apply to the results while they are in the cache.
  func stages(
    _ context: PrepareContext, quantized: TensorSlot? = nil, weights: Int, bias: Int? = nil, output: TensorSlot,
    epilogue: [EpilogueStep] = []
  ) throws -> GemmStages {
    let quantized = quantized ?? quantization.quantized
    let packed =
      try dots?.packedWeights(context, layout, weights: weights, bias: bias)
      ?? packedWeights(context, weights: weights, bias: bias)
    let scratch = ScratchLayout(largestTiles, layout, needsSums: dots != nil, copies: copiesRows ? kernels : nil)
    context.requireWorkerScratch(bytes: scratch.byteCount)
    let epilogue = try FusedEpilogue(context, epilogue)
    let work = layout.work(
      largestTiles, panelColumns: kernels.panelColumns, product: 0.015, result: 0.5 + 2 * Double(epilogue.count),
      elementBytes: 1)
    let multiplying = PreparedOperator.Stage { [self] threads in
      let tiling = Self.tiling(layout, kernels, keepsSums: dots != nil, threads: threads)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { [self] run, tile in
        layout.forEachPiece(of: tiling.block(tile), tileRows: kernels.tileRows, run, output, epilogue) {
          multiply($0, $1, run, packed, scratch, quantized: quantized, into: $2)
        }
      }
    }
    return GemmStages(packing: packed.stages, multiplying: multiplying)
  }

  private func packedWeights(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let kernels = kernels, columns = layout.columns, taps = layout.taps, tapDepth = layout.byteTapDepth
    let scales = scales
    let scaleStep = scales.count == layout.weights.count * columns ? columns : 0
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 1, tapDepth: tapDepth,
      panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedByteCount(columns: kernels.panelColumns, taps: taps, tapDepth: tapDepth),
      form: PackedLayout("dynamic-range panels", [kernels.panelColumns] + scales.map { Int($0.bitPattern) })
    ) { job in
      let first = job.columns.lowerBound
      scales.withUnsafeBufferPointer { scales in
        guard let scales = scales.baseAddress else { return }
        kernels.packDynamicRange(
          columns: job.columns.count, taps: taps, tapDepth: tapDepth,
          weights: job.weights.assumingMemoryBound(to: Int8.self), columnStride: job.columnStride,
          tapStride: job.tapStride, channelStride: job.depthStride, scales: scales + (job.matrix &* scaleStep &+ first),
          scaleStride: 1,
          bias: job.bias.map { $0.assumingMemoryBound(to: Float.self) + (job.matrix &* columns &+ first) },
          into: job.panels)
      }
    }
  }

  private func multiply(
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    _ scratch: ScratchLayout, quantized: TensorSlot, into destination: UnsafeMutablePointer<Float>
  ) {
    // The rows of an image share parameters. If rows are slices, each row has its own.
    let isByRow = quantization.isByRow
    let slice = isByRow ? place.slice &+ block.rows.lowerBound : place.slice
    let source = layout.byteRows(
      block.rows, place, base: UnsafeRawPointer(run.pointer(quantized)), isSigned: true,
      zeroRow: quantization.zeroRow(run, slice: slice), scratch: run.workerScratch,
      copies: copiesRows ? scratch.copies : nil)
    let panels = packed.panels(run, matrix: place.weights, column: block.columns.lowerBound)
    let rowScales = run.pointer(quantization.scales, as: Float.self) + slice
    let zeroPoints = run.pointer(quantization.zeroPoints, as: Int32.self) + slice
    if let dots {
      return dots.multiply(
        rows: block.rows.count, source, packed: panels, rowScale: rowScales[0], zeroPoint: zeroPoints[0],
        starts: (run.workerScratch + scratch.terms).assumingMemoryBound(to: Int32.self),
        sums: (run.workerScratch + scratch.sums).assumingMemoryBound(to: Int32.self), output: destination)
    }
    kernels.multiplyDynamicRange(
      rows: block.rows.count, columns: block.columns.count, input: source, panels: panels, rowScales: rowScales,
      rowZeroPoints: zeroPoints, rowParameterStride: isByRow ? 1 : 0, output: destination,
      outputStride: layout.outputDistance, lower: range.lower, upper: range.upper,
      isFused: quantization.rule == .roundingToEven)
  }
}

/// The dynamic quantization of activations for products with integer weights (input 1 of the node), and the resulting
/// scales.
struct DynamicRangeScales: Sendable {
  let rule: Quantizer.Rule
  /// The factor applied to the scale of every slice.
  let ofSlices: Float
  /// The factors of the columns, one per column or one for all columns.
  let ofColumns: [Float]

  /// Creates the scales.
  ///
  /// - Parameters:
  ///   - columns: The number of output channels of all weight matrices.
  ///   - rule: The rule of the reference; `nil` for the rule of convolutions, which depends on the weights. Fast
  ///     numerics uses XNNPACK's rule instead if XNNPACK runs the operator. It doesn't for unsigned or sparse weights.
  ///   - hasGroups: Whether there are several weight matrices.
  ///   - takesNibbles: Whether XNNPACK runs the operator with 4-bit weights too.
  /// - Throws: An error if scales are missing or don't match the columns.
  init(
    _ context: PrepareContext, columns: Int, rule: Quantizer.Rule?, hasGroups: Bool = false, takesNibbles: Bool = false
  )
    throws
  {
    let weights = try context.node.input(1)
    let isTaken =
      weights.elementType == .int8 && !weights.isSpread
      && (weights.expandedFrom == nil || weights.expandedFrom == .int4 && takesNibbles)
    let scales = try WeightScales(context.node, input: 1, columns: columns, axis: 0).scales
    let differ = scales.contains { $0 != scales[0] }
    if context.options.numerics == .fast, isTaken {
      self.rule = .roundingToEven
      ofSlices = 1
      ofColumns = scales
    } else {
      self.rule = rule ?? (differ || hasGroups ? .asymmetric : .symmetric)
      ofSlices = differ ? 1 : scales.first ?? 1
      ofColumns = differ ? scales : scales.map { _ in 1 }
    }
  }
}
