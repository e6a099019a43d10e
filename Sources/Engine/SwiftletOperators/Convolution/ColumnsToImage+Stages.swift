import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

extension ColumnsToImage {
  /// The output pixels that are rescaled as one row.
  private var pixelRows: NarrowRows { NarrowRows(channels: outputChannels, rows: width.outputSize) }

  /// Returns a step that starts the sums with the bias, if there is one.
  private func start<Sum>(_ bias: TensorSlot?) -> ColumnSteps<Sum>.Start? {
    guard let bias else { return nil }
    let channels = outputChannels
    return { run, sums in sums.update(from: run.pointer(bias, as: Sum.self), count: channels) }
  }

  /// Returns the stages for float32.
  func floatStages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int?, output: TensorSlot,
    activation: FusedActivation, work: Double
  ) throws -> [PreparedOperator.Stage] {
    context.uses("GEMM float32, col2im")
    let gemm = FloatGemm(context, layout), range = activation.floatRange
    // If no two windows overlap, products include the bias, as those of phases do.
    let packed = try gemm.packedWeights(context, weights: weights, bias: isDisjoint ? bias : nil)
    let scratch = scratch(
      threads: context.options.threads, work: work, panelColumns: context.kernels.gemm.panelColumns, from: 0,
      hasPadding: false)
    context.requireWorkerScratch(bytes: scratch.byteCount)
    let channels = outputChannels, kernels = context.kernels.elementwise
    let biasSlot = try bias.map(context.inputSlot)
    let steps = ColumnSteps<Float>(
      placement: isDisjoint ? .copied : .added,
      multiply: { run, pixels, columns, products, distance in
        gemm.multiply(
          rows: pixels, columns: columns, run, packed, input: run.pointer(input, as: Float.self), into: products,
          distance: distance)
      },
      start: start(biasSlot),
      finish: { run, _, sums, pixels, position, _ in
        let target = run.pointer(output, as: Float.self) + position, count = pixels &* channels
        if activation == .none {
          target.update(from: sums, count: count)
        } else {
          kernels.apply(.clamp, count: count, input: sums, output: target, first: range.lower, second: range.upper)
        }
      }, reads: [input] + packed.slots + (biasSlot.map { [$0] } ?? []), writes: [output])
    return packed.stages
      + [
        ColumnSums(
          image: self, steps: steps, scratch: scratch, panelColumns: context.kernels.gemm.panelColumns,
          movement: context.kernels.movement, work: work
        ).stage
      ]
  }

  /// Returns the stages for 8-bit tensors.
  func byteStages<Quantized: QuantizedValue>(
    _ context: PrepareContext, _ operands: Int8Gemm.Operands, input: TensorSlot, weights: Int, bias: Int?,
    output: TensorSlot, factors: [QuantizedMultiplier], singlePrecision: [Float], range: OutputRange, work: Double,
    _ type: Quantized.Type
  ) throws -> [PreparedOperator.Stage] {
    let largestSum = try context.largestSum(weights: weights, columns: outputChannels, bias: bias)
    let rows = pixelRows
    let rescaling = IntegerRescaling(
      factors: .fixedPoint(rows.repeated(factors)), range: range, singlePrecision: rows.repeated(singlePrecision),
      largestSum: largestSum)
    let kernels = context.kernels.quantization, scales = rescaling.singlePrecisionFactors
    let isRounding = context.options.numerics == .fast && rescaling.fitsSinglePrecision
    if isRounding, isDisjoint {
      context.uses("GEMM int8, col2im")
      let rescaling = IntegerRescaling(
        factors: .fixedPoint(layout.repeated(factors)), range: range,
        singlePrecision: layout.repeated(singlePrecision), largestSum: largestSum)
      return try copiedStages(
        context, Int8Gemm(context, layout, operands, rescaling: rescaling, output: Quantized.self),
        input: input, weights: weights, bias: bias, output: output, zero: operands.inputZeroPoint, work: work)
    }
    let finish: ColumnSteps<Int32>.Finish = { run, _, sums, pixels, position, memory in
      let target = run.pointer(output, as: Quantized.self) + position
      guard isRounding else {
        return rows.forEach(of: pixels) { first, rows, columns in
          rescaling.apply(
            sums + first, rows: rows, columns: columns, firstColumn: 0, output: target + first, distance: columns,
            kernels: kernels)
        }
      }
      rows.round(
        sums, rows: pixels, scales: scales, scaled: memory.assumingMemoryBound(to: Float.self), range: range,
        isSigned: Quantized.isSigned, output: target, kernels: kernels)
    }
    return try integerStages(
      context, operands, input: input, weights: weights, bias: bias, output: output, work: work, padding: nil,
      reads: [], finish: finish)
  }

  /// Returns the stages for products that are results, because no two windows overlap.
  private func copiedStages(
    _ context: PrepareContext, _ gemm: Int8Gemm, input: TensorSlot, weights: Int, bias: Int?, output: TensorSlot,
    zero: Int32, work: Double
  ) throws -> [PreparedOperator.Stage] {
    let channels = outputChannels
    let blocks = try gemm.blocks(
      context, input: input, weights: weights, bias: bias, rows: productRows(context.options.threads, work))
    let zeroRow = AlignedBytes(zeroed: layout.byteTapDepth)
    zeroRow.start.initializeMemory(
      as: UInt8.self, repeating: UInt8(truncatingIfNeeded: zero), count: layout.byteTapDepth)
    let steps = ColumnSteps<UInt8>(
      placement: .copied,
      multiply: { run, pixels, columns, products, distance in
        gemm.multiply(
          rows: pixels, columns: columns, run, blocks, input: UnsafeRawPointer(run.pointer(input)), into: products,
          distance: distance)
      },
      // All columns of a channel have the same product with padding.
      start: { run, results in
        gemm.multiply(
          rows: 0..<1, columns: 0..<channels, run, blocks, input: UnsafeRawPointer(zeroRow.start), into: results,
          distance: channels)
      },
      finish: { run, _, results, pixels, position, _ in
        run.pointer(output, as: UInt8.self).advanced(by: position).update(from: results, count: pixels &* channels)
      }, reads: [input] + blocks.packed.slots, writes: [output])
    return blocks.packed.stages + [stage(context, steps, blocks, hasPadding: false, work: work)]
  }

  private func productRows(_ threads: Int, _ work: Double) -> Int {
    (1...max(2, threads)).map { tiling(threads: $0, work: work).productRows(self) }.max() ?? 1
  }

  private func stage<Sum>(
    _ context: PrepareContext, _ steps: ColumnSteps<Sum>, _ blocks: Int8Gemm.Blocks, hasPadding: Bool, work: Double
  ) -> PreparedOperator.Stage {
    let panelColumns = context.kernels.quantizedGemm.panelColumns
    let scratch = scratch(
      threads: context.options.threads, work: work, panelColumns: panelColumns, from: blocks.scratchBytes,
      hasPadding: hasPadding)
    context.requireWorkerScratch(bytes: scratch.byteCount)
    return ColumnSums(
      image: self, steps: steps, scratch: scratch, panelColumns: panelColumns, movement: context.kernels.movement,
      work: work
    ).stage
  }

  /// Returns the stages for dynamically quantized images, without those that quantize.
  func dynamicRangeStages(
    _ context: PrepareContext, _ quantization: DynamicQuantization, scales: [Float], weights: Int, bias: Int?,
    output: TensorSlot, activation: FusedActivation, work: Double
  ) throws -> [PreparedOperator.Stage] {
    let rows = pixelRows, scales = rows.repeated(scales), channels = outputChannels
    let kernels = context.kernels.quantization, range = activation.floatRange
    let biasSlot = try bias.map(context.inputSlot)
    // The arithmetic of `QuantizedGemmKernels.multiplyDynamicRange`.
    let finish: ColumnSteps<Int32>.Finish = { run, image, sums, pixels, position, memory in
      let target = run.pointer(output, as: Float.self) + position
      let scale = run.pointer(quantization.scales, as: Float.self)[image]
      let repeatedBias = memory.assumingMemoryBound(to: Float.self)
      for index in 0..<rows.repetitions {
        if let biasSlot {
          (repeatedBias + index &* channels).update(from: run.pointer(biasSlot, as: Float.self), count: channels)
        } else {
          (repeatedBias + index &* channels).update(repeating: 0, count: channels)
        }
      }
      scales.withUnsafeBufferPointer { scales in
        guard let scales = scales.baseAddress else { return }
        rows.forEach(of: pixels) { first, rows, columns in
          kernels.scale(
            rows: rows, columns: columns, sums: sums + first, rowScale: scale, scales: scales, bias: repeatedBias,
            order: .columnFirst, lower: range.lower, upper: range.upper, output: target + first)
        }
      }
    }
    // The zero point differs from image to image, so it isn't among the packed weights.
    let operands = Int8Gemm.Operands(
      inputIsSigned: true, inputZeroPoint: 0, weightsAreSigned: true, weightZeroPoint: 0)
    return try integerStages(
      context, operands, input: quantization.quantized, weights: weights, bias: nil, output: output, work: work,
      padding: quantization, reads: [quantization.scales] + (biasSlot.map { [$0] } ?? []), finish: finish)
  }

  private func integerStages(
    _ context: PrepareContext, _ operands: Int8Gemm.Operands, input: TensorSlot, weights: Int, bias: Int?,
    output: TensorSlot, work: Double, padding: DynamicQuantization?, reads: [TensorSlot],
    finish: @escaping ColumnSteps<Int32>.Finish
  ) throws -> [PreparedOperator.Stage] {
    context.uses(padding == nil ? "GEMM int8, col2im" : "dynamic-range GEMM int8, col2im")
    let none = IntegerRescaling(factors: .none, range: OutputRange(zeroPoint: 0, Int32.min...Int32.max))
    let gemm = Int8Gemm(context, layout, operands, rescaling: none, output: Int32.self)
    let blocks = try gemm.blocks(
      context, input: input, weights: weights, rows: productRows(context.options.threads, work))
    let biasSlot = try bias.map(context.inputSlot)
    var steps = ColumnSteps<Int32>(
      multiply: { run, pixels, columns, products, distance in
        gemm.multiply(
          rows: pixels, columns: columns, run, blocks, input: UnsafeRawPointer(run.pointer(input)), into: products,
          distance: distance)
      },
      start: start(biasSlot), finish: finish,
      reads: [input] + blocks.packed.slots + reads + (biasSlot.map { [$0] } ?? []), writes: [output])
    if let padding {
      steps.multiplyPadding = { run, image, columns, products in
        gemm.multiply(
          rows: 0..<1, columns: columns, run, blocks, input: padding.zeroRow(run, slice: image), into: products,
          distance: columns.count)
      }
      steps.reads += [padding.zeroRows]
    }
    return blocks.packed.stages + [stage(context, steps, blocks, hasPadding: padding != nil, work: work)]
  }
}
