import SwiftletFlatBuffers
import SwiftletKernels

/// The windows and tiles of a depthwise convolution, whatever its types.
struct DepthwiseMatrix: Sendable {
  let geometry: WindowGeometry
  let multiplier: Int
  let windows: WindowTable
  let tiling: RowTiling

  /// - Throws: when pictures are too large.
  init(_ geometry: WindowGeometry, multiplier: Int, _ node: NodeView) throws {
    try geometry.requireTables(node)
    self.geometry = geometry
    self.multiplier = multiplier
    windows = WindowRows(geometry, channels: geometry.channels, isMerging: false).table()
    let products = Double(geometry.taps) * Double(geometry.channels * multiplier)
    tiling = RowTiling(pictures: geometry.batch, rows: geometry.pixels, cost: products * 0.1 + 2)
  }

  var outputChannels: Int { geometry.channels * multiplier }
  var multiplyAdds: Int { geometry.batch &* geometry.pixels &* windows.taps &* outputChannels }

  /// Positions of a tile's first element in input and output.
  func starts(picture: Int, row: Int) -> (input: Int, output: Int) {
    (picture &* geometry.pictureCount, (picture &* geometry.pixels &+ row) &* outputChannels)
  }

  /// The stage for float32 tensors: inputs 0 to 2 of the node to its output.
  func floatStage(_ context: PrepareContext, activation: FusedActivation) throws -> PreparedOperator.Stage {
    context.requireWorkerScratch(bytes: windows.scratchBytes(rows: tiling.rowBlock))
    let input = try context.inputSlot(0), weights = try context.inputSlot(1)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let zeroRow = AlignedBytes(zeroed: windows.readsPadding ? geometry.channels * 4 : 4)
    let (lower, upper) = activation.floatRange
    return PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let (picture, rows) = tiling.block(tile)
      let starts = starts(picture: picture, row: rows.lowerBound)
      KernelReference.depthwise(
        rows: rows.count, channels: geometry.channels, multiplier: multiplier, taps: windows.taps,
        input: run.pointer(input, as: Float.self) + starts.input,
        offsets: windows.positions(rows, scratch: run.workerScratch),
        zeroRow: UnsafePointer(zeroRow.start.assumingMemoryBound(to: Float.self)),
        weights: run.pointer(weights, as: Float.self), bias: bias.map { UnsafePointer(run.pointer($0, as: Float.self)) },
        output: run.pointer(output, as: Float.self) + starts.output, outputStride: outputChannels, lower: lower, upper: upper)
    }
  }

  /// The stage for quantised tensors: inputs 0 to 2 of the node to its output.
  func integerStage<Code: QuantizedCode, Weight: QuantizedCode, Sum: ProductSum>(
    _ context: PrepareContext, _ quantization: ProductQuantization, _ rescaling: IntegerRescaling,
    _ types: (Code.Type, Weight.Type, Sum.Type)
  ) throws -> PreparedOperator.Stage {
    let input = try context.inputSlot(0), weights = try context.inputSlot(1)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let sumOffset = requireSums(context, Sum.self)
    let inputZero = Sum(truncatingIfNeeded: quantization.input.zeroPoint)
    let weightZero = Sum(truncatingIfNeeded: quantization.weightZeroPoint)
    return PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let (picture, rows) = tiling.block(tile)
      let starts = starts(picture: picture, row: rows.lowerBound)
      let sums = run.workerScratch.advanced(by: sumOffset).assumingMemoryBound(to: Sum.self)
      KernelReference.depthwise(
        rows: rows.count, channels: geometry.channels, multiplier: multiplier, taps: windows.taps,
        input: run.pointer(input, as: Code.self) + starts.input, inputZero: inputZero,
        offsets: windows.positions(rows, scratch: run.workerScratch), weights: run.pointer(weights, as: Weight.self),
        weightZero: weightZero, bias: bias.map { UnsafePointer(run.pointer($0, as: Sum.self)) }, sums: sums)
      rescaling.apply(
        sums, rows: rows.count, columns: outputChannels, firstColumn: 0,
        output: run.pointer(output, as: Code.self) + starts.output, distance: outputChannels)
    }
  }

  /// The stages for float32 tensors with int8 weights. Pictures are quantised one by one.
  func hybridStages(_ context: PrepareContext, activation: FusedActivation) throws -> [PreparedOperator.Stage] {
    let input = try context.inputSlot(0), weights = try context.inputSlot(1)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let scales = try WeightScales(context.node, input: 1, columns: outputChannels, axis: 3).scales
    let quantization = try DynamicQuantization(
      context, slices: geometry.batch, length: geometry.pictureCount, isAsymmetric: true, isByRow: false)
    let sumOffset = requireSums(context, Int32.self)
    let (lower, upper) = activation.floatRange
    let multiplying = PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let (picture, rows) = tiling.block(tile)
      let starts = starts(picture: picture, row: rows.lowerBound)
      let sums = run.workerScratch.advanced(by: sumOffset).assumingMemoryBound(to: Int32.self)
      KernelReference.depthwise(
        rows: rows.count, channels: geometry.channels, multiplier: multiplier, taps: windows.taps,
        input: run.pointer(quantization.codes, as: Int8.self) + starts.input,
        inputZero: run.pointer(quantization.zeroPoints, as: Int32.self)[picture],
        offsets: windows.positions(rows, scratch: run.workerScratch), weights: run.pointer(weights, as: Int8.self),
        weightZero: 0, bias: nil, sums: sums)
      HybridScaling(lower: lower, upper: upper).apply(
        sums, rows: rows.count, columns: outputChannels, by: run.pointer(quantization.scales, as: Float.self)[picture],
        scales: scales, bias: bias.map { UnsafePointer(run.pointer($0, as: Float.self)) },
        output: run.pointer(output, as: Float.self) + starts.output)
    }
    return quantization.stages(input) + [multiplying]
  }

  /// Asks for worker scratch for offsets and sums; returns where sums begin in it.
  private func requireSums<Sum>(_ context: PrepareContext, _ type: Sum.Type) -> Int {
    let offsetBytes = (windows.scratchBytes(rows: tiling.rowBlock) + 63) & ~63
    context.requireWorkerScratch(bytes: offsetBytes + tiling.rowBlock * outputChannels * MemoryLayout<Sum>.size)
    return offsetBytes
  }
}
