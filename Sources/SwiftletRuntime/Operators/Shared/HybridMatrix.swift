import SwiftletKernels

/// Products of dynamically quantised float32 rows with int8 weights:
/// `output[r, c] = clamp(bias[c] + Σ (code − zero of row) · weight · scale of row · scale[c])`.
struct HybridMatrix: Sendable {
  let layout: MatrixLayout
  /// Scales of the columns of every weight matrix, or of one for all.
  let scales: [Float]
  let quantization: DynamicQuantization
  private let scaling: HybridScaling
  private let tiling: MatrixTiling

  init(_ layout: MatrixLayout, scales: [Float], quantization: DynamicQuantization, activation: FusedActivation = .none) {
    self.layout = layout
    self.scales = scales
    self.quantization = quantization
    scaling = HybridScaling(lower: activation.floatRange.lower, upper: activation.floatRange.upper)
    tiling = layout.tiling(tileRows: 4, panelColumns: 16, elementBytes: 1)
  }

  /// The stages from `input` to `output`; a bias has a value per column of every weight matrix.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: TensorSlot, bias: TensorSlot?, output: TensorSlot
  ) -> [PreparedOperator.Stage] {
    let offsetBytes = ((layout.window?.scratchBytes(rows: tiling.rowBlock) ?? 0) + 63) & ~63
    context.requireWorkerScratch(bytes: offsetBytes + tiling.rowBlock * tiling.columnBlock * 4)
    let multiplying = PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let block = tiling.block(tile)
      let place = layout.places[block.matrix]
      let sums = run.workerScratch.advanced(by: offsetBytes).assumingMemoryBound(to: Int32.self)
      let column = place.weights &* layout.columns &+ block.columns.lowerBound
      let bias = bias.map { UnsafePointer(run.pointer($0, as: Float.self) + column) }
      let rowScales = run.pointer(quantization.scales, as: Float.self)
      let zeroPoints = run.pointer(quantization.zeroPoints, as: Int32.self)
      let codes = run.pointer(quantization.codes, as: Int8.self)
      let weights = run.pointer(weights, as: Int8.self)
      // Rows of one slice share their parameters; where rows are slices, each is multiplied by itself.
      for rows in runs(block.rows) {
        let slice = slice(place, row: rows.lowerBound)
        multiply(
          MatrixTiling.Block(matrix: block.matrix, rows: rows, columns: block.columns), place, codes: codes,
          zeroPoint: zeroPoints[slice], weights: weights, sums: sums, scratch: run.workerScratch)
        scaling.apply(
          sums, rows: rows.count, columns: block.columns.count, by: rowScales[slice], scales: scales,
          firstScale: layout.weights.count * layout.columns == scales.count ? column : block.columns.lowerBound,
          bias: bias,
          output: run.pointer(output, as: Float.self)
            + (place.output &+ rows.lowerBound &* layout.outputDistance &+ block.columns.lowerBound),
          distance: layout.outputDistance)
      }
    }
    return quantization.stages(input) + [multiplying]
  }

  /// Ranges of rows with the same scale and zero point.
  private func runs(_ rows: Range<Int>) -> [Range<Int>] {
    quantization.length == layout.inputDistance ? rows.map { $0..<$0 + 1 } : [rows]
  }

  private func slice(_ place: MatrixLayout.Place, row: Int) -> Int {
    (place.input &+ row &* (quantization.length == layout.inputDistance ? quantization.length : 0)) / quantization.length
  }

  private func multiply(
    _ block: MatrixTiling.Block, _ place: MatrixLayout.Place, codes: UnsafePointer<Int8>, zeroPoint: Int32,
    weights: UnsafePointer<Int8>, sums: UnsafeMutablePointer<Int32>, scratch: UnsafeMutableRawPointer
  ) {
    let distance = layout.inputDistance ?? 0
    let offsets = layout.inputDistance == nil ? layout.window?.offsets(block.rows, scratch: scratch) : nil
    KernelReference.multiply(
      rows: block.rows.count, columns: block.columns.count, taps: layout.taps, tapDepth: layout.tapDepth,
      input: codes + (place.input &+ block.rows.lowerBound &* distance), inputStride: distance, offsets: offsets,
      inputZero: zeroPoint,
      weights: weights
        + (place.weights &* layout.weights.matrixStride &+ block.columns.lowerBound &* layout.weights.columnStride),
      columnStride: layout.weights.columnStride, depthStride: layout.weights.depthStride, weightZero: 0, bias: nil,
      sums: sums)
  }
}

/// How sums of codes times weights become float32 outputs.
struct HybridScaling: Sendable {
  let lower: Float
  let upper: Float

  /// `output[r, c] = clamp(sum · scales[c] · rowScale + bias[c])`.
  ///
  /// - Parameters:
  ///   - firstScale: the scale of the first column.
  ///   - distance: elements from one row of the output to the next.
  func apply(
    _ sums: UnsafePointer<Int32>, rows: Int, columns: Int, by rowScale: Float, scales: [Float], firstScale: Int,
    bias: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>, distance: Int
  ) {
    scales.withUnsafeBufferPointer { scales in
      for row in 0..<rows {
        let from = sums + row &* columns, to = output + row &* distance
        for column in 0..<columns {
          let value = Float(from[column]) * scales[firstScale &+ column] * rowScale + (bias.map { $0[column] } ?? 0)
          to[column] = min(max(value, lower), upper)
        }
      }
    }
  }
}
