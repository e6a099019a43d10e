import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// The products of int16 rows and packed int8 or int16 weights, rescaled to int16 values. All zero points are 0.
///
/// The int8 kernels multiply both planes of the input, and both planes of int16 weights, whose sums together are exact.
struct Int16Gemm<Weight: QuantizedValue, Sum: ProductSum>: Sendable {
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
  /// The maximum depth for which the sums of a plane of rows and int16 weights fit 32 bits, with those of the other plane
  /// of weights.
  private static var greatestWordDepth: Int { 1 << 8 }
  /// The minimum numbers of products and columns with int16 weights, and of rows if weights are computed in the run.
  /// Splitting and packing a weight then takes as long as its products with as many rows in a loop.
  private static var fewestWordProducts: Int { 1 << 12 }
  private static var fewestWordColumns: Int { 3 }
  private static var fewestRowsOfComputedWords: Int { 12 }

  private static var hasWords: Bool { Weight.self == Int16.self }

  /// Returns whether the sums of all planes of weights fit 32 bits together.
  private static func sumsFit(_ layout: GemmLayout) -> Bool { !hasWords || layout.depth <= greatestWordDepth }

  /// Returns whether the sums of products fit, and kernels are faster than loops.
  static func takes(_ layout: GemmLayout, weightsAreConstant: Bool) -> Bool {
    guard layout.depth <= greatestDepth else { return false }
    guard hasWords else { return true }
    return layout.taps == 1 && layout.windows == nil && layout.columns >= fewestWordColumns
      && layout.rows &* layout.columns &* layout.depth >= fewestWordProducts
      && (weightsAreConstant || layout.rows >= fewestRowsOfComputedWords)
  }

  /// Creates the products.
  ///
  /// - Parameter rescaling: The factors, one per column of every weight matrix, or one for all columns.
  init(_ context: PrepareContext, _ layout: GemmLayout, rescaling: IntegerRescaling) {
    self.layout = layout
    if Self.hasWords {
      context.uses("GEMM int16, both factors as two int8 planes")
    } else {
      context.uses("GEMM int16 as two int8 planes")
    }
    self.rescaling = rescaling
    kernels = context.kernels.quantizedGemm
    quantization = context.kernels.quantization
    tiling = layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 1, keepsSums: true,
      threads: context.options.threads)
    copiesRows = layout.copiesRows(kernels, flips: false)
    planeFactors =
      Self.sumsFit(layout)
      ? PlaneFactors(
        rescaling, columns: tiling.columnBlock, largestSum: Double(layout.depth) * (Self.hasWords ? 0x1p30 : 0x1p22),
        hasNarrowSums: Sum.bitWidth == 32)
      : nil
    zeroRows = (
      .zeroRow(layout, zero: UInt8(bitPattern: Int16Planes.highZero)),
      .zeroRow(layout, zero: UInt8(bitPattern: Int16Planes.lowZero))
    )
  }

  /// Returns the stages that multiply `input` by input `weights` of the node. The stage that splits `input` into `planes`
  /// must run before.
  ///
  /// - Parameter bias: The index of the input with an int32 or int64 bias per column of every weight matrix, if there
  ///   is one.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  func stages(
    _ context: PrepareContext, input: TensorSlot, planes: Int16Planes, weights: Int, bias: Int? = nil,
    output: TensorSlot
  ) throws -> GemmStages {
    let packed = try WeightPlanes(
      high: packedWeights(context, weights: weights, isLow: false),
      low: Self.hasWords ? packedWeights(context, weights: weights, isLow: true) : nil)
    let terms = try columnTerms(context, weights: weights, bias: bias)
    let scratch = Scratch(tiling, layout, copies: copiesRows ? kernels : nil)
    context.requireWorkerScratch(bytes: scratch.byteCount)
    let work = layout.work(
      tiling, panelColumns: kernels.panelColumns, product: Self.hasWords ? 0.06 : 0.03, result: 4, elementBytes: 1)
    let multiplying = PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { run, tile in
      let block = tiling.block(tile)
      for matrix in block.matrices {
        multiply(
          block, layout.places[matrix], run, packed, terms, scratch, input: input, planes: planes, output: output)
      }
    }.touching(reads: [input, planes.high, planes.low] + packed.slots + terms.slots, writes: [output])
    return GemmStages(packing: packed.stages + terms.stages, multiplying: multiplying)
  }

  /// The packed weights: int8 weights, or the planes of int16 weights.
  private struct WeightPlanes: Sendable {
    let high: PackedWeights
    let low: PackedWeights?

    var stages: [PreparedOperator.Stage] { high.stages + (low?.stages ?? []) }
    var slots: [TensorSlot] { high.slots + (low?.slots ?? []) }
  }

  /// The positions of a tile's sums in worker scratch memory, after the indirection buffer.
  private struct Scratch {
    let high: Int
    let low: Int
    /// The sums of both planes of rows and the low plane of int16 weights.
    let highLow: Int
    let lowLow: Int
    let sums: Int
    let copies: Int
    let byteCount: Int

    init(_ tiling: GemmTiling, _ layout: GemmLayout, copies kernels: QuantizedGemmKernels?) {
      high = ((layout.windows?.scratchBytes(rows: tiling.rowBlock) ?? 0) + 63) & ~63
      let plane = tiling.rowBlock * tiling.columnBlock * 4
      low = high + plane
      let wordPlane = hasWords ? plane : 0
      highLow = low + plane
      lowLow = highLow + wordPlane
      sums = (lowLow + wordPlane + 63) & ~63
      let sumBytes =
        max(tiling.rowBlock * MemoryLayout<Sum>.size, MemoryLayout<Double>.size) * tiling.columnBlock
        + QuantizationKernels.planeSlackBytes
      copies = (sums + sumBytes + 63) & ~63
      byteCount =
        copies
        + (kernels?.copyByteCount(rows: tiling.rowBlock, taps: layout.taps, tapDepth: layout.byteTapDepth) ?? 0)
    }
  }

  /// Returns packed int8 weights, or a packed plane of int16 weights.
  private func packedWeights(_ context: PrepareContext, weights: Int, isLow: Bool) throws -> PackedWeights {
    let kernels = kernels, taps = layout.taps, tapDepth = layout.byteTapDepth
    @Sendable func pack(
      _ job: PackedWeights.Job, _ weights: UnsafeRawPointer, columnStride: Int, tapStride: Int, depthStride: Int
    ) {
      kernels.pack(
        columns: job.columns.count, taps: taps, tapDepth: tapDepth, weights: weights, weightsAreSigned: true,
        columnStride: columnStride, tapStride: tapStride, channelStride: depthStride, weightZeroPoint: 0,
        inputZeroPoint: 0, inputIsSigned: true, bias: nil, scales: nil, scaleStride: 0, into: job.panels)
    }
    let panelBytes = kernels.packedByteCount(columns: kernels.panelColumns, taps: taps, tapDepth: tapDepth)
    guard Self.hasWords else {
      return try PackedWeights(
        context, layout, input: weights, bias: nil, elementBytes: 1, tapDepth: tapDepth,
        panelColumns: kernels.panelColumns, panelBytes: panelBytes,
        form: PackedLayout("8-bit panels for words", [kernels.panelColumns])
      ) { job in
        pack(
          job, job.weights, columnStride: job.columnStride, tapStride: job.tapStride, depthStride: job.depthStride)
      }
    }
    let depth = layout.depth
    return try PackedWeights(
      context, layout, input: weights, bias: nil, elementBytes: 2, panelColumns: kernels.panelColumns,
      panelBytes: panelBytes,
      form: PackedLayout("8-bit panels of words", [kernels.panelColumns, isLow ? 1 : 0])
    ) { job in
      // The plane has the order of the weights: column by column, or row by row.
      let columns = job.columns.count, isByColumn = job.depthStride == 1
      let (columnStride, depthStride) = isByColumn ? (tapDepth, 1) : (1, columns)
      withUnsafeTemporaryAllocation(of: Int8.self, capacity: columns * tapDepth) { plane in
        guard let target = plane.baseAddress else { return }
        plane.initialize(repeating: 0)
        let source = job.weights.assumingMemoryBound(to: Int16.self)
        for line in 0..<(isByColumn ? columns : depth) {
          let from = source + line &* (isByColumn ? job.columnStride : job.depthStride)
          let to = target + line &* (isByColumn ? columnStride : depthStride)
          let step = isByColumn ? 1 : job.columnStride
          for position in 0..<(isByColumn ? depth : columns) {
            let (high, low) = Int16Planes.split(from[position &* step])
            to[position] = isLow ? low : high
          }
        }
        pack(
          job, UnsafeRawPointer(target), columnStride: columnStride, tapStride: tapDepth, depthStride: depthStride)
      }
    }
  }

  /// Returns the terms added to the sums of each column: the bias, and 128 times the sum of the weights. The low planes of
  /// rows and of int16 weights are 128 below the values of their bytes.
  private func columnTerms(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let taps = layout.taps, tapDepth = layout.tapDepth, columns = layout.columns
    let isNarrow = try bias.map { try context.node.input($0).elementType == .int32 } ?? false
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: MemoryLayout<Weight>.size,
      panelColumns: kernels.panelColumns, panelBytes: kernels.panelColumns * 8,
      form: PackedLayout("column terms for words", [kernels.panelColumns, MemoryLayout<Weight>.size])
    ) { job in
      let source = job.weights.assumingMemoryBound(to: Weight.self)
      let terms = job.panels.assumingMemoryBound(to: Int64.self)
      for column in 0..<job.columns.count {
        var sum: Int64 = 0
        for tap in 0..<taps {
          let from = source + (column &* job.columnStride &+ tap &* job.tapStride)
          for position in 0..<tapDepth { sum &+= Int64(from[position &* job.depthStride]) }
        }
        if Self.hasWords { sum &-= 128 &* Int64(taps &* tapDepth) }
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
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ packed: WeightPlanes,
    _ columnTerms: PackedWeights, _ scratch: Scratch, input: TensorSlot, planes: Int16Planes, output: TensorSlot
  ) {
    let rows = block.rows.count, columns = block.columns.count, column = block.columns.lowerBound
    func accumulate(
      _ plane: TensorSlot, _ zeroRow: AlignedBytes, _ weights: PackedWeights, at offset: Int
    ) -> UnsafeMutablePointer<Int32> {
      let panels = weights.panels(run, matrix: place.weights, column: column)
      let sums = run.workerScratch.advanced(by: offset).assumingMemoryBound(to: Int32.self)
      let source = layout.byteRows(
        block.rows, place, base: UnsafeRawPointer(run.pointer(plane)), isSigned: true,
        zeroRow: UnsafeRawPointer(zeroRow.start), scratch: run.workerScratch, copies: copiesRows ? scratch.copies : nil)
      kernels.multiplyAccumulating(
        rows: rows, columns: columns, input: source, panels: panels, rowTerms: nil, output: sums, outputStride: columns)
      return sums
    }
    let high = accumulate(planes.high, zeroRows.high, packed.high, at: scratch.high)
    let low = accumulate(planes.low, zeroRows.low, packed.high, at: scratch.low)
    let lowWeights = packed.low.map {
      LowWeightSums(
        high: accumulate(planes.high, zeroRows.high, $0, at: scratch.highLow),
        low: accumulate(planes.low, zeroRows.low, $0, at: scratch.lowLow),
        rows: run.pointer(input, as: Int16.self)
          + (place.input &+ block.rows.lowerBound &* (layout.inputDistance ?? 0)),
        distance: layout.inputDistance ?? 0, depth: layout.depth)
    }
    if let lowWeights, Self.sumsFit(layout) {
      for row in 0..<rows {
        let term = Int32(truncatingIfNeeded: lowWeights.term(row))
        for index in row &* columns..<(row &+ 1) &* columns {
          high[index] = high[index] &<< 8 &+ low[index] &+ lowWeights.high[index]
          low[index] = lowWeights.low[index] &+ term
        }
      }
    }
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
      let first = row &* columns
      if let lowWeights, !Self.sumsFit(layout) {
        let term = lowWeights.term(row)
        for column in 0..<columns {
          let index = first &+ column
          let sum = Int64(high[index]) &<< 8 &+ Int64(low[index]) &+ Int64(lowWeights.high[index])
          joined[index] = Sum(truncatingIfNeeded: sum &<< 8 &+ Int64(lowWeights.low[index]) &+ term &+ terms[column])
        }
      } else {
        for column in 0..<columns {
          let index = first &+ column
          joined[index] = Sum(truncatingIfNeeded: Int64(high[index]) &<< 8 &+ Int64(low[index]) &+ terms[column])
        }
      }
    }
    rescaling.apply(
      joined, rows: rows, columns: columns, firstColumn: firstColumn, output: target, distance: layout.outputDistance)
  }
}

/// The sums of both planes of rows and the low plane of int16 weights.
private struct LowWeightSums {
  let high: UnsafeMutablePointer<Int32>
  let low: UnsafeMutablePointer<Int32>
  let rows: UnsafePointer<Int16>
  let distance: Int
  let depth: Int

  /// Returns the term added to the sums of a row, because the low plane of weights is 128 below the values of its bytes.
  func term(_ row: Int) -> Int64 {
    let source = rows + row &* distance
    var sum: Int64 = 0
    for position in 0..<depth { sum &+= Int64(source[position]) }
    return sum &* 128
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

  /// - Parameter largestSum: The maximum magnitude of a sum of products.
  init?(_ rescaling: IntegerRescaling, columns: Int, largestSum: Double, hasNarrowSums: Bool) {
    let own: [Double]
    // Sums are exact in double precision, and 32-bit sums of the reference don't wrap.
    var limit = hasNarrowSums ? 0x1p31 : 0x1p52
    switch rescaling.factors {
    case .real(let factors):
      own = factors
      roundsUp = false
    case .fixedPoint(let factors):
      // The product of a sum of 2³⁸ or more isn't exact. Its result is out of range, since factors are at least 2⁻²³.
      guard !hasNarrowSums, factors.allSatisfy({ (-22...14).contains($0.shift) }) else { return nil }
      own = factors.map { factor in
        let fraction = factor.multiplier < 0x7FFF_0000 ? (factor.multiplier + (1 << 15)) >> 16 : 0x7FFF
        return Double(sign: .plus, exponent: Int(factor.shift) - 15, significand: Double(fraction))
      }
      // The reference's results wrap beyond 32 bits.
      limit = Double(sign: .plus, exponent: 31 - Int(factors.map(\.shift).max() ?? 0), significand: 1)
      roundsUp = true
    case .none: return nil
    }
    guard let first = own.first else { return nil }
    largestTerm = limit - 1 - largestSum
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
  /// Returns the stages of products of int16 rows and int8 or int16 weights, which use int8 kernels if their sums fit.
  ///
  /// - Parameters:
  ///   - layouts: Independent products of the same input of `count` elements.
  ///   - types: The types of the weights, and of the reference's sums.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  static func int16Stages<Weight: QuantizedValue, Sum: ProductSum>(
    _ layouts: [GemmLayout], _ context: PrepareContext, input: TensorSlot, count: Int, weights: Int, bias: Int?,
    output: TensorSlot, rescaling: IntegerRescaling, _ types: (Weight.Type, Sum.Type)
  ) throws -> [PreparedOperator.Stage] {
    let isConstant = context.node.isConstant(weights)
    guard layouts.allSatisfy({ Int16Gemm<Weight, Sum>.takes($0, weightsAreConstant: isConstant) }) else {
      return GemmStages.joined(
        try layouts.map {
          try IntegerGemm<Weight, Sum>($0, rescaling: rescaling).stages(
            context, input: input, weights: weights, bias: bias, output: output)
        })
    }
    let planes = try Int16Planes(context, count: count)
    return [planes.stage(input)]
      + GemmStages.joined(
        try layouts.map {
          try Int16Gemm<Weight, Sum>(context, $0, rescaling: rescaling).stages(
            context, input: input, planes: planes, weights: weights, bias: bias, output: output)
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
      for index in range { (high[index], low[index]) = Self.split(source[index]) }
    }.touching(reads: [input], writes: [high, low])
  }

  @inline(__always)
  static func split(_ value: Int16) -> (high: Int8, low: Int8) {
    (Int8(truncatingIfNeeded: value &>> 8), Int8(truncatingIfNeeded: value ^ 0x80))
  }
}
