import SwiftletKernels

/// Products of quantised rows with quantised weights, rescaled to codes of the output.
struct IntegerMatrix<Input: QuantizedCode, Weight: QuantizedCode, Sum: ProductSum, Output: QuantizedCode>: Sendable {
  let layout: MatrixLayout
  let inputZeroPoint: Int32
  let weightZeroPoint: Int32
  let rescaling: IntegerRescaling
  private let tiling: MatrixTiling

  init(_ layout: MatrixLayout, inputZeroPoint: Int32, weightZeroPoint: Int32, rescaling: IntegerRescaling) {
    self.layout = layout
    self.inputZeroPoint = inputZeroPoint
    self.weightZeroPoint = weightZeroPoint
    self.rescaling = rescaling
    tiling = layout.tiling(tileRows: 4, panelColumns: 16, elementBytes: MemoryLayout<Weight>.size)
  }

  /// The stages that multiply `input` with `weights`; a bias has a value per column of every weight matrix.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: TensorSlot, bias: TensorSlot? = nil, output: TensorSlot
  ) -> [PreparedOperator.Stage] {
    let offsetBytes = ((layout.window?.scratchBytes(rows: tiling.rowBlock) ?? 0) + 63) & ~63
    context.requireWorkerScratch(
      bytes: offsetBytes + tiling.rowBlock * tiling.columnBlock * MemoryLayout<Sum>.size)
    let stage = PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let block = tiling.block(tile)
      let place = layout.places[block.matrix]
      let sums = run.workerScratch.advanced(by: offsetBytes).assumingMemoryBound(to: Sum.self)
      let column = place.weights &* layout.columns &+ block.columns.lowerBound
      multiply(
        block, place, input: run.pointer(input, as: Input.self), weights: run.pointer(weights, as: Weight.self),
        bias: bias.map { UnsafePointer(run.pointer($0, as: Sum.self) + column) }, sums: sums, scratch: run.workerScratch)
      rescaling.apply(
        sums, rows: block.rows.count, columns: block.columns.count, firstColumn: column,
        output: run.pointer(output, as: Output.self)
          + (place.output &+ block.rows.lowerBound &* layout.outputDistance &+ block.columns.lowerBound),
        distance: layout.outputDistance)
    }
    return [stage]
  }

  private func multiply(
    _ block: MatrixTiling.Block, _ place: MatrixLayout.Place, input: UnsafePointer<Input>, weights: UnsafePointer<Weight>,
    bias: UnsafePointer<Sum>?, sums: UnsafeMutablePointer<Sum>, scratch: UnsafeMutableRawPointer
  ) {
    let distance = layout.inputDistance ?? 0
    let offsets = layout.inputDistance == nil ? layout.window?.offsets(block.rows, scratch: scratch) : nil
    KernelReference.multiply(
      rows: block.rows.count, columns: block.columns.count, taps: layout.taps, tapDepth: layout.tapDepth,
      input: input + (place.input &+ block.rows.lowerBound &* distance), inputStride: distance, offsets: offsets,
      inputZero: Sum(truncatingIfNeeded: inputZeroPoint),
      weights: weights
        + (place.weights &* layout.weights.matrixStride &+ block.columns.lowerBound &* layout.weights.columnStride),
      columnStride: layout.weights.columnStride, depthStride: layout.weights.depthStride,
      weightZero: Sum(truncatingIfNeeded: weightZeroPoint), bias: bias, sums: sums)
  }
}
