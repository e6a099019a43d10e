import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// The windows and tiles of a depthwise convolution, whatever its types. A tile is some lines of an image.
struct DepthwiseWindow: Sendable {
  let geometry: WindowGeometry
  let multiplier: Int
  /// The same for kernels, which know no multiplier: input channels are repeated for them.
  let kernelGeometry: DepthwiseGeometry
  /// Nanoseconds of a product: those of kernels, unless a stage has none.
  var productCost = 0.05

  /// Roughly what a line costs where that many channels are computed, in nanoseconds.
  private func lineCost(channels: Int) -> Double {
    // Kernels for bytes, which take small windows only, compute with padding too.
    let taps = min(geometry.taps, max(geometry.mostElements, 1 << 14))
    // Kernels for floats count, for every row and for pixels at the ends, the taps that lie in padding.
    let height = geometry.height.windowSize, width = geometry.width.windowSize
    let search =
      max(height, width) <= 64
      ? 0 : Double(height) + Double(geometry.width.outputSize) * Double(width) * Double(1 + channels / 80)
    return Double(taps) * Double(channels) * Double(geometry.width.outputSize) * productCost + search + 20
  }

  /// Few channels take as long as a vector of them.
  private var work: Double {
    lineCost(channels: max(outputChannels, 8)) * Double(geometry.height.outputSize) * Double(geometry.batch)
  }

  /// - Throws: when images are too large.
  init(_ geometry: WindowGeometry, multiplier: Int, _ node: NodeView) throws {
    try geometry.requireTables(node)
    self.geometry = geometry
    self.multiplier = multiplier
    let height = geometry.height, width = geometry.width
    kernelGeometry = DepthwiseGeometry(
      inputHeight: height.inputSize, inputWidth: width.inputSize, outputWidth: width.outputSize,
      channels: geometry.channels * multiplier, kernelHeight: height.windowSize, kernelWidth: width.windowSize,
      rowStride: height.stride, columnStride: width.stride, rowDilation: height.dilation,
      columnDilation: width.dilation,
      paddingTop: height.paddingBefore, paddingLeft: width.paddingBefore)
  }

  private func tiling(threads: Int) -> RowTiling {
    RowTiling(
      images: geometry.batch, rows: geometry.height.outputSize, cost: lineCost(channels: outputChannels),
      step: DepthwiseKernels.rowsTogether(kernelGeometry), threads: threads)
  }

  var outputChannels: Int { geometry.channels * multiplier }
  /// Elements of a line and of an image of the output.
  var lineCount: Int { geometry.width.outputSize * outputChannels }
  var outputCount: Int { geometry.height.outputSize * lineCount }
  /// Elements of an image of the input that kernels read.
  var kernelInputCount: Int { geometry.imageElementCount * multiplier }
  var multiplyAdds: Int { geometry.batch &* geometry.pixels &* geometry.taps &* outputChannels }
  /// The most lines of a tile: those of one thread alone.
  var lineBlock: Int { tiling(threads: 1).rowBlock }

  /// A stage over the lines of all images.
  func stage(
    _ run: @escaping @Sendable (RunContext, _ image: Int, _ lines: Range<Int>) throws -> Void
  ) -> PreparedOperator.Stage {
    PreparedOperator.Stage { threads in
      let tiling = tiling(threads: threads)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { context, tile in
        let (image, lines) = tiling.block(tile)
        try run(context, image, lines)
      }
    }
  }

  /// The input as kernels read it, and the stage that repeats its channels where there is a multiplier.
  func repeated<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ input: TensorSlot, of type: Element.Type
  ) throws -> (TensorSlot, [PreparedOperator.Stage]) {
    guard multiplier > 1 else { return (input, []) }
    let count = (geometry.batch * geometry.imageElementCount).multipliedReportingOverflow(
      by: multiplier * MemoryLayout<Element>.size)
    guard !count.overflow else { throw context.node.invalid("has too many channels") }
    let target = try context.scratch(bytes: count.partialValue)
    let multiplier = multiplier
    let stage = PreparedOperator.Stage(
      items: geometry.batch * geometry.imageElementCount, cost: Double(multiplier) * 0.5
    ) { run, items in
      let from = run.pointer(input, as: type), to = run.pointer(target, as: type)
      for item in items { (to + item &* multiplier).update(repeating: from[item], count: multiplier) }
    }
    return (target, [stage])
  }

  /// The stages for float32 tensors: inputs 0 to 2 of the node to its output.
  func floatStages(
    _ context: PrepareContext, activation: FusedActivation, epilogue: [EpilogueStep]
  ) throws -> [PreparedOperator.Stage] {
    let (input, before) = try repeated(context, context.inputSlot(0), of: Float.self)
    let weights = try context.inputSlot(1), bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let isExact = context.options.numerics == .bitExact
    let kernels = isExact ? KernelTable.portable.depthwise : context.kernels.depthwise
    context.uses("depthwise float32", isExact ? .portable : .processor)
    let trailingBias = isExact ? TrailingBias(bias, activation.floatRange) : nil
    let firstBias = isExact ? nil : bias
    let epilogue = try FusedEpilogue(context, epilogue)
    let step = epilogue.isEmpty ? geometry.height.outputSize : max(1, FusedEpilogue.cachedElements / max(1, lineCount))
    let (lower, upper) = isExact ? FusedActivation.none.floatRange : activation.floatRange
    let convolving = stage { run, image, allLines in
      for line in stride(from: allLines.lowerBound, to: allLines.upperBound, by: max(1, step)) {
        let lines = line..<min(allLines.upperBound, line &+ step)
        let first = image &* outputCount
        let output = run.pointer(output, as: Float.self) + first
        kernels.convolve(
          kernelGeometry, rows: lines, input: run.pointer(input, as: Float.self) + image &* kernelInputCount,
          weights: run.pointer(weights, as: Float.self),
          bias: firstBias.map { UnsafePointer(run.pointer($0, as: Float.self)) }, output: output, lower: lower,
          upper: upper)
        trailingBias?.finish(
          run, output + lines.lowerBound &* lineCount, rows: lines.count &* geometry.width.outputSize,
          stride: outputChannels,
          columns: outputChannels, firstBias: 0)
        if !epilogue.isEmpty {
          epilogue.apply(
            run, output - first, first: first &+ lines.lowerBound &* lineCount,
            rows: lines.count &* geometry.width.outputSize,
            columns: outputChannels, distance: outputChannels)
        }
      }
    }
    return before + [convolving]
  }
}
