import SwiftletEngine
import SwiftletBase

/// The weights of a matrix product in the layout that its kernel reads. They are packed when the model is compiled, or
/// in the run if they are computed there.
struct PackedWeights: Sendable {
  /// The columns of one weight matrix that a kernel packs in one call.
  struct Job {
    /// The address of the first column's weights.
    var weights: UnsafeRawPointer
    /// The distance between two columns in elements.
    var columnStride: Int
    var tapStride: Int
    var depthStride: Int
    /// The index of the weight matrix, and the range of its columns.
    var matrix: Int
    var columns: Range<Int>
    /// The biases of all columns of all weight matrices.
    var bias: UnsafeRawPointer?
    /// The address of the first column's panel.
    var panels: UnsafeMutableRawPointer
  }

  /// The stages that pack weights computed in the run.
  let stages: [PreparedOperator.Stage]
  /// The slot of the weights packed in the run, if any.
  var slots: [TensorSlot] { computed.map { [$0] } ?? [] }
  private let constant: AlignedBytes?
  private let computed: TensorSlot?
  private let matrixBytes: Int
  private let panelBytes: Int
  private let panelColumns: Int

  /// Creates packed weights.
  ///
  /// - Parameters:
  ///   - input, bias: The indices of the node inputs with the weights and biases.
  ///   - elementBytes: The size of a weight in bytes.
  ///   - tapDepth: The number of elements in a tap as the kernel reads it, at least the layout's. The additional
  ///     elements are `filler` bytes.
  ///   - panelBytes: The size of a packed panel of `panelColumns` columns in bytes.
  ///   - form: The numbers, other than the inputs and the layout, that the packed bytes depend on.
  ///   - pack: Packs columns, starting at a multiple of `panelColumns`.
  init(
    _ context: PrepareContext, _ layout: GemmLayout, input: Int, bias: Int?, elementBytes: Int,
    tapDepth: Int? = nil, filler: UInt8 = 0, panelColumns: Int, panelBytes: Int, form: PackedLayout,
    pack: @escaping @Sendable (Job) -> Void
  ) throws {
    let panels = (layout.columns + panelColumns - 1) / panelColumns
    let total = try Self.byteCount(context, panels: panels, panelBytes: panelBytes, matrices: layout.weights.count)
    matrixBytes = panels * panelBytes
    self.panelBytes = panelBytes
    self.panelColumns = panelColumns
    let collecting = WeightCollector(
      layout: layout, elementBytes: elementBytes, tapDepth: tapDepth ?? layout.tapDepth, filler: filler,
      hasBias: bias != nil)

    if context.node.isConstant(input) && (bias.map(context.node.isConstant) ?? true) {
      let inputs = [input] + (bias.map { [$0] } ?? [])
      constant = try context.packed(
        inputs: inputs, layout: form.adding(layout.numbers), byteCount: total,
        items: layout.weights.count * panels
      ) { sources, packed, items in
        let scratch = try AlignedBytes.available(
          collecting.scratchBytes(columns: panelColumns), for: "intermediate results")
        guard let weights = sources[0].baseAddress else { return }
        for item in items {
          var job = collecting.job(item, panels, panelColumns, weights: weights, scratch: scratch.start)
          job.bias =
            sources.count > 1
            ? collecting.bias(sources[1].baseAddress, job.columns, panelColumns: panelColumns, scratch: scratch.start)
            : nil
          job.panels = packed.start + item * panelBytes
          pack(job)
        }
      }
      computed = nil
      stages = []
      return
    }
    let target = try context.scratch(bytes: total)
    let source = try context.inputSlot(input), biasSource = try bias.map(context.inputSlot)
    context.requireWorkerScratch(bytes: collecting.scratchBytes(columns: panelColumns))
    constant = nil
    computed = target
    stages = [
      PreparedOperator.Stage(
        items: layout.weights.count * panels,
        cost: Double(layout.depth * min(layout.columns, panelColumns)) * (layout.weights.depthStride == 1 ? 1 : 4)
      ) {
        run, items in
        for item in items {
          var job = collecting.job(
            item, panels, panelColumns, weights: UnsafeRawPointer(run.pointer(source)), scratch: run.workerScratch)
          let columns = job.columns
          job.bias = biasSource.flatMap {
            collecting.bias(
              UnsafeRawPointer(run.pointer($0)), columns, panelColumns: panelColumns, scratch: run.workerScratch)
          }
          job.panels = run.pointer(target) + item &* panelBytes
          pack(job)
        }
      }.touching(reads: [source] + (biasSource.map { [$0] } ?? []), writes: [target])
    ]
  }

  /// Returns the size of all panels.
  ///
  /// - Throws: `limitExceeded` if it exceeds the limit of the options.
  static func byteCount(_ context: PrepareContext, panels: Int, panelBytes: Int, matrices: Int = 1) throws -> Int {
    let matrix = panels.multipliedReportingOverflow(by: panelBytes)
    let total = matrix.partialValue.multipliedReportingOverflow(by: matrices)
    guard !matrix.overflow, !total.overflow, total.partialValue <= context.options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "packed weights would take more than the limit of \(context.options.limits.arenaBytes) bytes",
        location: context.node.node.location)
    }
    return total.partialValue
  }

  /// Returns the panels of weight matrix `matrix` from `column` on, a multiple of the panel width.
  func panels(_ run: RunContext, matrix: Int, column: Int) -> UnsafeRawPointer {
    let start: UnsafeMutableRawPointer
    if let constant {
      start = constant.start
    } else if let computed {
      start = run.pointer(computed)
    } else {
      start = run.workerScratch
    }
    return UnsafeRawPointer(start) + (matrix &* matrixBytes &+ column / panelColumns &* panelBytes)
  }
}

/// A collector of the weights of some columns. It copies their taps to contiguous memory if they are scattered or too
/// short.
private struct WeightCollector: Sendable {
  let layout: GemmLayout
  let elementBytes: Int
  let tapDepth: Int
  let filler: UInt8
  let hasBias: Bool

  /// The size of repeatable biases in bytes: float32 or int32.
  private static let biasBytes = 4

  private var isCopying: Bool { layout.weights.tapPositions != nil || tapDepth != layout.tapDepth }

  /// Returns the size of copied taps and repeated biases in bytes.
  func scratchBytes(columns: Int) -> Int {
    biasStart(columns: columns) + (hasBias && layout.weights.repetitions > 1 ? layout.columns * Self.biasBytes : 0)
  }

  private func tapBytes(columns: Int) -> Int {
    isCopying ? min(columns, layout.columns) * layout.taps * tapDepth * elementBytes : 0
  }

  private func biasStart(columns: Int) -> Int { (tapBytes(columns: columns) + 63) & ~63 }

  /// Returns the biases of all columns. If the columns of the tensor are repeated, only those of `columns` are set.
  func bias(
    _ source: UnsafeRawPointer?, _ columns: Range<Int>, panelColumns: Int, scratch: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer? {
    guard let source, layout.weights.repetitions > 1 else { return source }
    let target = scratch + biasStart(columns: panelColumns), distinct = layout.distinctColumns
    for column in columns {
      (target + column &* Self.biasBytes)
        .copyMemory(from: source + column % distinct &* Self.biasBytes, byteCount: Self.biasBytes)
    }
    return UnsafeRawPointer(target)
  }

  func job(
    _ item: Int, _ panels: Int, _ panelColumns: Int, weights: UnsafeRawPointer, scratch: UnsafeMutableRawPointer
  ) -> PackedWeights.Job {
    let matrix = item / panels
    let first = item % panels * panelColumns
    let columns = first..<min(layout.columns, first + panelColumns)
    let place = layout.weights
    let source = weights + matrix &* place.matrixStride &* elementBytes
    guard isCopying else {
      return PackedWeights.Job(
        weights: source + first &* place.columnStride &* elementBytes, columnStride: place.columnStride,
        tapStride: layout.tapDepth * place.depthStride,
        depthStride: place.depthStride, matrix: matrix, columns: columns, bias: nil, panels: scratch)
    }
    scratch.initializeMemory(as: UInt8.self, repeating: filler, count: tapBytes(columns: columns.count))
    for column in columns {
      let (repetition, ownColumn) = column.quotientAndRemainder(dividingBy: layout.distinctColumns)
      for tap in 0..<layout.taps {
        let position =
          place.tapPositions?[repetition &* layout.taps &+ tap] ?? tap &* layout.tapDepth &* place.depthStride
        guard position >= 0 else { continue }
        copyTap(
          from: source + (ownColumn &* place.columnStride &+ position) &* elementBytes,
          to: scratch + ((column &- first) &* layout.taps &+ tap) &* tapDepth &* elementBytes)
      }
    }
    return PackedWeights.Job(
      weights: UnsafeRawPointer(scratch), columnStride: layout.taps * tapDepth, tapStride: tapDepth, depthStride: 1,
      matrix: matrix, columns: columns, bias: nil, panels: scratch)
  }

  private func copyTap(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    let stride = layout.weights.depthStride
    guard stride != 1 else { return target.copyMemory(from: source, byteCount: layout.tapDepth &* elementBytes) }
    for element in 0..<layout.tapDepth {
      (target + element &* elementBytes)
        .copyMemory(from: source + element &* stride &* elementBytes, byteCount: elementBytes)
    }
  }
}
