import SwiftletBase
import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The products of `FloatGemm` with inputs and weights rounded to bfloat16.
final class BFloat16Gemm: Sendable {
  /// The input of the products.
  enum Input: Sendable {
    /// Float32 rows at a constant stride, rounded a few at a time.
    case rows(TensorSlot)
    /// Float32 images. Each tile rounds the lines that its windows read.
    case images(TensorSlot, BFloat16RowBuffer)
    /// Numbers that an earlier stage has rounded, at the positions in the layout.
    case rounded(TensorSlot)
  }

  let layout: GemmLayout
  private let kernels: BFloat16Kernels
  private let input: Input
  /// The tiles for a single thread, which are the largest.
  private let largestTiles: GemmTiling
  private let range: (lower: Float, upper: Float)
  private let zeroRow: AlignedBytes

  init(
    _ context: PrepareContext, _ layout: GemmLayout, _ kernels: BFloat16Kernels, input: Input,
    activation: FusedActivation
  ) {
    self.layout = layout
    self.kernels = kernels
    self.input = input
    context.uses(layout.windows == nil ? "GEMM bfloat16" : "indirect GEMM bfloat16")
    range = activation.floatRange
    largestTiles = Self.tiling(layout, kernels)
    zeroRow = AlignedBytes(zeroed: layout.windows?.readsPadding ?? false ? layout.tapDepth * 2 : 2)
  }

  static func tiling(_ layout: GemmLayout, _ kernels: BFloat16Kernels, threads: Int = 1) -> GemmTiling {
    layout.tiling(
      tileRows: kernels.tileRows, panelColumns: kernels.panelColumns, elementBytes: 2, threads: threads)
  }

  /// Returns the kernels if the options request them, the CPU supports them, and weights and bias are known before the
  /// run; otherwise `nil`.
  static func kernels(_ context: PrepareContext, weights: Int, bias: Int?) -> BFloat16Kernels? {
    guard context.options.precision == .reduced, context.node.isConstant(weights),
      bias.map(context.node.isConstant) ?? true
    else { return nil }
    return context.kernels.bfloat16
  }

  /// Returns whether enough steps along the depth are saved to compensate for the rounding.
  static func pays(_ layout: GemmLayout, _ kernels: BFloat16Kernels) -> Bool {
    4 * kernels.steps(taps: layout.taps, tapDepth: layout.tapDepth) <= 3 * layout.depth
  }

  /// Returns the stages, like `FloatGemm.stages`, for constant weights.
  func stages(
    _ context: PrepareContext, weights: Int, bias: Int?, output: TensorSlot, epilogue: [EpilogueStep]
  ) throws -> GemmStages {
    let packed = try packedWeights(context, weights: weights, bias: bias)
    let epilogue = try FusedEpilogue(context, epilogue)
    let tables = layout.windows?.scratchBytes(rows: largestTiles.rowBlock) ?? 0
    // The rows are kept while the epilogue runs.
    let firstLine = (max(FusedEpilogue.scratchBytes, tables) + 63) / 64 * 64
    switch input {
    case .rows:
      context.requireWorkerScratch(
        bytes: kernels.scratchCount(rows: layout.rows, columns: 1, depth: layout.depth) * 2)
    case .images(_, let lines): context.requireWorkerScratch(bytes: firstLine + lines.byteCount)
    case .rounded: context.requireWorkerScratch(bytes: tables)
    }
    var work = layout.work(
      largestTiles, panelColumns: kernels.panelColumns, product: 0.015, result: 1 + 2 * Double(epilogue.count),
      elementBytes: 4)
    // Every tile rounds its own input.
    switch input {
    case .rows:
      let blocks = (Double(layout.columns) / Double(largestTiles.columnBlock)).rounded(.up)
      work += Double(layout.places.count) * Double(layout.rows) * Double(layout.depth) * blocks * 0.1
    case .images(_, let lines):
      work += Double(max(largestTiles.tileCount, layout.places.count)) * Double(lines.byteCount) * 0.05
    case .rounded: break
    }
    let totalWork = work
    let multiplying = PreparedOperator.Stage { [self] threads in
      let tiling = Self.tiling(layout, kernels, threads: threads)
      var stage = PreparedOperator.Stage(tileCount: tiling.tileCount, work: totalWork) { [self] run, tile in
        let block = tiling.block(tile)
        func forEachPiece(
          of block: GemmTiling.Block,
          _ multiply: (GemmTiling.Block, GemmLayout.Place, UnsafeMutablePointer<Float>) -> Void
        ) {
          layout.forEachPiece(of: block, tileRows: kernels.tileRows, run, output, epilogue, multiply)
        }
        func panels(_ block: GemmTiling.Block, _ place: GemmLayout.Place) -> UnsafeRawPointer {
          packed.panels(run, matrix: place.weights, column: block.columns.lowerBound)
        }
        switch input {
        case .rows(let slot):
          let numbers = run.pointer(slot, as: Float.self)
          forEachPiece(of: block) { multiplyRows($0, $1, run, numbers, panels($0, $1), $2) }
        case .images(let slot, let lines):
          let rounded = (run.workerScratch + firstLine).assumingMemoryBound(to: UInt16.self)
          for matrix in block.matrices {
            var part = block
            part.matrices = matrix..<matrix &+ 1
            let skipped = lines.round(
              block.rows, of: run.pointer(slot, as: Float.self) + layout.places[matrix].input, into: rounded, kernels)
            forEachPiece(of: part) {
              multiplyWindows($0.rows.lowerBound &- skipped, $0, run, rounded, panels($0, $1), $2)
            }
          }
        case .rounded(let slot):
          let numbers = run.pointer(slot, as: UInt16.self)
          forEachPiece(of: block) {
            multiplyWindows($1.firstWindow &+ $0.rows.lowerBound, $0, run, numbers + $1.input, panels($0, $1), $2)
          }
        }
      }
      stage.precision = .reduced
      return stage
    }
    return GemmStages(packing: packed.stages, multiplying: multiplying)
  }

  private func packedWeights(_ context: PrepareContext, weights: Int, bias: Int?) throws -> PackedWeights {
    let kernels = kernels, columns = layout.columns, taps = layout.taps, tapDepth = layout.tapDepth
    return try PackedWeights(
      context, layout, input: weights, bias: bias, elementBytes: 4, panelColumns: kernels.panelColumns,
      panelBytes: kernels.packedCount(columns: kernels.panelColumns, taps: taps, tapDepth: tapDepth) * 4,
      form: PackedLayout("bfloat16 panels", [kernels.panelColumns])
    ) { job in
      let first = job.matrix &* columns &+ job.columns.lowerBound
      kernels.pack(
        columns: job.columns.count, taps: taps, tapDepth: tapDepth,
        weights: job.weights.assumingMemoryBound(to: Float.self),
        columnStride: job.columnStride, tapStride: job.tapStride, depthStride: job.depthStride,
        bias: job.bias.map { $0.assumingMemoryBound(to: Float.self) + first },
        into: job.panels.assumingMemoryBound(to: UInt32.self))
    }
  }

  private func multiplyRows(
    _ block: GemmTiling.Block, _ place: GemmLayout.Place, _ run: RunContext, _ input: UnsafePointer<Float>,
    _ panels: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>
  ) {
    let distance = layout.inputDistance ?? 0
    kernels.multiplyFloatRows(
      rows: block.rows.count, columns: block.columns.count, depth: layout.depth,
      input: input + (place.input &+ block.rows.lowerBound &* distance), inputStride: distance,
      scratch: run.workerScratch.assumingMemoryBound(to: UInt16.self), panels: panels, output: destination,
      outputStride: layout.outputDistance, lower: range.lower, upper: range.upper)
  }

  /// Multiplies the windows of a block.
  ///
  /// - Parameter window: The first row in the indirection buffer.
  private func multiplyWindows(
    _ window: Int, _ block: GemmTiling.Block, _ run: RunContext, _ input: UnsafePointer<UInt16>,
    _ panels: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>
  ) {
    guard let windows = layout.windows else { return }
    kernels.multiplyTaps(
      rows: block.rows.count, columns: block.columns.count, taps: layout.taps, tapDepth: layout.tapDepth, input: input,
      offsets: windows.positions(window..<window &+ block.rows.count, scratch: run.workerScratch),
      zeroRow: UnsafePointer(zeroRow.start.assumingMemoryBound(to: UInt16.self)), panels: panels, output: destination,
      outputStride: layout.outputDistance, lower: range.lower, upper: range.upper)
  }
}

/// The image lines that some windows of a convolution read, rounded to bfloat16 and padded at their ends. Every window
/// row is then one contiguous run, and one tap.
struct BFloat16RowBuffer: Sendable {
  private let geometry: WindowGeometry
  /// The lines of the largest block of windows, as an image without padding.
  private let block: WindowGeometry
  /// The start of a line's own elements, the number of elements that windows read, and the number of zeros after them.
  private let left: Int, kept: Int, right: Int

  /// The maximum size that stays in the core's private cache.
  private static let largest = 1 << 22

  /// Creates the buffer, or returns `nil` if window rows aren't contiguous or lines are very long.
  ///
  /// - Parameters:
  ///   - rowBlock: The maximum number of windows in a block.
  init?(_ geometry: WindowGeometry, groupChannels: Int, rowBlock: Int) {
    guard geometry.width.dilation == 1, groupChannels == geometry.channels, geometry.pixels > 0 else { return nil }
    self.geometry = geometry
    let width = geometry.width.outputSize
    let lines = min(geometry.height.outputSize, (max(1, rowBlock) - 1 + width - 1) / width + 1)
    block = WindowGeometry(
      batch: 1, height: geometry.height.padded(outputs: lines), width: geometry.width.padded(outputs: width),
      channels: geometry.channels)
    let numbers = Shape([block.height.inputSize, block.width.inputSize, geometry.channels])
    guard numbers.elementCount <= Self.largest / 2 else { return nil }
    let pitch = block.width.inputSize * geometry.channels
    left = min(pitch, geometry.width.paddingBefore * geometry.channels)
    kept = min(pitch - left, geometry.width.inputSize * geometry.channels)
    right = pitch - left - kept
  }

  /// The size of the lines of a block in bytes.
  var byteCount: Int { block.imageElementCount * 2 }

  /// Returns the products of `layout`, whose windows have this geometry, with an indirection buffer for the windows of
  /// one block.
  func products(_ context: PrepareContext, _ layout: GemmLayout) -> GemmLayout {
    let rows = WindowRows(block, channels: geometry.channels)
    var layout = layout
    layout.taps = rows.taps
    layout.tapDepth = rows.tapDepth
    layout.windows = rows.table(context)
    layout.inner = nil
    return layout
  }

  /// Rounds the elements that the windows of some output pixels of `image` read.
  ///
  /// - Returns: The pixel of the first window in the indirection buffer.
  func round(
    _ pixels: Range<Int>, of image: UnsafePointer<Float>, into lines: UnsafeMutablePointer<UInt16>,
    _ kernels: BFloat16Kernels
  ) -> Int {
    let width = geometry.width.outputSize, height = geometry.height
    let first = pixels.lowerBound / width, last = (pixels.upperBound &- 1) / width
    let top = height.start(first)
    let count = (last &- first) &* height.stride &+ (height.windowSize &- 1) &* height.dilation &+ 1
    let pitch = left &+ kept &+ right
    for line in 0..<count {
      let target = lines + line &* pitch
      let row = top &+ line
      guard row >= 0, row < height.inputSize else {
        target.update(repeating: 0, count: pitch)
        continue
      }
      target.update(repeating: 0, count: left)
      kernels.round(
        rows: 1, columns: kept, input: image + row &* geometry.width.inputSize &* geometry.channels, inputStride: 0,
        output: target + left, outputStride: 0)
      (target + (left &+ kept)).update(repeating: 0, count: right)
    }
    return first &* width
  }
}

extension WindowAxis {
  /// Returns the windows of the given number of first outputs, over an input that includes their padding.
  fileprivate func padded(outputs: Int) -> WindowAxis {
    WindowAxis(
      inputSize: (outputs - 1) * stride + (windowSize - 1) * dilation + 1, windowSize: windowSize, stride: stride,
      dilation: dilation, paddingBefore: 0, outputSize: outputs)
  }
}
