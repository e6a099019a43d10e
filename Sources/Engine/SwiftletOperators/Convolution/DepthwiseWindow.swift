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

  /// The maximum number of output rows that float kernels compute together.
  static let rowsTogether = 4

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
  /// - Parameter mergesImages: Whether images with windows of single pixels may be merged.
  /// - Throws: An error if images are too large.
  init(_ geometry: WindowGeometry, multiplier: Int, mergesImages: Bool = true, _ node: NodeView) throws {
    try geometry.requireTables(node)
    let geometry = geometry.readsPixels ? geometry.withLongLines(multiplier, mergesImages: mergesImages) : geometry
    self.geometry = geometry
    self.multiplier = multiplier
    kernelGeometry = DepthwiseGeometry(geometry, multiplier: multiplier)
  }

  private func tiling(_ pieces: DepthwisePieces?, threads: Int) -> RowTiling {
    // Pieces with copied lines would copy more for fewer lines.
    let step = pieces.map { $0.copyBytes > 0 ? min(16, $0.lines) : $0.rowsTogether } ?? 1
    return RowTiling(
      images: geometry.batch, rows: geometry.height.outputSize, cost: lineCost(channels: outputChannels),
      step: max(step, DepthwiseKernels.rowsTogether(kernelGeometry)), threads: threads)
  }

  var outputChannels: Int { geometry.channels * multiplier }
  /// The number of elements in an output line.
  var lineCount: Int { geometry.width.outputSize * outputChannels }
  var outputCount: Int { geometry.height.outputSize * lineCount }
  var multiplyAdds: Int { geometry.batch &* geometry.pixels &* geometry.taps &* outputChannels }
  /// The maximum number of lines in a tile, which a single thread uses.
  var lineBlock: Int { tiling(nil, threads: 1).rowBlock }

  /// Returns a stage over the lines of all images.
  func stage(
    _ pieces: DepthwisePieces? = nil,
    _ run: @escaping @Sendable (RunContext, _ image: Int, _ lines: Range<Int>) throws -> Void
  ) -> PreparedOperator.Stage {
    PreparedOperator.Stage { threads in
      let tiling = tiling(pieces, threads: threads)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { context, tile in
        let (image, lines) = tiling.block(tile)
        try run(context, image, lines)
      }
    }
  }

  /// Returns the stages for float32 tensors, from inputs 0 to 2 of the node to its output.
  func floatStages(
    _ context: PrepareContext, activation: FusedActivation, epilogue: [EpilogueStep]
  ) throws -> [PreparedOperator.Stage] {
    let input = try context.inputSlot(0)
    let weights = try context.inputSlot(1), bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let isExact = context.options.numerics == .bitExact
    let kernels = isExact ? KernelTable.portable.depthwise : context.kernels.depthwise
    context.uses("depthwise float32", isExact ? .portable : .processor)
    var kernelGeometry = kernelGeometry
    if kernels.takesMultipliers {
      kernelGeometry.inputPixelStride = geometry.channels
      kernelGeometry.multiplier = multiplier
    }
    let pieces = DepthwisePieces(
      geometry, multiplier: multiplier, kernelGeometry, elementBytes: 4, lanes: kernels.lanes,
      readsImage: kernels.takesMultipliers,
      fillsVectors: geometry.width.stride == 1 && outputChannels < kernels.lanes
        && kernels.lanes % outputChannels == 0,
      canPad: hasFiniteWeights(context))
    let trailingBias = isExact ? TrailingBias(bias, activation.floatRange) : nil
    let firstBias = isExact ? nil : bias
    let epilogue = try FusedEpilogue(context, epilogue)
    let step =
      epilogue.isEmpty
      ? geometry.height.outputSize
      : max(
        pieces.copyBytes > 0 ? pieces.lines : Self.rowsTogether, FusedEpilogue.cachedElements / max(1, lineCount))
    let (lower, upper) = isExact ? FusedActivation.none.floatRange : activation.floatRange
    // The epilogue uses the start of the scratch memory.
    let filterAt = FusedEpilogue.scratchBytes, filterRows = pieces.pixels > 1 ? geometry.taps + 1 : 0
    let resultsAt = (filterAt + filterRows * pieces.channels * 4 + 63) & ~63
    let copyAt = (resultsAt + (pieces.copyBytes > 0 ? pieces.resultCount * 4 : 0) + 63) & ~63
    if pieces.pixels > 1 || pieces.copyBytes > 0 { context.requireWorkerScratch(bytes: copyAt + pieces.copyBytes) }
    let convolving = stage(pieces) { run, image, allLines in
      let results = (run.workerScratch + resultsAt).assumingMemoryBound(to: Float.self)
      var weights = UnsafePointer(run.pointer(weights, as: Float.self))
      var bias = firstBias.map { UnsafePointer(run.pointer($0, as: Float.self)) }
      if filterRows > 0 {
        let filter = (run.workerScratch + filterAt).assumingMemoryBound(to: Float.self)
        pieces.repeatRows(weights, rows: geometry.taps, to: filter)
        weights = UnsafePointer(filter)
        if let values = bias {
          let target = filter + geometry.taps &* pieces.channels
          pieces.repeatRows(values, rows: 1, to: target)
          bias = UnsafePointer(target)
        }
      }
      let source = UnsafePointer(run.pointer(input, as: UInt32.self)) + image &* geometry.imageElementCount
      let first = image &* outputCount
      let output = run.pointer(output, as: Float.self) + first
      for line in stride(from: allLines.lowerBound, to: allLines.upperBound, by: max(1, step)) {
        let lines = line..<min(allLines.upperBound, line &+ step)
        pieces.forEach(lines) { piece in
          let source = pieces.source(piece, source, zero: 0, scratch: run.workerScratch + copyAt)
          let isDense = pieces.isDense(piece)
          let target = isDense ? output + pieces.firstResult(piece) : results
          kernels.convolve(
            piece.geometry, rows: piece.rows, input: UnsafeRawPointer(source).assumingMemoryBound(to: Float.self),
            weights: weights, bias: bias, output: target - piece.rows.lowerBound &* piece.lineElements, lower: lower,
            upper: upper)
          if !isDense { pieces.store(piece, results, to: output) }
        }
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
    return [convolving]
  }

  /// Whether the weights are constant and finite, so that products with zeros are zeros.
  private func hasFiniteWeights(_ context: PrepareContext) -> Bool {
    guard let weights = context.node.constant(1) else { return false }
    return weights.bindMemory(to: Float.self).allSatisfy(\.isFinite)
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
    let isRounding = context.options.numerics == .fast && rescaling.fitsSinglePrecision
    if let single = try SinglePixelDepthwise(
      context, geometry, multiplier: multiplier, quantization, isSigned: Quantized.isSigned)
    {
      return [try single.stage(context, images: geometry.batch, rescaling, isRounding: isRounding, type)]
    }
    let input = try context.inputSlot(0)
    let result: DepthwiseKernels.ByteResult = isRounding ? .bytes : .sums
    let kernels = context.kernels.depthwise, exact = context.kernels.quantization
    let pieces = bytePieces(context, result)
    let weights = try DepthwiseWeights(
      context, pieces, for: result, isSigned: Quantized.isSigned, zeroPoint: quantization.weightZeroPoint)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    context.uses(
      kernels.interleaves(pieces.packedGeometry, for: result)
        ? "depthwise int8 interleaved" : "depthwise int8 by row pairs")
    let inputZeroPoint = quantization.input.zeroPoint, range = rescaling.range
    let scales = pieces.repeated(rescaling.singlePrecisionFactors), rescaling = pieces.repeated(rescaling)
    let scratch = ByteScratch(context, pieces, for: result, resultBytes: 1, sumBytes: isRounding ? 0 : 4)
    let convolving = stage(pieces) { run, image, lines in
      let source = UnsafePointer(run.pointer(input, as: UInt8.self)) + image &* geometry.imageElementCount
      let bias: UnsafePointer<Int32>? = scratch.bias(bias, pieces, run)
      let output = run.pointer(output, as: Quantized.self) + image &* outputCount
      let results = (run.workerScratch + scratch.resultsAt).assumingMemoryBound(to: Quantized.self)
      let sums = (run.workerScratch + scratch.sumsAt).assumingMemoryBound(to: Int32.self)
      pieces.forEach(lines) { piece in
        let source = pieces.source(
          piece, source, zero: UInt8(truncatingIfNeeded: inputZeroPoint), scratch: run.workerScratch + scratch.copyAt)
        let isDense = pieces.isDense(piece)
        let target = isDense ? output + pieces.firstResult(piece) : results
        // Kernels count lines from the start of their image.
        let skipped = piece.rows.lowerBound &* piece.lineElements
        if isRounding {
          scales.withUnsafeBufferPointer { scales in
            guard let scales = scales.baseAddress else { return }
            kernels.convolveRequantizing(
              piece.geometry, rows: piece.rows, input: source, inputIsSigned: Quantized.isSigned,
              inputZeroPoint: inputZeroPoint, panels: weights.pointer(run), bias: bias, scales: scales,
              output: UnsafeMutableRawPointer(target - skipped), zeroPoint: range.zeroPoint, lower: range.lower,
              upper: range.upper, scratch: run.workerScratch)
          }
        } else {
          kernels.convolveAccumulating(
            piece.geometry, rows: piece.rows, input: source, inputIsSigned: Quantized.isSigned,
            inputZeroPoint: inputZeroPoint, panels: weights.pointer(run), bias: bias, output: sums - skipped,
            scratch: run.workerScratch)
          rescaling.apply(
            sums, rows: piece.rows.count &* piece.geometry.outputWidth, columns: pieces.channels, firstColumn: 0,
            output: target, distance: pieces.channels, kernels: exact)
        }
        if !isDense { pieces.store(piece, results, to: output) }
      }
    }
    return weights.stages + [convolving]
  }

  /// Returns the pieces of convolutions of bytes, whose kernels compute with padding, and would with window elements
  /// that are always in padding.
  private func bytePieces(_ context: PrepareContext, _ result: DepthwiseKernels.ByteResult) -> DepthwisePieces {
    let kernels = context.kernels.depthwise
    let height = geometry.height.cropped, width = geometry.width.cropped
    let window = WindowGeometry(
      batch: geometry.batch, height: height.axis, width: width.axis, channels: geometry.channels)
    var kernelGeometry = DepthwiseGeometry(window, multiplier: multiplier)
    // Short lines of many channels are faster if input channels are repeated for the interleaving kernels.
    if width.axis.outputSize >= 16 || !kernels.interleaves(kernelGeometry, for: result) {
      kernelGeometry.multiplier = multiplier
      kernelGeometry.inputPixelStride = window.channels
    }
    var pieces = DepthwisePieces(
      window, multiplier: multiplier, kernelGeometry, elementBytes: 1, lanes: kernels.lanes,
      blocksPixels: result == .sums
        || (width.axis.stride > 1 && max(height.axis.windowSize, width.axis.windowSize) <= 3)
    ) { kernels.interleaves($0, for: result) }
    pieces.crop = (height.first, width.first, geometry.width.windowSize)
    return pieces
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
    let pieces = bytePieces(context, .sums)
    let weights = try DepthwiseWeights(context, pieces, for: .sums, isSigned: true, zeroPoint: 0)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let kernels = context.kernels.depthwise, scaling = context.kernels.quantization
    context.uses("dynamic-range depthwise int8 by row pairs")
    let range = activation.floatRange
    let isFast = context.options.numerics == .fast
    let repeatedScales = pieces.repeated(scales)
    let scratch = ByteScratch(context, pieces, for: .sums, resultBytes: 4, sumBytes: 4)
    let convolving = stage(pieces) { run, image, lines in
      let source =
        UnsafePointer(run.pointer(quantization.quantized, as: UInt8.self)) + image &* geometry.imageElementCount
      let bias: UnsafePointer<Float>? = scratch.bias(bias, pieces, run)
      let zeroPoint = run.pointer(quantization.zeroPoints, as: Int32.self)[image]
      let rowScale = run.pointer(quantization.scales, as: Float.self)[image]
      let output = run.pointer(output, as: Float.self) + image &* outputCount
      let results = (run.workerScratch + scratch.resultsAt).assumingMemoryBound(to: Float.self)
      let sums = (run.workerScratch + scratch.sumsAt).assumingMemoryBound(to: Int32.self)
      pieces.forEach(lines) { piece in
        let source = pieces.source(
          piece, source, zero: UInt8(truncatingIfNeeded: zeroPoint), scratch: run.workerScratch + scratch.copyAt)
        kernels.convolveAccumulating(
          piece.geometry, rows: piece.rows, input: source, inputIsSigned: true, inputZeroPoint: zeroPoint,
          panels: weights.pointer(run), bias: nil, output: sums - piece.rows.lowerBound &* piece.lineElements,
          scratch: run.workerScratch)
        let isDense = pieces.isDense(piece)
        repeatedScales.withUnsafeBufferPointer { scales in
          guard let scales = scales.baseAddress else { return }
          scaling.scale(
            rows: piece.rows.count &* piece.geometry.outputWidth, columns: pieces.channels, sums: sums,
            rowScale: rowScale, scales: scales, bias: bias, order: isFast ? .columnFirst : .scalesFirst,
            lower: range.lower,
            upper: range.upper, output: isDense ? output + pieces.firstResult(piece) : results)
        }
        if !isDense { pieces.store(piece, results, to: output) }
      }
    }
    return quantization.stages(try context.inputSlot(0)) + weights.stages + [convolving]
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
    let pieces = bytePieces(context, .sums)
    let weights = try DepthwiseWeights(context, pieces, for: .sums, isSigned: true, zeroPoint: 0)
    let bias = context.optionalInputSlot(2), output = try context.outputSlot(0)
    let kernels = context.kernels.depthwise, exact = context.kernels.quantization
    context.uses("depthwise int16 as two int8 planes")
    let narrow = narrowSums(context, rescaling)
    let narrowBias = pieces.repeated(narrow?.bias ?? []), narrowRescaling = narrow.map { pieces.repeated($0.rescaling) }
    let rescaling = pieces.repeated(rescaling)
    let scratch = ByteScratch(context, pieces, for: .sums, resultBytes: 2, sumBytes: narrow == nil ? 16 : 8)
    let convolving = stage(pieces) { run, image, lines in
      // First the sums of both planes, then the total sums.
      let highSums = (run.workerScratch + scratch.sumsAt).assumingMemoryBound(to: Int32.self)
      let lowSums = highSums + pieces.resultCount
      let sums = UnsafeMutableRawPointer(lowSums + pieces.resultCount).assumingMemoryBound(to: Int64.self)
      let bias: UnsafePointer<Int64>? = scratch.bias(bias, pieces, run)
      let output = run.pointer(output, as: Int16.self) + image &* outputCount
      let results = (run.workerScratch + scratch.resultsAt).assumingMemoryBound(to: Int16.self)
      pieces.forEach(lines) { piece in
        func accumulate(
          _ plane: TensorSlot, zeroPoint: Int8, bias: UnsafePointer<Int32>?, into target: UnsafeMutablePointer<Int32>
        ) {
          let source = pieces.source(
            piece, UnsafePointer(run.pointer(plane, as: UInt8.self)) + image &* geometry.imageElementCount,
            zero: UInt8(bitPattern: zeroPoint), scratch: run.workerScratch + scratch.copyAt)
          kernels.convolveAccumulating(
            piece.geometry, rows: piece.rows, input: source, inputIsSigned: true, inputZeroPoint: Int32(zeroPoint),
            panels: weights.pointer(run), bias: bias, output: target - piece.rows.lowerBound &* piece.lineElements,
            scratch: run.workerScratch)
        }
        accumulate(planes.high, zeroPoint: Int16Planes.highZero, bias: nil, into: highSums)
        let isDense = pieces.isDense(piece)
        let target = isDense ? output + pieces.firstResult(piece) : results
        let rows = piece.rows.count &* piece.geometry.outputWidth, columns = pieces.channels
        if let narrowRescaling {
          narrowBias.withUnsafeBufferPointer { bias in
            accumulate(planes.low, zeroPoint: Int16Planes.lowZero, bias: bias.baseAddress, into: lowSums)
          }
          for index in 0..<rows &* columns { lowSums[index] = highSums[index] &<< 8 &+ lowSums[index] }
          narrowRescaling.apply(
            lowSums, rows: rows, columns: columns, firstColumn: 0, output: target, distance: columns, kernels: exact)
        } else {
          accumulate(planes.low, zeroPoint: Int16Planes.lowZero, bias: nil, into: lowSums)
          for row in 0..<rows {
            for column in 0..<columns {
              let index = row &* columns &+ column
              sums[index] = Int64(highSums[index]) &<< 8 &+ Int64(lowSums[index]) &+ (bias?[column] ?? 0)
            }
          }
          rescaling.apply(sums, rows: rows, columns: columns, firstColumn: 0, output: target, distance: columns)
        }
        if !isDense { pieces.store(piece, results, to: output) }
      }
    }
    return [planes.stage(try context.inputSlot(0))] + weights.stages + [convolving]
  }

  /// Returns the bias and the rescaling of 32-bit sums of 16-bit values, or `nil` if sums may need more bits.
  private func narrowSums(
    _ context: PrepareContext, _ rescaling: IntegerRescaling
  ) -> (bias: [Int32], rescaling: IntegerRescaling)? {
    guard geometry.taps <= 1 << 7, let rescaling = rescaling.narrowed else { return nil }
    guard context.optionalInputSlot(2) != nil else { return ([Int32](repeating: 0, count: outputChannels), rescaling) }
    guard let bias = context.node.constant(2)?.bindMemory(to: Int64.self), bias.count == outputChannels,
      bias.allSatisfy({ $0.magnitude < 1 << 30 })
    else { return nil }
    return (bias.map { Int32($0) }, rescaling)
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

/// The parts of a worker's scratch memory for integer convolutions.
private struct ByteScratch: Sendable {
  /// The positions of repeated biases, results, sums, and copied lines. The kernels' own memory is before them.
  private let biasAt: Int
  let resultsAt: Int
  let sumsAt: Int
  let copyAt: Int

  /// Requests the memory.
  ///
  /// - Parameters: The sizes of an output value, and of the sums of an output value.
  init(
    _ context: PrepareContext, _ pieces: DepthwisePieces, for result: DepthwiseKernels.ByteResult, resultBytes: Int,
    sumBytes: Int
  ) {
    func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
    biasAt = aligned(context.kernels.depthwise.scratchByteCount(pieces.packedGeometry, for: result))
    resultsAt = biasAt + aligned(pieces.pixels > 1 ? pieces.channels * 8 : 0)
    sumsAt = resultsAt + aligned(pieces.copyBytes > 0 ? pieces.resultCount * resultBytes : 0)
    copyAt = sumsAt + aligned(pieces.resultCount * sumBytes)
    context.requireWorkerScratch(bytes: copyAt + pieces.copyBytes)
  }

  /// Returns the biases of the kernels' channels.
  func bias<Value: BitwiseCopyable>(
    _ slot: TensorSlot?, _ pieces: DepthwisePieces, _ run: RunContext
  ) -> UnsafePointer<Value>? {
    guard let slot else { return nil }
    let bias = UnsafePointer(run.pointer(slot, as: Value.self))
    guard pieces.pixels > 1 else { return bias }
    let repeated = (run.workerScratch + biasAt).assumingMemoryBound(to: Value.self)
    pieces.repeatRows(bias, rows: 1, to: repeated)
    return UnsafePointer(repeated)
  }
}

extension DepthwisePieces {
  /// Returns the rescaling of the kernels' channels.
  fileprivate func repeated(_ rescaling: IntegerRescaling) -> IntegerRescaling {
    guard pixels > 1, case .fixedPoint(let factors) = rescaling.factors else { return rescaling }
    return IntegerRescaling(
      factors: .fixedPoint(repeated(factors)), range: rescaling.range,
      singlePrecision: repeated(rescaling.singlePrecisionFactors))
  }
}

/// The weights in input 1, packed for the integer kernels.
private struct DepthwiseWeights: Sendable {
  /// The stages that pack weights computed in the run.
  let stages: [PreparedOperator.Stage]
  private let constant: AlignedBytes?
  private let computed: TensorSlot?

  init(
    _ context: PrepareContext, _ pieces: DepthwisePieces, for result: DepthwiseKernels.ByteResult, isSigned: Bool,
    zeroPoint: Int32
  ) throws {
    let kernels = context.kernels.depthwise, geometry = pieces.packedGeometry
    let byteCount = kernels.packedByteCount(geometry, for: result)
    let taps = geometry.kernelHeight * geometry.kernelWidth
    let pack = { @Sendable (weights: UnsafeRawPointer, panels: UnsafeMutableRawPointer) in
      func pack(_ weights: UnsafeRawPointer) {
        kernels.packBytes(
          geometry, for: result, weights: weights, weightsAreSigned: isSigned, weightZeroPoint: zeroPoint, into: panels)
      }
      guard pieces.copiesFilter else { return pack(weights) }
      withUnsafeTemporaryAllocation(byteCount: taps * geometry.channels, alignment: 1) { repeated in
        guard let target = repeated.baseAddress else { return }
        pieces.copyFilter(
          weights.assumingMemoryBound(to: UInt8.self), to: target.assumingMemoryBound(to: UInt8.self))
        pack(target)
      }
    }
    if context.node.isConstant(1) {
      let layout = PackedLayout(
        "depthwise bytes",
        [
          kernels.lanes, geometry.kernelHeight, geometry.kernelWidth, geometry.channels, geometry.rowStride,
          geometry.rowDilation, geometry.columnStride, geometry.columnDilation, result.rawValue, isSigned ? 1 : 0,
          Int(zeroPoint), pieces.pixels, pieces.crop?.row ?? 0, pieces.crop?.column ?? 0,
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

extension WindowGeometry {
  /// Returns the same windows of single pixels over lines of thousands of elements, which kernels compute at a time.
  fileprivate func withLongLines(_ multiplier: Int, mergesImages: Bool) -> WindowGeometry {
    let images = mergesImages ? min(1, batch) : batch
    let pixels = height.inputSize * width.inputSize * (images > 0 ? batch / images : 1)
    let most = max(width.inputSize, (1 << 13) / (channels * multiplier))
    // The fewest lines of equal length, preferably one whose vectors are full.
    var best: Int?
    for lines in max(1, pixels / most)...max(1, pixels / width.inputSize) where pixels % lines == 0 {
      guard pixels / lines <= most else { continue }
      if best == nil { best = pixels / lines }
      guard pixels / lines % 64 == 0 else { continue }
      best = pixels / lines
      break
    }
    guard let best, best > 0 else { return self }
    func axis(_ size: Int) -> WindowAxis {
      WindowAxis(inputSize: size, windowSize: 1, stride: 1, dilation: 1, paddingBefore: 0, outputSize: size)
    }
    return WindowGeometry(batch: images, height: axis(pixels / best), width: axis(best), channels: channels)
  }
}

extension WindowAxis {
  /// The same windows without leading and trailing elements that are in padding at all positions, and the first element
  /// of these windows.
  fileprivate var cropped: (axis: WindowAxis, first: Int) {
    func isRead(_ element: Int) -> Bool {
      let offset = paddingBefore - element * dilation
      let position = offset > 0 ? (offset + stride - 1) / stride : 0
      return position < outputSize && position * stride - offset < inputSize
    }
    let first = (0..<windowSize).first(where: isRead) ?? 0
    let last = (first..<windowSize).last(where: isRead) ?? first
    return (
      WindowAxis(
        inputSize: inputSize, windowSize: last - first + 1, stride: stride, dilation: dilation,
        paddingBefore: paddingBefore - first * dilation, outputSize: outputSize), first
    )
  }
}

extension DepthwiseGeometry {
  /// Creates the geometry of windows for kernels.
  init(_ geometry: WindowGeometry, multiplier: Int = 1) {
    let (height, width) = (geometry.height, geometry.width)
    self.init(
      inputHeight: height.inputSize, inputWidth: width.inputSize, outputWidth: width.outputSize,
      channels: geometry.channels * multiplier, kernelHeight: height.windowSize, kernelWidth: width.windowSize,
      rowStride: height.stride, columnStride: width.stride, rowDilation: height.dilation,
      columnDilation: width.dilation, paddingTop: height.paddingBefore, paddingLeft: width.paddingBefore)
  }
}
