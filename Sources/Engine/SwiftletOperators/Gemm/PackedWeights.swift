import SwiftletEngine
import SwiftletBase

/// The weights of a matrix product in the form its kernel reads: packed when the model is compiled or, where they are
/// computed, in the run.
struct PackedWeights: Sendable {
  /// What a kernel packs at a time: some columns of one weight matrix.
  struct Job {
    /// The weight of the first column.
    var weights: UnsafeRawPointer
    /// Distances in elements.
    var columnStride: Int
    var tapStride: Int
    var depthStride: Int
    /// Which weight matrix, and which of its columns.
    var matrix: Int
    var columns: Range<Int>
    /// The biases of all columns of all weight matrices.
    var bias: UnsafeRawPointer?
    /// Where the panel of the first column goes.
    var panels: UnsafeMutableRawPointer
  }

  /// Packs weights that the run has computed.
  let stages: [PreparedOperator.Stage]
  /// Where those are.
  var slots: [TensorSlot] { computed.map { [$0] } ?? [] }
  private let constant: AlignedBytes?
  private let computed: TensorSlot?
  private let matrixBytes: Int
  private let panelBytes: Int
  private let panelColumns: Int

  /// - Parameters:
  ///   - input, bias: the inputs of the node that hold them.
  ///   - elementBytes: Size of a weight.
  ///   - tapDepth: Elements of a tap as the kernel reads it, not fewer than the layout's; those behind are `filler`
  ///     bytes.
  ///   - panelBytes: Size of a packed panel of `panelColumns` columns.
  ///   - form: What packed bytes depend on besides the inputs' bytes and the layout.
  ///   - pack: Packs columns from a multiple of `panelColumns` on.
  init(
    _ context: PrepareContext, _ layout: GemmLayout, input: Int, bias: Int?, elementBytes: Int,
    tapDepth: Int? = nil, filler: UInt8 = 0, panelColumns: Int, panelBytes: Int, form: PackedLayout,
    pack: @escaping @Sendable (Job) -> Void
  ) throws {
    let panels = (layout.columns + panelColumns - 1) / panelColumns
    let matrix = panels.multipliedReportingOverflow(by: panelBytes)
    let total = matrix.partialValue.multipliedReportingOverflow(by: layout.weights.count)
    guard !matrix.overflow, !total.overflow, total.partialValue <= context.options.limits.arenaBytes else {
      throw RuntimeError(
        .limitExceeded, "packed weights would take more than the limit of \(context.options.limits.arenaBytes) bytes",
        location: context.node.node.location)
    }
    matrixBytes = matrix.partialValue
    self.panelBytes = panelBytes
    self.panelColumns = panelColumns
    let collecting = WeightCollector(
      layout: layout, elementBytes: elementBytes, tapDepth: tapDepth ?? layout.tapDepth, filler: filler,
      hasBias: bias != nil)

    if context.node.isConstant(input) && (bias.map(context.node.isConstant) ?? true) {
      let inputs = [input] + (bias.map { [$0] } ?? [])
      constant = try context.packed(
        inputs: inputs, layout: form.adding(layout.numbers), byteCount: total.partialValue,
        items: layout.weights.count * panels
      ) { sources, packed, items in
        let scratch = try AlignedBytes.available(
          collecting.scratchBytes(columns: panelColumns), for: "intermediate results")
        guard let weights = sources[0].baseAddress else { return }
        for item in items {
          var job = collecting.job(item, panels, panelColumns, weights: weights, scratch: scratch.start)
          job.bias =
            sources.count > 1
            ? collecting.bias(sources[1].baseAddress, panelColumns: panelColumns, scratch: scratch.start) : nil
          job.panels = packed.start + item * panelBytes
          pack(job)
        }
      }
      computed = nil
      stages = []
      return
    }
    let target = try context.scratch(bytes: total.partialValue)
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
          job.bias = biasSource.flatMap {
            collecting.bias(
              UnsafeRawPointer(run.pointer($0)), panelColumns: panelColumns, scratch: run.workerScratch)
          }
          job.panels = run.pointer(target) + item &* panelBytes
          pack(job)
        }
      }.touching(reads: [source] + (biasSource.map { [$0] } ?? []), writes: [target])
    ]
  }

  /// Returns the panels of weight matrix `matrix` from `column`, a multiple of the panel width, on.
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

/// Finds the weights of some columns, and copies their taps together where they are scattered or too short.
private struct WeightCollector: Sendable {
  let layout: GemmLayout
  let elementBytes: Int
  let tapDepth: Int
  let filler: UInt8
  let hasBias: Bool

  /// Size of the biases that may repeat: float32 or int32.
  private static let biasBytes = 4

  private var isCopying: Bool { layout.weights.tapPositions != nil || tapDepth != layout.tapDepth }

  /// What copies of taps and of repeated biases take.
  func scratchBytes(columns: Int) -> Int {
    biasStart(columns: columns) + (hasBias && layout.weights.repetitions > 1 ? layout.columns * Self.biasBytes : 0)
  }

  private func tapBytes(columns: Int) -> Int {
    isCopying ? min(columns, layout.columns) * layout.taps * tapDepth * elementBytes : 0
  }

  private func biasStart(columns: Int) -> Int { (tapBytes(columns: columns) + 63) & ~63 }

  /// Returns the biases of all columns, each as often as the columns of the tensor repeat.
  func bias(_ source: UnsafeRawPointer?, panelColumns: Int, scratch: UnsafeMutableRawPointer) -> UnsafeRawPointer? {
    let repetitions = layout.weights.repetitions
    guard let source, repetitions > 1 else { return source }
    let bytes = layout.distinctColumns &* Self.biasBytes
    let target = scratch + biasStart(columns: panelColumns)
    for repetition in 0..<repetitions { (target + repetition &* bytes).copyMemory(from: source, byteCount: bytes) }
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
