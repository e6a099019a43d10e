import SwiftletFlatBuffers
import SwiftletKernels

/// Products of float32 rows with packed weights: `output[r, c] = clamp(bias[c] + Σ row[r, d] · weight[c, d])`.
struct FloatMatrix: Sendable {
  let layout: MatrixLayout
  private let kernels: GemmKernels
  private let tiling: MatrixTiling
  private let range: (lower: Float, upper: Float)
  /// Floats of one packed weight matrix.
  private let matrixPanels: Int
  private let zeroRow: AlignedBytes

  init(_ layout: MatrixLayout, kernels: GemmKernels, activation: FusedActivation = .none) {
    self.layout = layout
    self.kernels = kernels
    range = activation.floatRange
    matrixPanels = kernels.packedCount(columns: layout.columns, depth: layout.depth)
    tiling = layout.tiling(tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 4)
    let readsPadding = layout.window?.readsPadding ?? false
    zeroRow = AlignedBytes(zeroed: readsPadding ? layout.tapDepth * 4 : 4)
  }

  /// The stages that multiply `input` with input `weights` of the node.
  ///
  /// Constant weights are packed now, others in a stage of their own.
  ///
  /// - Parameter bias: the input with a bias per column of every weight matrix, if there is one.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int? = nil, output: TensorSlot
  ) throws -> [PreparedOperator.Stage] {
    context.requireWorkerScratch(bytes: layout.window?.scratchBytes(rows: tiling.rowBlock) ?? 0)
    let bytes = matrixPanels.multipliedReportingOverflow(by: layout.weights.count * 4)
    guard !bytes.overflow, bytes.partialValue <= context.options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "packed weights would take more than the limit of \(context.options.limits.arenaBytes) bytes",
        location: context.node.node.location)
    }
    if context.node.isConstant(weights) && (bias.map(context.node.isConstant) ?? true) {
      let packed = try context.packed(inputs: [weights] + (bias.map { [$0] } ?? []), layout: packingName) { sources in
        let packed = AlignedBytes(zeroed: bytes.partialValue)
        for matrix in 0..<layout.weights.count {
          pack(
            matrix, columns: 0..<layout.columns, weights: sources[0].baseAddress,
            bias: sources.count > 1 ? sources[1].baseAddress : nil, into: packed.start)
        }
        return packed
      }
      return [stage(input: input, output: output) { _ in UnsafeRawPointer(packed.start) }]
    }
    let scratch = try context.scratch(bytes: bytes.partialValue)
    let source = try context.inputSlot(weights)
    let biasSource = try bias.map(context.inputSlot)
    let panels = (layout.columns + kernels.panelColumns - 1) / kernels.panelColumns
    let packing = PreparedOperator.Stage(
      items: layout.weights.count * panels, cost: Double(layout.depth * kernels.panelColumns) * 0.5
    ) { run, items in
      for item in items {
        let first = item % panels * kernels.panelColumns
        pack(
          item / panels, columns: first..<min(layout.columns, first + kernels.panelColumns),
          weights: UnsafeRawPointer(run.pointer(source)), bias: biasSource.map { UnsafeRawPointer(run.pointer($0)) },
          into: run.pointer(scratch))
      }
    }
    return [packing, stage(input: input, output: output) { UnsafeRawPointer($0.pointer(scratch)) }]
  }

  /// Names what packed weights depend on beside their bytes.
  private var packingName: String {
    let weights = layout.weights
    return "float32 panels of \(kernels.panelColumns), \(layout.columns)×\(layout.depth), strides "
      + "\(weights.columnStride) \(weights.depthStride) \(weights.matrixStride), \(weights.count) times"
  }

  /// Packs columns, from a multiple of the panel width on, of one weight matrix.
  private func pack(
    _ matrix: Int, columns: Range<Int>, weights: UnsafeRawPointer?, bias: UnsafeRawPointer?,
    into panels: UnsafeMutableRawPointer
  ) {
    guard let weights else { return }
    let place = layout.weights
    let first = matrix * place.matrixStride + columns.lowerBound * place.columnStride
    let panel = matrix * matrixPanels + kernels.packedCount(columns: columns.lowerBound, depth: layout.depth)
    kernels.pack(
      columns: columns.count, depth: layout.depth, weights: weights.assumingMemoryBound(to: Float.self) + first,
      columnStride: place.columnStride, depthStride: place.depthStride,
      bias: bias.map { $0.assumingMemoryBound(to: Float.self) + (matrix * layout.columns + columns.lowerBound) },
      into: panels.assumingMemoryBound(to: Float.self) + panel)
  }

  private func stage(
    input: TensorSlot, output: TensorSlot, panels: @escaping @Sendable (RunContext) -> UnsafeRawPointer
  ) -> PreparedOperator.Stage {
    PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      multiply(
        tiling.block(tile), input: run.pointer(input, as: Float.self),
        panels: panels(run).assumingMemoryBound(to: Float.self), output: run.pointer(output, as: Float.self),
        scratch: run.workerScratch)
    }
  }

  private func multiply(
    _ block: MatrixTiling.Block, input: UnsafePointer<Float>, panels: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, scratch: UnsafeMutableRawPointer
  ) {
    let place = layout.places[block.matrix]
    let source = input + place.input
    let first = block.rows.lowerBound, column = block.columns.lowerBound
    let panel = panels + (place.weights &* matrixPanels &+ kernels.packedCount(columns: column, depth: layout.depth))
    let destination = output + (place.output &+ first &* layout.outputDistance &+ column)
    if let window = layout.window, layout.inputDistance == nil {
      kernels.multiplyTaps(
        rows: block.rows.count, columns: block.columns.count, taps: layout.taps, tapDepth: layout.tapDepth, input: source,
        offsets: window.offsets(block.rows, scratch: scratch),
        zeroRow: UnsafePointer(zeroRow.start.assumingMemoryBound(to: Float.self)), panels: panel, output: destination,
        outputStride: layout.outputDistance, lower: range.lower, upper: range.upper)
    } else {
      let distance = layout.inputDistance ?? 0
      kernels.multiplyRows(
        rows: block.rows.count, columns: block.columns.count, depth: layout.depth, input: source + first &* distance,
        inputStride: distance, panels: panel, output: destination, outputStride: layout.outputDistance,
        lower: range.lower, upper: range.upper)
    }
  }
}
