import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// Products of float32 rows with packed weights: `output[r, c] = clamp(bias[c] + Σ row[r, d] · weight[c, d])`.
///
/// Windows with a few columns are dot products of rows and columns, whose lanes are added up at the end. Bit-exact
/// numerics doesn't use them, because the order of summation differs from the reference. Neither do the heads of
/// landmark models, such as the presence of a face or a pose, which are single pixels or too small for speed to matter: a
/// product with a panel is bit-exact with XNNPACK.
final class FloatGemm: Sendable {
  let layout: GemmLayout
  private let kernels: GemmKernels
  /// The tiles for a single thread, which are the largest.
  private let largestTiles: GemmTiling
  private let range: (lower: Float, upper: Float)
  /// Whether sums match the reference: terms are rounded individually, and the bias is added last.
  private let isExact: Bool
  /// Whether products are dot products.
  private let isDots: Bool
  private let zeroRow: AlignedBytes

  /// The number of products of a column that take less than a microsecond.
  static let smallProduct = 1 << 12

  init(_ context: PrepareContext, _ layout: GemmLayout, activation: FusedActivation = .none) {
    self.layout = layout
    isExact = context.options.numerics == .bitExact
    kernels = isExact ? KernelTable.portable.gemm : context.kernels.gemm
    isDots = !isExact && Self.prefersDots(layout, kernels)
    if isDots {
      context.uses("indirect dot products float32")
    } else {
      context.uses(layout.windows == nil ? "GEMM float32" : "indirect GEMM float32", isExact ? .portable : .processor)
    }
    range = activation.floatRange
    largestTiles = Self.tiling(layout, kernels, threads: 1)
    let readsPadding = layout.windows?.readsPadding ?? false
    let zeros = max(layout.tapDepth, layout.inner?.tapDepth ?? 0)
    zeroRow = AlignedBytes(zeroed: readsPadding ? zeros * 4 : 4)
  }

  private static func prefersDots(_ layout: GemmLayout, _ kernels: GemmKernels) -> Bool {
    guard layout.windows != nil, layout.multiplyAdds / max(1, layout.columns) > smallProduct else { return false }
    let tapDepth = layout.inner?.tapDepth ?? layout.tapDepth
    return kernels.prefersDots(columns: layout.columns, taps: layout.depth / tapDepth, tapDepth: tapDepth)
  }

  private static func tiling(_ layout: GemmLayout, _ kernels: GemmKernels, threads: Int) -> GemmTiling {
    layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 4, threads: threads)
  }

  /// Returns the stages that multiply `input` by input `weights` of the node.
  ///
  /// - Parameters:
  ///   - bias: The index of the input with a bias per column of every weight matrix, if there is one.
  ///   - epilogue: The steps to apply to the results while they are in the cache.
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int? = nil, output: TensorSlot,
    epilogue: [EpilogueStep] = []
  ) throws -> GemmStages {
    for table in [layout.windows, layout.inner?.table] {
      context.requireWorkerScratch(bytes: table?.scratchBytes(rows: largestTiles.rowBlock) ?? 0)
    }
    let kernels = kernels, columns = layout.columns
    let epilogue = try FusedEpilogue(context, epilogue)
    let trailingBias = try isExact ? TrailingBias(bias.map(context.inputSlot), range) : nil
    let packed = try packedWeights(context, weights: weights, bias: isExact ? nil : bias)
    let work = layout.work(
      largestTiles, panelColumns: isDots ? 1 : kernels.panelColumns, product: isExact ? 0.5 : 0.03,
      result: 1 + 2 * Double(epilogue.count),
      elementBytes: 4)
    let multiplying = PreparedOperator.Stage { [self] threads in
      let tiling = Self.tiling(layout, kernels, threads: threads)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { [self] run, tile in
        layout.forEachPiece(of: tiling.block(tile), tileRows: kernels.tileRows, run, output, epilogue) {
          block, place, destination in
          multiply(block, place, run, packed, input: run.pointer(input), destination: destination)
          trailingBias?.finish(
            run, destination, rows: block.rows.count, stride: layout.outputDistance, columns: block.columns.count,
            firstBias: place.weights &* columns &+ block.columns.lowerBound)
        }
      }
    }
    return GemmStages(packing: packed.stages, multiplying: multiplying)
  }

  /// Packs input `weights` of the node. A bias is the start of the sums of a column.
  func packedWeights(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    if isDots { return try packedColumns(context, weights: weights, bias: bias) }
    let kernels = kernels, columns = layout.columns, depth = layout.depth
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 4, panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedCount(columns: kernels.panelColumns, depth: depth) * 4,
      form: PackedLayout("float32 panels", [kernels.panelColumns])
    ) { job in
      let first = job.matrix &* columns &+ job.columns.lowerBound
      kernels.pack(
        columns: job.columns.count, depth: depth, weights: job.weights.assumingMemoryBound(to: Float.self),
        columnStride: job.columnStride, depthStride: job.depthStride,
        bias: job.bias.map { $0.assumingMemoryBound(to: Float.self) + first },
        into: job.panels.assumingMemoryBound(to: Float.self))
    }
  }

  /// Returns the weights for dot products: those for the layout's taps, and those for the taps of windows within the
  /// image's width.
  private func packedColumns(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let kernels = kernels, columns = layout.columns, depth = layout.depth
    let tapDepths = [layout.tapDepth] + (layout.inner.map { [$0.tapDepth] } ?? [])
    let counts = tapDepths.map { dotCount(taps: depth / $0, tapDepth: $0) }
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 4, panelColumns: columns,
      panelBytes: counts.reduce(0, +) * 4, form: PackedLayout("float32 columns", [kernels.panelColumns] + tapDepths)
    ) { job in
      var target = job.panels.assumingMemoryBound(to: Float.self)
      for (tapDepth, count) in zip(tapDepths, counts) {
        kernels.packDots(
          columns: columns, taps: depth / tapDepth, tapDepth: tapDepth,
          weights: job.weights.assumingMemoryBound(to: Float.self), columnStride: job.columnStride,
          depthStride: job.depthStride,
          bias: job.bias.map { $0.assumingMemoryBound(to: Float.self) + job.matrix &* columns }, into: target)
        target += count
      }
    }
  }

  private func dotCount(taps: Int, tapDepth: Int) -> Int {
    kernels.packedDotCount(columns: layout.columns, taps: taps, tapDepth: tapDepth)
  }

  /// Multiplies some rows of `input` by some columns of a weight matrix, which start at a multiple of the panel width.
  /// The layout has no windows.
  func multiply(
    rows: Range<Int>, columns: Range<Int>, _ run: RunContext, _ packed: PackedWeights, matrix: Int = 0,
    input: UnsafePointer<Float>, into destination: UnsafeMutablePointer<Float>, distance: Int
  ) {
    let inputDistance = layout.inputDistance ?? 0
    kernels.multiplyRows(
      rows: rows.count, columns: columns.count, depth: layout.depth,
      input: input + rows.lowerBound &* inputDistance, inputStride: inputDistance,
      panels: packed.panels(run, matrix: matrix, column: columns.lowerBound).assumingMemoryBound(to: Float.self),
      output: destination, outputStride: distance, lower: -.infinity, upper: .infinity)
  }

  private func multiply(
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    input: UnsafeMutableRawPointer, destination: UnsafeMutablePointer<Float>
  ) {
    let first = block.rows.lowerBound, column = block.columns.lowerBound
    let source = UnsafePointer(input.assumingMemoryBound(to: Float.self)) + place.input
    let panels = packed.panels(run, matrix: place.weights, column: column).assumingMemoryBound(to: Float.self)
    let (lower, upper) = isExact ? FusedActivation.none.floatRange : range
    if let windows = layout.windows {
      let zeros = UnsafePointer(zeroRow.start.assumingMemoryBound(to: Float.self))
      func multiplyTaps(
        _ table: IndirectionBuffer, _ rows: Range<Int>, tapDepth: Int, _ panels: UnsafePointer<Float>, row: Int
      ) {
        let offsets = table.positions(rows, scratch: run.workerScratch)
        let output = destination + (row &- first) &* layout.outputDistance
        if isDots {
          kernels.multiplyDots(
            rows: rows.count, columns: layout.columns, taps: table.taps, tapDepth: tapDepth, input: source,
            offsets: offsets, zeroRow: zeros, packed: panels, output: output, outputStride: layout.outputDistance,
            lower: lower, upper: upper)
        } else {
          kernels.multiplyTaps(
            rows: rows.count, columns: block.columns.count, taps: table.taps, tapDepth: tapDepth, input: source,
            offsets: offsets, zeroRow: zeros, panels: panels, output: output, outputStride: layout.outputDistance,
            lower: lower, upper: upper)
        }
      }
      guard let inner = layout.inner else {
        let rows = place.firstWindow &+ first..<place.firstWindow &+ block.rows.upperBound
        return multiplyTaps(windows, rows, tapDepth: layout.tapDepth, panels, row: first)
      }
      let innerPanels = isDots ? panels + dotCount(taps: layout.taps, tapDepth: layout.tapDepth) : panels
      inner.forEachPart(of: block.rows) { part, rows in
        if let rows {
          multiplyTaps(inner.table, rows, tapDepth: inner.tapDepth, innerPanels, row: part.lowerBound)
        } else {
          multiplyTaps(windows, part, tapDepth: layout.tapDepth, panels, row: part.lowerBound)
        }
      }
    } else {
      let distance = layout.inputDistance ?? 0
      kernels.multiplyRows(
        rows: block.rows.count, columns: block.columns.count, depth: layout.depth, input: source + first &* distance,
        inputStride: distance, panels: panels, output: destination, outputStride: layout.outputDistance,
        lower: lower, upper: upper)
    }
  }
}

extension FloatGemm {
  /// Returns the stages of all products of a node that multiply one float32 input by one weight input, in the precision
  /// that the options request.
  ///
  /// - Parameter count: The number of elements in the input.
  static func stages(
    _ context: PrepareContext, _ layouts: [GemmLayout], input: TensorSlot, count: Int, weights: Int, bias: Int? = nil,
    output: TensorSlot, activation: FusedActivation = .none, epilogue: [EpilogueStep] = []
  ) throws -> [PreparedOperator.Stage] {
    let kernels = BFloat16Gemm.kernels(context, weights: weights, bias: bias)
    var rounded: RoundedInput?
    let products = try layouts.map { layout in
      guard let kernels, BFloat16Gemm.pays(layout, kernels) else {
        return try FloatGemm(context, layout, activation: activation).stages(
          context, input: input, weights: weights, bias: bias, output: output, epilogue: epilogue)
      }
      if layout.windows != nil, rounded == nil { rounded = try RoundedInput(context, kernels, input, count: count) }
      let source = layout.windows == nil ? .rows(input) : rounded.map { BFloat16Gemm.Input.rounded($0.slot) }
      return try BFloat16Gemm(context, layout, kernels, input: source ?? .rows(input), activation: activation).stages(
        context, weights: weights, bias: bias, output: output, epilogue: epilogue)
    }
    return (rounded.map { [$0.stage] } ?? []) + (products.count == 1 ? products[0].all : GemmStages.joined(products))
  }
}

extension GemmLayout {
  /// Calls `multiply` for the rows of a block in pieces, and applies the epilogue to the results of each piece while
  /// they are in the cache.
  ///
  /// - Parameters:
  ///   - rows: The maximum number of rows per piece.
  ///   - tileRows: The number of rows in a kernel tile. Pieces consist of whole tiles.
  ///   - multiply: Receives the piece, its position, and the address of its first result.
  func forEachPiece(
    of whole: GemmTiling.Block, rows: Int = .max, tileRows: Int, _ run: RunContext, _ output: TensorSlot,
    _ epilogue: FusedEpilogue, _ multiply: (GemmTiling.Block, Place, UnsafeMutablePointer<Float>) -> Void
  ) {
    let results = run.pointer(output, as: Float.self)
    let cached = max(1, FusedEpilogue.cachedElements / max(1, whole.columns.count) / tileRows) &* tileRows
    let step = max(1, min(whole.rows.count, rows, epilogue.isEmpty ? .max : cached))
    for matrix in whole.matrices {
      let place = places[matrix]
      for row in stride(from: whole.rows.lowerBound, to: whole.rows.upperBound, by: step) {
        var block = whole
        block.rows = row..<min(whole.rows.upperBound, row &+ step)
        let first = place.output &+ row &* outputDistance &+ whole.columns.lowerBound
        multiply(block, place, results + first)
        if !epilogue.isEmpty {
          epilogue.apply(
            run, results, first: first, rows: block.rows.count, columns: whole.columns.count, distance: outputDistance)
        }
      }
    }
  }
}
