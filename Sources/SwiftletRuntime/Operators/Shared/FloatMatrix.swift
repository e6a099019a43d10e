import SwiftletFlatBuffers
import SwiftletKernels

/// A product of float32 rows with packed weights, `output[r, c] = clamp(bias[c] + Σ row[r, d] · weight[c, d])`, for every picture
/// and group of a convolution or every row of a fully connected layer.
struct FloatMatrix: Sendable {
  let layout: MatrixLayout
  let kernels: GemmKernels
  let tiling: MatrixTiling
  let range: (lower: Float, upper: Float)
  /// Floats of one group's packed weights.
  let groupPanels: Int
  private let zeroRow: AlignedBytes

  init(_ layout: MatrixLayout, kernels: GemmKernels, activation: FusedActivation) {
    self.layout = layout
    self.kernels = kernels
    range = activation.floatRange
    groupPanels = kernels.packedCount(columns: layout.columns, depth: layout.depth)
    tiling = MatrixTiling(
      matrices: layout.slices * layout.groups, rows: layout.rows, columns: layout.columns, depth: layout.depth,
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 4)
    let readsPadding = layout.window?.readsPadding ?? false
    zeroRow = AlignedBytes(zeroed: readsPadding ? layout.tapDepth * 4 : 4)
  }

  /// The stages that compute the product of `input` with the weights in input `weights` of the node.
  ///
  /// Constant weights are packed now, others in a stage of their own.
  ///
  /// - Parameters:
  ///   - weights: the input with `groups × columns` rows of weights.
  ///   - bias: the input with a bias per column, if there is one.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int?, output: TensorSlot
  ) throws -> [PreparedOperator.Stage] {
    context.requireWorkerScratch(bytes: layout.window?.scratchBytes(rows: tiling.rowBlock) ?? 0)
    let bytes = groupPanels.multipliedReportingOverflow(by: layout.groups * 4)
    guard !bytes.overflow, bytes.partialValue <= context.options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "packed weights would take more than the limit of \(context.options.limits.arenaBytes) bytes",
        location: context.node.node.location)
    }
    let isConstant = context.node.isConstant(weights) && (bias.map(context.node.isConstant) ?? true)
    if isConstant {
      let inputs = [weights] + (bias.map { [$0] } ?? [])
      let packed = try context.packed(inputs: inputs, layout: layoutName) { sources in
        let packed = AlignedBytes(zeroed: bytes.partialValue)
        for group in 0..<layout.groups {
          pack(group, sources[0], bias: sources.count > 1 ? sources[1] : nil, into: packed.start)
        }
        return packed
      }
      return [stage(input: input, output: output) { _ in UnsafeRawPointer(packed.start) }]
    }
    let scratch = try context.scratch(bytes: bytes.partialValue)
    return [
      try packing(context, weights: weights, bias: bias, into: scratch),
      stage(input: input, output: output) { UnsafeRawPointer($0.pointer(scratch)) },
    ]
  }

  private var layoutName: String {
    "float32 rows, panels of \(kernels.panelColumns), \(layout.groups)×\(layout.columns)×\(layout.depth)"
  }

  private func pack(
    _ group: Int, _ weights: UnsafeRawBufferPointer, bias: UnsafeRawBufferPointer?, into panels: UnsafeMutableRawPointer
  ) {
    guard let weights = weights.baseAddress else { return }
    let first = group * layout.columns
    kernels.pack(
      columns: layout.columns, depth: layout.depth,
      weights: weights.assumingMemoryBound(to: Float.self) + first * layout.depth, columnStride: layout.depth,
      depthStride: 1, bias: bias?.baseAddress.map { $0.assumingMemoryBound(to: Float.self) + first },
      into: panels.assumingMemoryBound(to: Float.self) + group * groupPanels)
  }

  /// The stage that packs weights which are computed in the run.
  private func packing(
    _ context: PrepareContext, weights: Int, bias: Int?, into scratch: TensorSlot
  ) throws -> PreparedOperator.Stage {
    let source = try context.inputSlot(weights)
    let biasSlot = try bias.map(context.inputSlot)
    let biasCount = layout.groups * layout.columns
    return PreparedOperator.Stage(items: layout.groups, cost: Double(groupPanels)) { run, groups in
      let weights = UnsafeRawBufferPointer(start: run.pointer(source), count: biasCount * layout.depth * 4)
      let bias = biasSlot.map { UnsafeRawBufferPointer(start: run.pointer($0), count: biasCount * 4) }
      for group in groups { pack(group, weights, bias: bias, into: run.pointer(scratch)) }
    }
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
    let slice = block.matrix / layout.groups, group = block.matrix % layout.groups
    let source = input + (slice &* layout.inputSlice &+ group &* layout.inputGroup)
    let panel =
      panels
      + (group &* groupPanels &+ kernels.packedCount(columns: block.columns.lowerBound, depth: layout.depth))
    let destination =
      output
      + (slice &* layout.outputSlice &+ group &* layout.outputGroup
        &+ block.rows.lowerBound &* layout.outputDistance &+ block.columns.lowerBound)
    if let distance = layout.inputDistance {
      kernels.multiplyRows(
        rows: block.rows.count, columns: block.columns.count, depth: layout.depth,
        input: source + block.rows.lowerBound &* distance, inputStride: distance, panels: panel, output: destination,
        outputStride: layout.outputDistance, lower: range.lower, upper: range.upper)
    } else if let window = layout.window {
      kernels.multiplyTaps(
        rows: block.rows.count, columns: block.columns.count, taps: layout.taps, tapDepth: layout.tapDepth, input: source,
        offsets: window.offsets(block.rows, scratch: scratch),
        zeroRow: UnsafePointer(zeroRow.start.assumingMemoryBound(to: Float.self)), panels: panel, output: destination,
        outputStride: layout.outputDistance, lower: range.lower, upper: range.upper)
    }
  }
}
