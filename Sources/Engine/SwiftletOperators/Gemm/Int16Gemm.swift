import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// The products of int16 rows and packed int8 weights, rescaled to int16 values. All zero points are 0.
///
/// The int8 kernels multiply both planes of the input, whose sums together are exact.
struct Int16Gemm<Sum: ProductSum>: Sendable {
  let layout: GemmLayout
  private let rescaling: IntegerRescaling
  private let kernels: QuantizedGemmKernels
  private let quantization: QuantizationKernels
  /// The factors of the kernel that rescales both planes; `nil` to use the loops of `rescaling`.
  private let planeFactors: PlaneFactors?
  private let tiling: GemmTiling
  /// Whether products copy their rows before they read them.
  private let copiesRows: Bool
  private let zeroRows: (high: AlignedBytes, low: AlignedBytes)

  /// The maximum depth for which the sums of each plane fit 32 bits.
  static var greatestDepth: Int { 1 << 16 }

  /// Creates the products.
  ///
  /// - Parameter rescaling: The factors, one per column of every weight matrix, or one for all columns.
  init(_ context: PrepareContext, _ layout: GemmLayout, rescaling: IntegerRescaling) {
    self.layout = layout
    context.uses("GEMM int16 as two int8 planes")
    self.rescaling = rescaling
    kernels = context.kernels.quantizedGemm
    quantization = context.kernels.quantization
    tiling = layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 1,
      threads: context.options.threads)
    copiesRows = layout.copiesRows(kernels, flips: false)
    planeFactors = PlaneFactors(
      rescaling, columns: tiling.columnBlock, depth: layout.depth, hasNarrowSums: Sum.bitWidth == 32)
    zeroRows = (
      .zeroRow(layout, zero: UInt8(bitPattern: Int16Planes.highZero)),
      .zeroRow(layout, zero: UInt8(bitPattern: Int16Planes.lowZero))
    )
  }

  /// Returns the stages that multiply `planes` by input `weights` of the node. The stage that creates the planes must
  /// run before.
  ///
  /// - Parameter bias: The index of the input with an int32 or int64 bias per column of every weight matrix, if there
  ///   is one.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  func stages(
    _ context: PrepareContext, planes: Int16Planes, weights: Int, bias: Int? = nil, output: TensorSlot
  ) throws -> GemmStages {
    let packed = try packedWeights(context, weights: weights)
    let terms = try columnTerms(context, weights: weights, bias: bias)
    let scratch = Scratch(tiling, layout, copies: copiesRows ? kernels : nil)
    context.requireWorkerScratch(bytes: scratch.byteCount)
    let work = layout.work(tiling, panelColumns: kernels.panelColumns, product: 0.03, result: 4, elementBytes: 1)
    let multiplying = PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { run, tile in
      let block = tiling.block(tile)
      for matrix in block.matrices {
        multiply(block, layout.places[matrix], run, packed, terms, scratch, planes: planes, output: output)
      }
    }.touching(reads: [planes.high, planes.low] + packed.slots + terms.slots, writes: [output])
    return GemmStages(packing: packed.stages + terms.stages, multiplying: multiplying)
  }

  /// The positions of a tile's sums in worker scratch memory, after the indirection buffer.
  private struct Scratch {
    let high: Int
    let low: Int
    let sums: Int
    let copies: Int
    let byteCount: Int

    init(_ tiling: GemmTiling, _ layout: GemmLayout, copies kernels: QuantizedGemmKernels?) {
      high = ((layout.windows?.scratchBytes(rows: tiling.rowBlock) ?? 0) + 63) & ~63
      low = high + tiling.rowBlock * tiling.columnBlock * 4
      sums = (low + tiling.rowBlock * tiling.columnBlock * 4 + 63) & ~63
      let sumBytes =
        max(tiling.rowBlock * MemoryLayout<Sum>.size, MemoryLayout<Double>.size) * tiling.columnBlock
        + QuantizationKernels.planeSlackBytes
      copies = (sums + sumBytes + 63) & ~63
      byteCount =
        copies
        + (kernels?.copyByteCount(rows: tiling.rowBlock, taps: layout.taps, tapDepth: layout.byteTapDepth) ?? 0)
    }
  }

  private func packedWeights(_ context: PrepareContext, weights: Int) throws -> PackedWeights {
    let kernels = kernels, taps = layout.taps, tapDepth = layout.byteTapDepth
    return try PackedWeights(
      context, layout, input: weights, bias: nil, elementBytes: 1, tapDepth: tapDepth,
      panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedByteCount(columns: kernels.panelColumns, taps: taps, tapDepth: tapDepth),
      form: PackedLayout("8-bit panels for words", [kernels.panelColumns])
    ) { job in
      kernels.pack(
        columns: job.columns.count, taps: taps, tapDepth: tapDepth, weights: job.weights, weightsAreSigned: true,
        columnStride: job.columnStride, tapStride: job.tapStride, channelStride: job.depthStride, weightZeroPoint: 0,
        inputZeroPoint: 0, inputIsSigned: true, bias: nil, scales: nil, scaleStride: 0, into: job.panels)
    }
  }

  /// Returns the terms added to the sums of each column: the bias, and 128 times the sum of the weights.
  private func columnTerms(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let taps = layout.taps, tapDepth = layout.tapDepth, columns = layout.columns
    let isNarrow = try bias.map { try context.node.input($0).elementType == .int32 } ?? false
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 1, panelColumns: kernels.panelColumns,
      panelBytes: kernels.panelColumns * 8, form: PackedLayout("column terms for words", [kernels.panelColumns])
    ) { job in
      let source = job.weights.assumingMemoryBound(to: Int8.self)
      let terms = job.panels.assumingMemoryBound(to: Int64.self)
      for column in 0..<job.columns.count {
        var sum: Int64 = 0
        for tap in 0..<taps {
          let from = source + (column &* job.columnStride &+ tap &* job.tapStride)
          for position in 0..<tapDepth { sum &+= Int64(from[position &* job.depthStride]) }
        }
        terms[column] = sum &* 128
        guard let bias = job.bias else { continue }
        let index = job.matrix &* columns &+ job.columns.lowerBound &+ column
        terms[column] &+=
          isNarrow
          ? Int64(bias.assumingMemoryBound(to: Int32.self)[index]) : bias.assumingMemoryBound(to: Int64.self)[index]
      }
    }
  }

  private func multiply(
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    _ columnTerms: PackedWeights, _ scratch: Scratch, planes: Int16Planes, output: TensorSlot
  ) {
    let rows = block.rows.count, columns = block.columns.count, column = block.columns.lowerBound
    let panels = packed.panels(run, matrix: place.weights, column: column)
    func accumulate(_ plane: TensorSlot, _ zeroRow: AlignedBytes, at offset: Int) -> UnsafePointer<Int32> {
      let sums = run.workerScratch.advanced(by: offset).assumingMemoryBound(to: Int32.self)
      let source = layout.byteRows(
        block.rows, place, base: UnsafeRawPointer(run.pointer(plane)), isSigned: true,
        zeroRow: UnsafeRawPointer(zeroRow.start), scratch: run.workerScratch, copies: copiesRows ? scratch.copies : nil)
      kernels.multiplyAccumulating(
        rows: rows, columns: columns, input: source, panels: panels, rowTerms: nil, output: sums, outputStride: columns)
      return UnsafePointer(sums)
    }
    let high = accumulate(planes.high, zeroRows.high, at: scratch.high)
    let low = accumulate(planes.low, zeroRows.low, at: scratch.low)
    // Panels of terms are contiguous within a matrix.
    let terms = columnTerms.panels(run, matrix: place.weights, column: column).assumingMemoryBound(to: Int64.self)
    let target =
      run.pointer(output, as: Int16.self)
      + (place.output &+ block.rows.lowerBound &* layout.outputDistance &+ column)
    let sums = run.workerScratch.advanced(by: scratch.sums), firstColumn = place.weights &* layout.columns &+ column
    if let planeFactors, let terms = planeFactors.terms(terms, columns, into: sums) {
      planeFactors.factors.withUnsafeBufferPointer { factors in
        guard let factors = factors.baseAddress else { return }
        quantization.rescalePlanes(
          roundsUp: planeFactors.roundsUp, rows: rows, columns: columns, high: high, low: low, stride: columns,
          terms: terms, factors: factors + (planeFactors.isUniform ? 0 : firstColumn),
          zeroPoint: rescaling.range.zeroPoint, lower: rescaling.range.lower, upper: rescaling.range.upper,
          output: target, outputStride: layout.outputDistance)
      }
      return
    }
    let joined = sums.assumingMemoryBound(to: Sum.self)
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row &* columns &+ column
        joined[index] = Sum(truncatingIfNeeded: Int64(high[index]) &<< 8 &+ Int64(low[index]) &+ terms[column])
      }
    }
    rescaling.apply(
      joined, rows: rows, columns: columns, firstColumn: firstColumn, output: target, distance: layout.outputDistance)
  }
}

/// The factors of sums of int16 products in double precision, if the results are those of the reference: its own factors
/// in double precision, or fixed-point factors of 64-bit sums, which have 15 bits and are rounded once, half up.
private struct PlaneFactors: Sendable {
  /// One per column of every weight matrix, or equal ones for a block; then as many as a kernel may read.
  let factors: [Double]
  let isUniform: Bool
  let roundsUp: Bool
  /// The magnitude of terms up to which sums are exact and don't wrap.
  private let largestTerm: Double

  init?(_ rescaling: IntegerRescaling, columns: Int, depth: Int, hasNarrowSums: Bool) {
    let own: [Double]
    // Sums are exact in double precision, and 32-bit sums of the reference don't wrap.
    var largestSum = hasNarrowSums ? 0x1p31 : 0x1p52
    switch rescaling.factors {
    case .real(let factors):
      own = factors
      roundsUp = false
    case .fixedPoint(let factors):
      // A product of a larger sum than 2³⁸ isn't exact, but out of range.
      guard !hasNarrowSums, factors.allSatisfy({ (-16...14).contains($0.shift) }) else { return nil }
      own = factors.map { factor in
        let fraction = factor.multiplier < 0x7FFF_0000 ? (factor.multiplier + (1 << 15)) >> 16 : 0x7FFF
        return Double(sign: .plus, exponent: Int(factor.shift) - 15, significand: Double(fraction))
      }
      // The reference's results wrap beyond 32 bits.
      largestSum = Double(sign: .plus, exponent: 31 - Int(factors.map(\.shift).max() ?? 0), significand: 1)
      roundsUp = true
    case .none: return nil
    }
    guard let first = own.first else { return nil }
    largestTerm = largestSum - 1 - Double(depth) * 0x1p22
    guard largestTerm > 0 else { return nil }
    isUniform = own.count == 1
    let padding = QuantizationKernels.planeSlackBytes / MemoryLayout<Double>.size
    factors =
      isUniform ? [Double](repeating: first, count: columns + padding) : own + [Double](repeating: 0, count: padding)
  }

  /// Converts the terms of a block, or returns `nil` if one is too large.
  func terms(_ terms: UnsafePointer<Int64>, _ count: Int, into memory: UnsafeMutableRawPointer) -> UnsafePointer<
    Double
  >? {
    let result = memory.assumingMemoryBound(to: Double.self)
    var largest = 0.0
    for index in 0..<count {
      let term = Double(terms[index])
      result[index] = term
      largest = max(largest, abs(term))
    }
    return largest <= largestTerm ? UnsafePointer(result) : nil
  }
}

extension GemmLayout {
  /// Returns the stages of products of int16 rows and int8 weights, which use int8 kernels if their sums fit.
  ///
  /// - Parameters:
  ///   - layouts: Independent products of the same input of `count` elements.
  ///   - type: The type of the reference's sums.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  static func int16Stages<Sum: ProductSum>(
    _ layouts: [GemmLayout], _ context: PrepareContext, input: TensorSlot, count: Int, weights: Int, bias: Int?,
    output: TensorSlot, rescaling: IntegerRescaling, _ type: Sum.Type
  ) throws -> [PreparedOperator.Stage] {
    guard layouts.allSatisfy({ $0.depth <= Int16Gemm<Sum>.greatestDepth }) else {
      return GemmStages.joined(
        try layouts.map {
          try IntegerGemm<Int8, Sum>($0, rescaling: rescaling).stages(
            context, input: input, weights: weights, bias: bias, output: output)
        })
    }
    let planes = try Int16Planes(context, count: count)
    return [planes.stage(input)]
      + GemmStages.joined(
        try layouts.map {
          try Int16Gemm<Sum>(context, $0, rescaling: rescaling).stages(
            context, planes: planes, weights: weights, bias: bias, output: output)
        })
  }
}

/// An int16 tensor as two int8 tensors, so that int8 kernels can multiply it: `quantized = 256 · high + low + 128`.
struct Int16Planes: Sendable {
  let high: TensorSlot
  let low: TensorSlot
  private let count: Int

  /// The representation of a quantized value of 0 in each plane.
  static let highZero: Int8 = 0
  static let lowZero: Int8 = -128

  init(_ context: PrepareContext, count: Int) throws {
    high = try context.scratch(bytes: count)
    low = try context.scratch(bytes: count)
    self.count = count
  }

  /// Returns the stage that splits `input` into planes.
  func stage(_ input: TensorSlot) -> PreparedOperator.Stage {
    PreparedOperator.Stage(items: count, cost: 0.2) { run, range in
      let source = run.pointer(input, as: Int16.self)
      let high = run.pointer(high, as: Int8.self), low = run.pointer(low, as: Int8.self)
      for index in range {
        high[index] = Int8(truncatingIfNeeded: source[index] &>> 8)
        low[index] = Int8(truncatingIfNeeded: source[index] ^ 0x80)
      }
    }.touching(reads: [input], writes: [high, low])
  }
}
