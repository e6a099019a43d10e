import SwiftletEngine
import SwiftletBase
import SwiftletKernels

/// The products of 8-bit rows and packed 8-bit weights.
///
/// The class isn't generic in its output type. Instances of generic types search for the conformances of their
/// parameters, which would noticeably slow down the loading of small models.
final class Int8Gemm: Sendable {
  /// The types and zero points of both operands.
  struct Operands: Sendable {
    var inputIsSigned: Bool
    var inputZeroPoint: Int32
    var weightsAreSigned: Bool
    var weightZeroPoint: Int32

    /// The operands with the input's sign bits flipped: every value and the zero point are 128 higher.
    var unsigned: Operands {
      guard inputIsSigned else { return self }
      return Operands(
        inputIsSigned: false, inputZeroPoint: inputZeroPoint + 128, weightsAreSigned: weightsAreSigned,
        weightZeroPoint: weightZeroPoint)
    }

    /// The numbers that packed weights depend on.
    var numbers: [Int] {
      [inputIsSigned ? 1 : 0, Int(inputZeroPoint), weightsAreSigned ? 1 : 0, Int(weightZeroPoint)]
    }
  }

  let layout: GemmLayout
  private let operands: Operands
  /// Whether products copy their rows before they read them.
  private let copiesRows: Bool
  private let rescaling: IntegerRescaling
  /// Whether the kernel rescales and rounds in one step.
  private let isRounding: Bool
  /// Whether the results are the sums.
  private let isSumming: Bool
  private let outputBytes: Int
  private let outputIsSigned: Bool
  /// The rescaling of sums like in the reference.
  private let rescale:
    @Sendable (
      _ sums: UnsafeMutablePointer<Int32>, _ rows: Int, _ columns: Int, _ firstColumn: Int,
      _ output: UnsafeMutableRawPointer,
      _ distance: Int
    ) -> Void
  private let kernels: QuantizedGemmKernels
  /// The results of stages that compute dot products of rows and single columns, instead of products with panels.
  private let dots: DotResults?
  /// Whether the sums of a tile are in scratch memory.
  private let keepsSums: Bool
  /// The tiles for a single thread, which are the largest.
  private let largestTiles: GemmTiling
  private let zeroRow: AlignedBytes

  /// Creates the products.
  ///
  /// - Parameters:
  ///   - rescaling: The factors, one per column of every weight matrix, or one for all columns.
  ///   - output: The type of the result; `Int32` for the sums.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  init<Output: QuantizedValue>(
    _ context: PrepareContext, _ layout: GemmLayout, _ operands: Operands, rescaling: IntegerRescaling,
    output: Output.Type
  ) {
    self.layout = layout
    kernels = context.kernels.quantizedGemm
    self.operands = operands
    self.rescaling = rescaling
    isRounding = context.options.numerics == .fast && Output.bitWidth == 8 && rescaling.fitsSinglePrecision
    isSumming = Output.self == Int32.self
    dots = isSumming ? nil : DotResults(context, layout, rescaling, isRounding: isRounding, isSigned: Output.isSigned)
    copiesRows = dots == nil && layout.copiesRows(kernels, flips: operands.inputIsSigned && layout.windows == nil)
    switch (layout.windows == nil, dots == nil) {
    case (true, true): context.uses("GEMM int8")
    case (true, false): context.uses("dot products int8")
    case (false, true): context.uses("indirect GEMM int8")
    case (false, false): context.uses("indirect dot products int8")
    }
    outputBytes = MemoryLayout<Output>.size
    outputIsSigned = Output.isSigned
    let exact = context.kernels.quantization
    rescale = { sums, rows, columns, firstColumn, output, distance in
      rescaling.apply(
        sums, rows: rows, columns: columns, firstColumn: firstColumn,
        output: output.assumingMemoryBound(to: Output.self),
        distance: distance, kernels: exact)
    }
    keepsSums = dots != nil || !isRounding && !isSumming
    largestTiles = Self.tiling(layout, kernels, keepsSums: keepsSums, threads: 1)
    zeroRow = .zeroRow(layout, zero: UInt8(truncatingIfNeeded: operands.inputZeroPoint))
  }

  private static func tiling(
    _ layout: GemmLayout, _ kernels: QuantizedGemmKernels, keepsSums: Bool, threads: Int
  ) -> GemmTiling {
    layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 1, keepsSums: keepsSums,
      threads: threads)
  }

  /// Returns the stages that multiply `input` by input `weights` of the node.
  ///
  /// - Parameter bias: The index of the input with an int32 bias per column of every weight matrix, if there is one.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int? = nil, output: TensorSlot
  ) throws -> GemmStages {
    context.requireSlack(behind: input)
    let scales = isRounding ? rescaling.singlePrecisionFactors : []
    let packed =
      try dots != nil
      ? packedColumns(context, weights: weights, bias: bias)
      : packedWeights(context, weights: weights, bias: bias, scales: scales)
    let scratch = ScratchLayout(
      largestTiles, layout, needsSums: keepsSums, copies: copiesRows ? kernels : nil)
    context.requireWorkerScratch(bytes: scratch.byteCount)
    let work = layout.work(
      largestTiles, panelColumns: kernels.panelColumns, product: 0.015, result: isRounding ? 0.5 : 2, elementBytes: 1)
    let multiplying = PreparedOperator.Stage { [self] threads in
      let tiling = Self.tiling(layout, kernels, keepsSums: keepsSums, threads: threads)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { [self] run, tile in
        let block = tiling.block(tile)
        for matrix in block.matrices {
          multiply(block, layout.places[matrix], run, packed, scratch, dots, input: input, output: output)
        }
      }
    }.touching(reads: [input] + packed.slots, writes: [output])
    return GemmStages(packing: packed.stages, multiplying: multiplying)
  }

  private func packedWeights(
    _ context: PrepareContext, weights: Int, bias: Int?, scales: [Float]
  ) throws -> PackedWeights {
    let kernels = kernels, operands = operands, columns = layout.columns, taps = layout.taps,
      tapDepth = layout.byteTapDepth
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 1, tapDepth: tapDepth,
      filler: UInt8(truncatingIfNeeded: operands.weightZeroPoint), panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedByteCount(columns: kernels.panelColumns, taps: taps, tapDepth: tapDepth),
      form: PackedLayout("8-bit panels", [kernels.panelColumns] + operands.numbers + scales.map { Int($0.bitPattern) })
    ) { job in
      let first = job.matrix &* columns &+ job.columns.lowerBound
      scales.withUnsafeBufferPointer { scales in
        kernels.pack(
          columns: job.columns.count, taps: taps, tapDepth: tapDepth, weights: job.weights,
          weightsAreSigned: operands.weightsAreSigned, columnStride: job.columnStride, tapStride: job.tapStride,
          channelStride: job.depthStride, weightZeroPoint: operands.weightZeroPoint,
          inputZeroPoint: operands.inputZeroPoint,
          inputIsSigned: operands.inputIsSigned, bias: job.bias.map { $0.assumingMemoryBound(to: Int32.self) + first },
          // The address of an empty array isn't nil.
          scales: scales.isEmpty ? nil : scales.baseAddress.map { scales.count == 1 ? $0 : $0 + first },
          scaleStride: scales.count == 1 ? 0 : 1,
          into: job.panels)
      }
    }
  }

  /// Returns the weights for dot products.
  private func packedColumns(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let kernels = kernels, operands = operands, columns = layout.columns, taps = layout.taps,
      tapDepth = layout.byteTapDepth
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 1, tapDepth: tapDepth,
      filler: UInt8(truncatingIfNeeded: operands.weightZeroPoint), panelColumns: columns,
      panelBytes: kernels.packedRowDotsByteCount(columns: columns, taps: taps, tapDepth: tapDepth),
      form: PackedLayout("8-bit columns", operands.numbers)
    ) { job in
      let first = job.matrix &* columns
      kernels.packRowDots(
        columns: columns, taps: taps, tapDepth: tapDepth, weights: job.weights,
        weightsAreSigned: operands.weightsAreSigned, columnStride: job.columnStride, tapStride: job.tapStride,
        channelStride: job.depthStride, weightZeroPoint: operands.weightZeroPoint,
        inputZeroPoint: operands.inputZeroPoint, inputIsSigned: operands.inputIsSigned,
        bias: job.bias.map { $0.assumingMemoryBound(to: Int32.self) + first }, into: job.panels)
    }
  }

  private func multiply(
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    _ scratch: ScratchLayout, _ dots: DotResults?, input: TensorSlot, output: TensorSlot
  ) {
    let first = place.output &+ block.rows.lowerBound &* layout.outputDistance &+ block.columns.lowerBound
    multiply(
      block, place, run, packed, scratch, dots, base: UnsafeRawPointer(run.pointer(input)),
      destination: run.pointer(output) + first &* outputBytes, distance: layout.outputDistance)
  }

  /// Multiplies one block.
  ///
  /// - Parameters:
  ///   - dots: The results of dot products, if the weights are packed for them.
  ///   - base: The input.
  ///   - destination: The address of the first result.
  ///   - distance: The distance between two rows of results.
  private func multiply(
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    _ scratch: ScratchLayout, _ dots: DotResults?, base: UnsafeRawPointer, destination: UnsafeMutableRawPointer,
    distance: Int
  ) {
    let rows = block.rows.count, columns = block.columns.count, column = block.columns.lowerBound
    let panels = packed.panels(run, matrix: place.weights, column: column)
    let source = layout.byteRows(
      block.rows, place, base: base, isSigned: operands.inputIsSigned, zeroRow: UnsafeRawPointer(zeroRow.start),
      scratch: run.workerScratch, copies: copiesRows ? scratch.copies : nil)
    let termMemory = run.workerScratch.advanced(by: scratch.terms).assumingMemoryBound(to: Int32.self)
    let hasTerms = kernels.computeRowTerms(
      rows: rows, input: source, weightZeroPoint: operands.weightZeroPoint,
      weightsAreSigned: operands.weightsAreSigned,
      into: termMemory)
    let terms = hasTerms ? UnsafePointer(termMemory) : nil
    let sums = run.workerScratch.advanced(by: scratch.sums).assumingMemoryBound(to: Int32.self)
    if let dots {
      kernels.multiplyRowDots(
        rows: rows, columns: columns, input: source, packed: panels, rowTerms: terms, output: sums)
      if isRounding {
        dots.round(sums, rows: rows, output: destination)
      } else {
        rescale(sums, rows, columns, place.weights &* layout.columns, destination, distance)
      }
      return
    }
    if isRounding {
      kernels.multiplyRequantizing(
        rows: rows, columns: columns, input: source, panels: panels, rowTerms: terms,
        output: destination, outputIsSigned: outputIsSigned, outputStride: distance,
        zeroPoint: rescaling.range.zeroPoint, lower: rescaling.range.lower,
        upper: rescaling.range.upper)
      return
    }
    if isSumming {
      kernels.multiplyAccumulating(
        rows: rows, columns: columns, input: source, panels: panels, rowTerms: terms,
        output: destination.assumingMemoryBound(to: Int32.self), outputStride: distance)
      return
    }
    kernels.multiplyAccumulating(
      rows: rows, columns: columns, input: source, panels: panels, rowTerms: terms, output: sums, outputStride: columns)
    rescale(sums, rows, columns, place.weights &* layout.columns &+ column, destination, distance)
  }
}

extension Int8Gemm {
  /// The results of blocks of rows and columns, for operators that process them before they leave the cache.
  struct Blocks: Sendable {
    let packed: PackedWeights
    fileprivate let scratch: ScratchLayout
    /// The size of the worker scratch memory that a product needs, from its start.
    var scratchBytes: Int { (scratch.byteCount + 63) & ~63 }
  }

  /// Packs input `weights` of the node for products of at most `rows` rows. Their results are 32-bit sums, or
  /// the kernel rescales them.
  func blocks(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int? = nil, rows: Int
  ) throws -> Blocks {
    context.requireSlack(behind: input)
    return Blocks(
      packed: try packedWeights(
        context, weights: weights, bias: bias, scales: isRounding ? rescaling.singlePrecisionFactors : []),
      scratch: ScratchLayout(
        rows: rows, columns: 0, layout, needsSums: false, copies: copiesRows ? kernels : nil))
  }

  /// Multiplies some rows of `input` by some columns, which start at a multiple of the panel width.
  func multiply(
    rows: Range<Int>, columns: Range<Int>, _ run: RunContext, _ blocks: Blocks, input: UnsafeRawPointer,
    into results: UnsafeMutableRawPointer, distance: Int
  ) {
    multiply(
      GemmTiling.Block(matrices: 0..<1, rows: rows, columns: columns), layout.places[0], run, blocks.packed,
      blocks.scratch, nil, base: input, destination: results, distance: distance)
  }
}

/// The results of a product with few columns from its sums.
private struct DotResults: Sendable {
  private let rows: NarrowRows
  private let scales: [Float]
  private let range: OutputRange
  private let isSigned: Bool
  private let kernels: QuantizationKernels

  /// Creates the results, or returns `nil` if products with panels are faster, or if results that are rounded aren't
  /// contiguous.
  init?(
    _ context: PrepareContext, _ layout: GemmLayout, _ rescaling: IntegerRescaling, isRounding: Bool, isSigned: Bool
  ) {
    guard
      context.kernels.quantizedGemm.prefersRowDots(
        columns: layout.columns, taps: layout.taps, tapDepth: layout.byteTapDepth),
      !isRounding || layout.outputDistance == layout.columns && layout.weights.count == 1
    else { return nil }
    rows = NarrowRows(channels: layout.columns, rows: layout.rows)
    let scales = isRounding ? rescaling.singlePrecisionFactors : []
    self.scales = rows.repeated(scales.count == 1 ? Array(repeating: scales[0], count: layout.columns) : scales)
    range = rescaling.range
    self.isSigned = isSigned
    kernels = context.kernels.quantization
  }

  /// Rounds sums to bytes in the place of the sums, and then in `output`.
  func round(_ sums: UnsafeMutablePointer<Int32>, rows: Int, output: UnsafeMutableRawPointer) {
    self.rows.round(
      sums, rows: rows, scales: scales, scaled: UnsafeMutableRawPointer(sums).assumingMemoryBound(to: Float.self),
      range: range, isSigned: isSigned, output: output, kernels: kernels)
  }
}

/// The positions of a tile's intermediate results in worker scratch memory, after the indirection buffer.
struct ScratchLayout: Sendable {
  /// The offset of one 32-bit value per row.
  let terms: Int
  /// The offset of one 32-bit value per row and column.
  let sums: Int
  /// The offset of the copies of rows.
  let copies: Int
  let byteCount: Int

  /// Creates the positions.
  ///
  /// - Parameter copies: The kernels, if they copy rows.
  init(_ tiling: GemmTiling, _ layout: GemmLayout, needsSums: Bool, copies: QuantizedGemmKernels?) {
    self.init(rows: tiling.rowBlock, columns: tiling.columnBlock, layout, needsSums: needsSums, copies: copies)
  }

  init(rows count: Int, columns: Int, _ layout: GemmLayout, needsSums: Bool, copies kernels: QuantizedGemmKernels?) {
    func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
    terms = aligned(layout.windows?.scratchBytes(rows: count) ?? 0)
    sums = terms + aligned(count * 4)
    copies = sums + aligned(needsSums ? count * columns * 4 : 0)
    byteCount =
      copies
      + (kernels?.copyByteCount(rows: count, taps: layout.taps, tapDepth: layout.byteTapDepth) ?? 0)
  }
}

extension GemmLayout {
  /// The number of elements in a tap as the integer kernels read it: whole groups of four.
  ///
  /// The kernels also read the bytes after a tap (see `PrepareContext.requireSlack(behind:)`), and multiply them by
  /// zero weights.
  var byteTapDepth: Int { (tapDepth + 3) & ~3 }

  /// Returns whether products copy their rows before they read them. Parameters are those of
  /// `QuantizedGemmKernels.prefersCopies`.
  func copiesRows(_ kernels: QuantizedGemmKernels, flips: Bool) -> Bool {
    kernels.prefersCopies(rows: rows, columns: columns, taps: taps, tapDepth: byteTapDepth, flips: flips)
  }

  /// Returns some rows of one product in the form that the integer kernels read.
  ///
  /// - Parameters:
  ///   - zeroRow: `byteTapDepth` quantized values that represent zero.
  ///   - copies: The offset of memory for copies in `scratch`, if the kernels copy rows.
  func byteRows(
    _ rows: Range<Int>, _ place: Place, base: UnsafeRawPointer, isSigned: Bool, zeroRow: UnsafeRawPointer,
    scratch: UnsafeMutableRawPointer, copies: Int?
  ) -> ByteRows {
    var result: ByteRows
    if let windows {
      let positions = windows.positions(
        place.firstWindow &+ rows.lowerBound..<place.firstWindow &+ rows.upperBound, scratch: scratch)
      result = .windows(
        base: base + place.input, isSigned: isSigned, taps: taps, tapDepth: byteTapDepth, offsets: positions,
        zeroRow: zeroRow, areFixed: windows.hasFixedTaps)
    } else {
      let distance = inputDistance ?? 0
      result = .rows(
        base: base + (place.input &+ rows.lowerBound &* distance), isSigned: isSigned, stride: distance,
        depth: byteTapDepth)
    }
    result.copyMemory = copies.map { scratch + $0 }
    return result
  }
}

extension AlignedBytes {
  /// Returns a padding tap, for windows that read it.
  static func zeroRow(_ layout: GemmLayout, zero: UInt8) -> AlignedBytes {
    let row = AlignedBytes(zeroed: layout.windows?.readsPadding ?? false ? layout.byteTapDepth : 1)
    row.start.initializeMemory(as: UInt8.self, repeating: zero, count: row.bytes.count)
    return row
  }
}
