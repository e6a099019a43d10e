import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The windows and tiles of a depthwise convolution of any type. A tile is a range of lines of an image.
struct DepthwiseWindow: Sendable {
  let geometry: WindowGeometry
  let multiplier: Int
  /// The geometry for kernels, which don't support a multiplier: input channels are repeated for them.
  let kernelGeometry: DepthwiseGeometry
  /// The time per product in nanoseconds, by default in the kernels.
  var productCost = 0.05

  /// Returns the approximate time per line, in nanoseconds, if the given number of channels is computed.
  private func lineCost(channels: Int) -> Double {
    // The integer kernels, which only support small windows, compute with padding too.
    let taps = min(geometry.taps, max(geometry.maximumElements, 1 << 14))
    // The float kernels search for the taps in the padding, per row and for pixels at the ends.
    let height = geometry.height.windowSize, width = geometry.width.windowSize
    let search =
      max(height, width) <= 64
      ? 0 : Double(height) + Double(geometry.width.outputSize) * Double(width) * Double(1 + channels / 80)
    return Double(taps) * Double(channels) * Double(geometry.width.outputSize) * productCost + search + 20
  }

  /// The total work. Few channels take as long as a full vector.
  private var work: Double {
    lineCost(channels: max(outputChannels, 8)) * Double(geometry.height.outputSize) * Double(geometry.batch)
  }

  /// Creates the windows.
  ///
  /// - Throws: An error if images are too large.
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
  /// The number of elements in an output line.
  var lineCount: Int { geometry.width.outputSize * outputChannels }
  var outputCount: Int { geometry.height.outputSize * lineCount }
  /// The number of elements in an input image that kernels read.
  var kernelInputCount: Int { geometry.imageElementCount * multiplier }
  var multiplyAdds: Int { geometry.batch &* geometry.pixels &* geometry.taps &* outputChannels }
  /// The maximum number of lines in a tile, which a single thread uses.
  var lineBlock: Int { tiling(threads: 1).rowBlock }

  /// Returns a stage over the lines of all images.
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

  /// Returns the input in the form that kernels read, and the stage that repeats its channels if there is a multiplier.
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

  /// Returns the stages for float32 tensors, from inputs 0 to 2 of the node to its output.
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

extension DepthwiseWindow {
  /// Returns the stages for 8-bit tensors, from inputs 0 to 2 of the node to its output.
  func byteStages<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ quantization: GemmQuantization, _ rescaling: IntegerRescaling,
    _ type: Quantized.Type
  ) throws -> [PreparedOperator.Stage] {
    // Kernels represent weights minus their zero point as two signed bytes, whose sum is at most 254.
    let largestWeight = Int32(Quantized.max) - quantization.weightZeroPoint
    guard DepthwiseKernels.takesBytes(kernelGeometry), largestWeight <= 2 * Int32(Int8.max) else {
      return [try sumStage(context, quantization, rescaling, (Quantized.self, Quantized.self, Int32.self))]
    }
    let (input, before) = try repeated(context, context.inputSlot(0), of: Quantized.self)
    let isRounding = context.options.numerics == .fast && rescaling.shrinks
    let result: DepthwiseKernels.ByteResult = isRounding ? .bytes : .sums
    let weights = try DepthwiseWeights(
      context, kernelGeometry, for: result, isSigned: Quantized.isSigned,
      zeroPoint: quantization.weightZeroPoint)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let kernels = context.kernels.depthwise, exact = context.kernels.quantization
    context.uses(
      kernels.interleaves(kernelGeometry, for: result) ? "depthwise int8 interleaved" : "depthwise int8 by row pairs")
    let inputZeroPoint = quantization.input.zeroPoint, range = rescaling.range
    let scales = rescaling.singlePrecisionFactors
    let sumsAt = scratchBytes(context, for: result)
    context.requireWorkerScratch(bytes: sumsAt + (isRounding ? 0 : lineBlock * lineCount * 4))
    let convolving = stage { run, image, lines in
      let source = UnsafeRawPointer(run.pointer(input)) + image &* kernelInputCount
      let bias = bias.map { UnsafePointer(run.pointer($0, as: Int32.self)) }
      let target = run.pointer(output, as: Quantized.self) + image &* outputCount
      if isRounding {
        scales.withUnsafeBufferPointer { scales in
          guard let scales = scales.baseAddress else { return }
          kernels.convolveRequantizing(
            kernelGeometry, rows: lines, input: source, inputIsSigned: Quantized.isSigned,
            inputZeroPoint: inputZeroPoint,
            panels: weights.pointer(run), bias: bias, scales: scales, output: UnsafeMutableRawPointer(target),
            zeroPoint: range.zeroPoint, lower: range.lower, upper: range.upper, scratch: run.workerScratch)
        }
        return
      }
      // Kernels count lines from the start of the image, but scratch memory only contains this tile's lines.
      let sums = run.workerScratch.advanced(by: sumsAt).assumingMemoryBound(to: Int32.self)
      kernels.convolveAccumulating(
        kernelGeometry, rows: lines, input: source, inputIsSigned: Quantized.isSigned, inputZeroPoint: inputZeroPoint,
        panels: weights.pointer(run), bias: bias, output: sums - lines.lowerBound &* lineCount,
        scratch: run.workerScratch)
      rescaling.apply(
        sums, rows: lines.count &* geometry.width.outputSize, columns: outputChannels, firstColumn: 0,
        output: target + lines.lowerBound &* lineCount, distance: outputChannels, kernels: exact)
    }
    return before + weights.stages + [convolving]
  }

  /// Returns the stages for float32 tensors with int8 weights. Images are quantized one by one.
  func dynamicRangeStages(_ context: PrepareContext, activation: FusedActivation) throws -> [PreparedOperator.Stage] {
    guard DepthwiseKernels.takesBytes(kernelGeometry) else {
      throw RuntimeError(
        .limitExceeded,
        "has a window of \(geometry.height.windowSize)×\(geometry.width.windowSize) elements, which is too large for float32 tensors with int8 weights",
        location: context.node.node.location)
    }
    let scales = try WeightScales(context.node, input: 1, columns: outputChannels, axis: 3).scales
    let quantization = try DynamicQuantization(
      context, slices: geometry.batch, length: geometry.imageElementCount, rule: .asymmetric, isByRow: false)
    let (input, repeating) = try repeated(context, quantization.quantized, of: Int8.self)
    let weights = try DepthwiseWeights(context, kernelGeometry, for: .sums, isSigned: true, zeroPoint: 0)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let kernels = context.kernels.depthwise, scaling = context.kernels.quantization
    context.uses("dynamic-range depthwise int8 by row pairs")
    let range = activation.floatRange
    let isFast = context.options.numerics == .fast
    let sumsAt = scratchBytes(context, for: .sums)
    context.requireWorkerScratch(bytes: sumsAt + lineBlock * lineCount * 4)
    let convolving = stage { run, image, lines in
      let sums = run.workerScratch.advanced(by: sumsAt).assumingMemoryBound(to: Int32.self)
      kernels.convolveAccumulating(
        kernelGeometry, rows: lines, input: UnsafeRawPointer(run.pointer(input)) + image &* kernelInputCount,
        inputIsSigned: true, inputZeroPoint: run.pointer(quantization.zeroPoints, as: Int32.self)[image],
        panels: weights.pointer(run), bias: nil, output: sums - lines.lowerBound &* lineCount,
        scratch: run.workerScratch)
      scales.withUnsafeBufferPointer { scales in
        guard let scales = scales.baseAddress else { return }
        scaling.scale(
          rows: lines.count &* geometry.width.outputSize, columns: outputChannels, sums: sums,
          rowScale: run.pointer(quantization.scales, as: Float.self)[image], scales: scales,
          bias: bias.map { UnsafePointer(run.pointer($0, as: Float.self)) }, scalesFirst: isFast, lower: range.lower,
          upper: range.upper,
          output: run.pointer(output, as: Float.self) + (image &* outputCount &+ lines.lowerBound &* lineCount))
      }
    }
    return quantization.stages(try context.inputSlot(0)) + repeating + weights.stages + [convolving]
  }

  /// Returns the stages for int16 tensors with int8 weights. The integer kernels process both planes, whose sums
  /// together are exact.
  func int16Stages(
    _ context: PrepareContext, _ quantization: GemmQuantization, _ rescaling: IntegerRescaling
  ) throws -> [PreparedOperator.Stage] {
    guard DepthwiseKernels.takesBytes(kernelGeometry) else {
      return [try sumStage(context, quantization, rescaling, (Int16.self, Int8.self, Int64.self))]
    }
    let planes = try Int16Planes(context, count: geometry.batch * geometry.imageElementCount)
    let (high, repeatingHigh) = try repeated(context, planes.high, of: Int8.self)
    let (low, repeatingLow) = try repeated(context, planes.low, of: Int8.self)
    let weights = try DepthwiseWeights(context, kernelGeometry, for: .sums, isSigned: true, zeroPoint: 0)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let kernels = context.kernels.depthwise
    context.uses("depthwise int16 as two int8 planes")
    let count = lineBlock * lineCount
    let sumsAt = scratchBytes(context, for: .sums)
    context.requireWorkerScratch(bytes: sumsAt + count * 16)
    let convolving = stage { run, image, lines in
      // First the sums of both planes, then the total sums.
      let highSums = run.workerScratch.advanced(by: sumsAt).assumingMemoryBound(to: Int32.self)
      let lowSums = highSums + count
      let sums = run.workerScratch.advanced(by: sumsAt &+ count &* 8).assumingMemoryBound(to: Int64.self)
      func accumulate(_ plane: TensorSlot, zeroPoint: Int8, into target: UnsafeMutablePointer<Int32>) {
        kernels.convolveAccumulating(
          kernelGeometry, rows: lines, input: UnsafeRawPointer(run.pointer(plane)) + image &* kernelInputCount,
          inputIsSigned: true, inputZeroPoint: Int32(zeroPoint), panels: weights.pointer(run), bias: nil,
          output: target - lines.lowerBound &* lineCount, scratch: run.workerScratch)
      }
      accumulate(high, zeroPoint: Int16Planes.highZero, into: highSums)
      accumulate(low, zeroPoint: Int16Planes.lowZero, into: lowSums)
      let bias = bias.map { UnsafePointer(run.pointer($0, as: Int64.self)) }
      let pixels = lines.count &* geometry.width.outputSize
      for pixel in 0..<pixels {
        for channel in 0..<outputChannels {
          let index = pixel &* outputChannels &+ channel
          sums[index] = Int64(highSums[index]) &<< 8 &+ Int64(lowSums[index]) &+ (bias.map { $0[channel] } ?? 0)
        }
      }
      rescaling.apply(
        sums, rows: pixels, columns: outputChannels, firstColumn: 0,
        output: run.pointer(output, as: Int16.self) + (image &* outputCount &+ lines.lowerBound &* lineCount),
        distance: outputChannels)
    }
    return [planes.stage(try context.inputSlot(0))] + repeatingHigh + repeatingLow + weights.stages + [convolving]
  }

  /// Returns the size of a worker's scratch memory for the integer kernels. The operator's own data follows it.
  private func scratchBytes(_ context: PrepareContext, for result: DepthwiseKernels.ByteResult) -> Int {
    (context.kernels.depthwise.scratchByteCount(kernelGeometry, for: result) + 63) & ~63
  }

  /// Returns the stage for windows that the integer kernels don't support.
  func sumStage<Quantized: QuantizedValue, Weight: QuantizedValue, Sum: ProductSum>(
    _ context: PrepareContext, _ quantization: GemmQuantization, _ rescaling: IntegerRescaling,
    _ types: (Quantized.Type, Weight.Type, Sum.Type)
  ) throws -> PreparedOperator.Stage {
    context.uses("depthwise sums", .none)
    let input = try context.inputSlot(0), weights = try context.inputSlot(1)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let pixels = geometry.width.outputSize
    var plain = self
    plain.productCost = 1
    context.requireWorkerScratch(bytes: plain.lineBlock * lineCount * MemoryLayout<Sum>.size)
    let inputZero = Sum(truncatingIfNeeded: quantization.input.zeroPoint)
    let weightZero = Sum(truncatingIfNeeded: quantization.weightZeroPoint)
    return plain.stage { run, image, lines in
      let rows = lines.lowerBound &* pixels..<lines.upperBound &* pixels
      let sums = run.workerScratch.assumingMemoryBound(to: Sum.self)
      let bias = bias.map { UnsafePointer(run.pointer($0, as: Sum.self)) }
      for element in 0..<rows.count &* outputChannels { sums[element] = bias.map { $0[element % outputChannels] } ?? 0 }
      let source = run.pointer(input, as: Quantized.self) + image &* geometry.imageElementCount
      let weights = run.pointer(weights, as: Weight.self)
      let height = geometry.height, width = geometry.width
      for row in rows {
        let target = sums + (row &- rows.lowerBound) &* outputChannels
        let top = height.start(row / pixels), left = width.start(row % pixels)
        for line in height.elements(at: row / pixels) {
          for column in width.elements(at: row % pixels) {
            let pixel = (top &+ line &* height.dilation) &* width.inputSize &+ left &+ column &* width.dilation
            let quantized = source + pixel &* geometry.channels
            let factors = weights + (line &* width.windowSize &+ column) &* outputChannels
            for channel in 0..<geometry.channels {
              let quantized = Sum(truncatingIfNeeded: quantized[channel]) &- inputZero
              for output in channel &* multiplier..<(channel &+ 1) &* multiplier {
                target[output] &+= quantized &* (Sum(truncatingIfNeeded: factors[output]) &- weightZero)
              }
            }
          }
        }
      }
      rescaling.apply(
        sums, rows: rows.count, columns: outputChannels, firstColumn: 0,
        output: run.pointer(output, as: Quantized.self) + (image &* outputCount &+ lines.lowerBound &* lineCount),
        distance: outputChannels)
    }
  }
}

/// The weights in input 1, packed for the integer kernels.
private struct DepthwiseWeights: Sendable {
  /// The stages that pack weights computed in the run.
  let stages: [PreparedOperator.Stage]
  private let constant: AlignedBytes?
  private let computed: TensorSlot?

  init(
    _ context: PrepareContext, _ geometry: DepthwiseGeometry, for result: DepthwiseKernels.ByteResult, isSigned: Bool,
    zeroPoint: Int32
  ) throws {
    let kernels = context.kernels.depthwise
    let byteCount = kernels.packedByteCount(geometry, for: result)
    let pack = { @Sendable (weights: UnsafeRawPointer, panels: UnsafeMutableRawPointer) in
      kernels.packBytes(
        geometry, for: result, weights: weights, weightsAreSigned: isSigned, weightZeroPoint: zeroPoint, into: panels)
    }
    if context.node.isConstant(1) {
      let layout = PackedLayout(
        "depthwise bytes",
        [
          kernels.lanes, geometry.kernelHeight, geometry.kernelWidth, geometry.channels, geometry.rowStride,
          geometry.rowDilation, geometry.columnStride, geometry.columnDilation, result.rawValue, isSigned ? 1 : 0,
          Int(zeroPoint),
        ])
      constant = try context.packed(inputs: [1], layout: layout, byteCount: byteCount) { sources, packed, _ in
        if let weights = sources[0].baseAddress { pack(weights, packed.start) }
      }
      computed = nil
      stages = []
      return
    }
    let source = try context.inputSlot(1), target = try context.scratch(bytes: byteCount)
    constant = nil
    computed = target
    stages = [
      PreparedOperator.Stage(tileCount: 1, work: Double(byteCount)) { run, _ in
        pack(UnsafeRawPointer(run.pointer(source)), run.pointer(target))
      }
    ]
  }

  func pointer(_ run: RunContext) -> UnsafeRawPointer {
    UnsafeRawPointer(constant?.start ?? computed.map(run.pointer) ?? run.workerScratch)
  }
}
