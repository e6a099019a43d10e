import SwiftletFlatBuffers
import SwiftletKernels

/// Products of float32 rows with packed weights: `output[r, c] = clamp(bias[c] + Σ row[r, d] · weight[c, d])`.
struct FloatMatrix: Sendable {
  let layout: MatrixLayout
  private let kernels: GemmKernels
  private let tiling: MatrixTiling
  private let range: (lower: Float, upper: Float)
  /// Whether sums are the reference's: terms rounded one by one, and the bias added last.
  private let isExact: Bool
  private let zeroRow: AlignedBytes

  init(_ context: PrepareContext, _ layout: MatrixLayout, activation: FusedActivation = .none) {
    self.layout = layout
    isExact = context.options.numerics == .bitExact
    kernels = isExact ? KernelTable.portable.gemm : context.kernels.gemm
    range = activation.floatRange
    tiling = layout.tiling(tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 4)
    let readsPadding = layout.windows?.readsPadding ?? false
    zeroRow = AlignedBytes(zeroed: readsPadding ? layout.tapDepth * 4 : 4)
  }

  /// The stages that multiply `input` with input `weights` of the node.
  ///
  /// - Parameter bias: the input with a bias per column of every weight matrix, if there is one.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int? = nil, output: TensorSlot
  ) throws -> MatrixStages {
    context.requireWorkerScratch(bytes: layout.windows?.scratchBytes(rows: tiling.rowBlock) ?? 0)
    let kernels = kernels, columns = layout.columns, depth = layout.depth
    let lastBias = try isExact ? LastBias(bias.map(context.inputSlot), range) : nil
    let packed = try PackedWeights(
      context, layout, input: weights, bias: isExact ? nil : bias, elementBytes: 4, panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedCount(columns: kernels.panelColumns, depth: depth) * 4,
      form: PackedLayout("float32 panels", [kernels.panelColumns])
    ) { job in
      let first = job.matrix &* columns &+ job.columns.lowerBound
      kernels.pack(
        columns: job.columns.count, depth: depth, weights: job.weights.assumingMemoryBound(to: Float.self),
        columnStride: job.columnStride, depthStride: job.depthStride,
        bias: job.bias.map { $0.assumingMemoryBound(to: Float.self) + first },
        into: job.panels.assumingMemoryBound(to: Float.self))
    }
    let multiplying = PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let block = tiling.block(tile)
      for matrix in block.matrices {
        let place = layout.places[matrix]
        let first = place.output &+ block.rows.lowerBound &* layout.outputDistance &+ block.columns.lowerBound
        let destination = run.pointer(output, as: Float.self) + first
        multiply(block, place, run, packed, input: run.pointer(input), destination: destination)
        lastBias?.finish(
          run, destination, rows: block.rows.count, stride: layout.outputDistance, columns: block.columns.count,
          firstBias: place.weights &* columns &+ block.columns.lowerBound)
      }
    }
    return MatrixStages(packing: packed.stages, multiplying: multiplying)
  }

  private func multiply(
    _ block: MatrixTiling.Block, _ place: MatrixLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    input: UnsafeMutableRawPointer, destination: UnsafeMutablePointer<Float>
  ) {
    let first = block.rows.lowerBound, column = block.columns.lowerBound
    let source = UnsafePointer(input.assumingMemoryBound(to: Float.self)) + place.input
    let panels = packed.panels(run, matrix: place.weights, column: column).assumingMemoryBound(to: Float.self)
    let (lower, upper) = isExact ? FusedActivation.none.floatRange : range
    if let windows = layout.windows {
      let rows = place.firstWindow &+ first..<place.firstWindow &+ block.rows.upperBound
      kernels.multiplyTaps(
        rows: rows.count, columns: block.columns.count, taps: layout.taps, tapDepth: layout.tapDepth, input: source,
        offsets: windows.positions(rows, scratch: run.workerScratch),
        zeroRow: UnsafePointer(zeroRow.start.assumingMemoryBound(to: Float.self)), panels: panels, output: destination,
        outputStride: layout.outputDistance, lower: lower, upper: upper)
    } else {
      let distance = layout.inputDistance ?? 0
      kernels.multiplyRows(
        rows: block.rows.count, columns: block.columns.count, depth: layout.depth, input: source + first &* distance,
        inputStride: distance, panels: panels, output: destination, outputStride: layout.outputDistance,
        lower: lower, upper: upper)
    }
  }
}
