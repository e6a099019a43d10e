import SwiftletEngine
import SwiftletKernels

/// The products of int16 rows and 8- or 16-bit weights, rescaled to int16 values. All zero points are 0.
struct IntegerGemm<Weight: QuantizedValue, Sum: ProductSum>: Sendable {
  let layout: GemmLayout
  private let rescaling: IntegerRescaling
  private let tiling: GemmTiling
  private static var panelColumns: Int { 16 }

  /// Creates the products.
  ///
  /// - Parameter rescaling: The factors, one per column of every weight matrix, or one for all columns.
  init(_ layout: GemmLayout, rescaling: IntegerRescaling) {
    self.layout = layout
    self.rescaling = rescaling
    tiling = layout.tiling(
      tileRows: 4, panelColumns: Self.panelColumns, elementBytes: MemoryLayout<Weight>.size, threads: 1)
  }

  /// Returns the stages that multiply `input` by input `weights` of the node.
  ///
  /// - Parameter bias: The index of the input with an int32 or int64 bias per column of every weight matrix, if there
  ///   is one.
  // Compiled once instead of once per operator that multiplies.
  @inline(never)
  func stages(
    _ context: PrepareContext, input: TensorSlot, weights: Int, bias: Int? = nil, output: TensorSlot
  ) throws -> GemmStages {
    context.uses("GEMM int16", .none)
    let packed = try packedWeights(context, weights: weights, bias: bias)
    let tableBytes = ((layout.windows?.scratchBytes(rows: tiling.rowBlock) ?? 0) + 63) & ~63
    context.requireWorkerScratch(
      bytes: tableBytes + tiling.rowBlock * Self.panelColumns * MemoryLayout<Sum>.size)
    let work = layout.work(
      tiling, panelColumns: 1, product: 0.3, result: 3, elementBytes: MemoryLayout<Weight>.size)
    let multiplying = PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { run, tile in
      let block = tiling.block(tile)
      let sums = run.workerScratch.advanced(by: tableBytes).assumingMemoryBound(to: Sum.self)
      for matrix in block.matrices {
        for column in stride(from: block.columns.lowerBound, to: block.columns.upperBound, by: Self.panelColumns) {
          let columns = column..<min(block.columns.upperBound, column &+ Self.panelColumns)
          multiply(
            block.rows, columns, layout.places[matrix], run, packed, sums: sums,
            input: run.pointer(input, as: Int16.self), output: run.pointer(output, as: Int16.self))
        }
      }
    }
    return GemmStages(packing: packed.stages, multiplying: multiplying)
  }

  /// Returns the packed weights. A panel contains the biases of its columns as sums, then the weights column by column.
  private func packedWeights(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let columns = layout.columns, taps = layout.taps, tapDepth = layout.tapDepth, depth = layout.depth
    let isNarrow = try bias.map { try context.node.input($0).elementType == .int32 } ?? false
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: MemoryLayout<Weight>.size,
      panelColumns: Self.panelColumns,
      panelBytes: Self.panelColumns * (MemoryLayout<Sum>.size + depth * MemoryLayout<Weight>.size),
      form: PackedLayout("columns with biases", [MemoryLayout<Weight>.size, MemoryLayout<Sum>.size])
    ) { job in
      let first = job.matrix &* columns &+ job.columns.lowerBound
      let biases = job.panels.assumingMemoryBound(to: Sum.self)
      let target = (job.panels + Self.panelColumns &* MemoryLayout<Sum>.size).assumingMemoryBound(to: Weight.self)
      let source = job.weights.assumingMemoryBound(to: Weight.self)
      for column in 0..<job.columns.count {
        biases[column] = 0
        if let bias = job.bias {
          biases[column] =
            isNarrow
            ? Sum(truncatingIfNeeded: bias.assumingMemoryBound(to: Int32.self)[first &+ column])
            : Sum(truncatingIfNeeded: bias.assumingMemoryBound(to: Int64.self)[first &+ column])
        }
        for tap in 0..<taps {
          let from = source + (column &* job.columnStride &+ tap &* job.tapStride)
          let to = target + (column &* depth &+ tap &* tapDepth)
          for position in 0..<tapDepth { to[position] = from[position &* job.depthStride] }
        }
      }
    }
  }

  private func multiply(
    _ rows: Range<Int>, _ columns: Range<Int>, _ place: GemmLayout.Place, _ run: RunContext, _ packed: PackedWeights,
    sums: UnsafeMutablePointer<Sum>, input: UnsafePointer<Int16>, output: UnsafeMutablePointer<Int16>
  ) {
    let panel = packed.panels(run, matrix: place.weights, column: columns.lowerBound)
    let distance = layout.inputDistance ?? 0
    let positions = layout.windows.map {
      $0.positions(
        place.firstWindow &+ rows.lowerBound..<place.firstWindow &+ rows.upperBound, scratch: run.workerScratch)
    }
    let biases = UnsafePointer(panel.assumingMemoryBound(to: Sum.self))
    let weights = UnsafePointer(
      (panel + Self.panelColumns &* MemoryLayout<Sum>.size).assumingMemoryBound(to: Weight.self))
    let start = input + (place.input &+ (positions == nil ? rows.lowerBound &* distance : 0))
    for row in 0..<rows.count {
      for column in 0..<columns.count {
        let weights = weights + column &* layout.depth
        var sum = biases[column]
        if let positions {
          for tap in 0..<layout.taps {
            let position = Int(positions[row &* layout.taps &+ tap])
            guard position >= 0 else { continue }
            sum &+= Self.product(start + position, weights + tap &* layout.tapDepth, count: layout.tapDepth)
          }
        } else {
          sum &+= Self.product(start + row &* distance, weights, count: layout.depth)
        }
        sums[row &* columns.count &+ column] = sum
      }
    }
    rescaling.apply(
      sums, rows: rows.count, columns: columns.count,
      firstColumn: place.weights &* layout.columns &+ columns.lowerBound,
      output: output + (place.output &+ rows.lowerBound &* layout.outputDistance &+ columns.lowerBound),
      distance: layout.outputDistance)
  }

  /// Returns the sum of products of quantized values, each of which fits 32 bits.
  @inline(__always)
  private static func product(_ quantized: UnsafePointer<Int16>, _ weights: UnsafePointer<Weight>, count: Int) -> Sum {
    var sum: Sum = 0
    for index in 0..<count {
      sum &+= Sum(truncatingIfNeeded: Int32(quantized[index]) &* Int32(truncatingIfNeeded: weights[index]))
    }
    return sum
  }
}
