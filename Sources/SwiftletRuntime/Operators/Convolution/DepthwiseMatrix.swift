import SwiftletFlatBuffers
import SwiftletKernels

/// The windows and tiles of a depthwise convolution, whatever its types.
struct DepthwiseMatrix: Sendable {
  let geometry: WindowGeometry
  let multiplier: Int
  let window: WindowRows
  let tiling: RowTiling

  /// - Throws: when pictures are too large.
  init(_ geometry: WindowGeometry, multiplier: Int, _ node: NodeView) throws {
    try geometry.requireTables(node)
    self.geometry = geometry
    self.multiplier = multiplier
    window = WindowRows(geometry, channels: geometry.channels, isMerging: false)
    let products = Double(window.taps) * Double(geometry.channels * multiplier)
    tiling = RowTiling(pictures: geometry.batch, rows: window.rows, cost: products * 0.1 + 2)
  }

  var outputChannels: Int { geometry.channels * multiplier }
  var multiplyAdds: Int { geometry.batch &* geometry.pixels &* window.taps &* outputChannels }

  /// Positions of a tile's first element in input and output.
  func starts(picture: Int, row: Int) -> (input: Int, output: Int) {
    (picture &* geometry.pictureCount, (picture &* window.rows &+ row) &* outputChannels)
  }

  /// The stage for float32 tensors: inputs 0 to 2 of the node to its output.
  func floatStage(_ context: PrepareContext, activation: FusedActivation) throws -> PreparedOperator.Stage {
    context.requireWorkerScratch(bytes: window.scratchBytes(rows: tiling.rowBlock))
    let input = try context.inputSlot(0), weights = try context.inputSlot(1)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let zeroRow = AlignedBytes(zeroed: window.readsPadding ? geometry.channels * 4 : 4)
    let (lower, upper) = activation.floatRange
    return PreparedOperator.Stage(tileCount: tiling.tileCount) { run, tile in
      let (picture, rows) = tiling.block(tile)
      let starts = starts(picture: picture, row: rows.lowerBound)
      KernelReference.depthwise(
        rows: rows.count, channels: geometry.channels, multiplier: multiplier, taps: window.taps,
        input: run.pointer(input, as: Float.self) + starts.input,
        offsets: window.offsets(rows, scratch: run.workerScratch),
        zeroRow: UnsafePointer(zeroRow.start.assumingMemoryBound(to: Float.self)),
        weights: run.pointer(weights, as: Float.self), bias: bias.map { UnsafePointer(run.pointer($0, as: Float.self)) },
        output: run.pointer(output, as: Float.self) + starts.output, outputStride: outputChannels, lower: lower, upper: upper)
    }
  }
}
