import SwiftletEngine
import SwiftletBase
import SwiftletKernels
import SwiftletSchema

/// A 3×3 convolution of stride 1 with minimal filtering. Tiles of 4×4 outputs are transformed, multiplied frequency by
/// frequency, and transformed back, which takes a quarter of the multiplications.
///
/// All three steps process a few tiles at a time, which stay in the core's private cache. Results differ from ordered
/// sums by a few units in the sixth digit, so bit-exact numerics doesn't use this algorithm.
///
/// - Source: see `WinogradKernels`.
final class WinogradConvolution: Sendable {
  private let geometry: WindowGeometry
  private let filters: Int
  private let gemm: GemmKernels
  private let winograd: WinogradKernels
  private let range: (lower: Float, upper: Float)
  private let tileRows: Int
  private let tileColumns: Int
  /// The number of tiles that are processed together.
  private let blockTiles: Int

  private static let side = WinogradKernels.tileOutputs
  private static let inputs = WinogradKernels.tileInputs
  private static let frequencies = WinogradKernels.frequencies
  /// The approximate scratch memory of one thread: half of the core's private cache.
  private static let blockBytes = 1 << 19
  /// The maximum size of packed filters, which take four times the memory of the weights. Above it, the algorithm isn't
  /// worthwhile.
  private static let maximumFilterBytes = 5 << 19
  private static let fewestChannels = 12

  /// Creates the convolution, or returns `nil` if it doesn't apply or if ordered sums are as fast.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, filters: Int, activation: FusedActivation) throws {
    let node = context.node
    let axes = [geometry.height, geometry.width]
    guard context.options.numerics == .fast,
      axes.allSatisfy({ $0.windowSize == 3 && $0.stride == 1 && $0.dilation == 1 }),
      try node.input(1).shape[3] == geometry.channels, node.isConstant(1),
      geometry.channels >= Self.fewestChannels, filters >= Self.fewestChannels
    else { return nil }
    self.geometry = geometry
    self.filters = filters
    gemm = context.kernels.gemm
    winograd = context.kernels.winograd
    range = activation.floatRange
    tileRows = (geometry.height.outputSize + Self.side - 1) / Self.side
    tileColumns = (geometry.width.outputSize + Self.side - 1) / Self.side
    let tileBytes = Self.frequencies * (geometry.channels + filters) * 4
    let whole = Self.blockBytes / tileBytes / gemm.tileRows * gemm.tileRows
    blockTiles = max(gemm.tileRows, min(whole, 16 * gemm.tileRows))
    guard pays else { return nil }
    // The limits of the direct product apply too.
    try geometry.requireTables(node)
    try GemmLayout.require(places: geometry.batch, context)
    context.uses("Winograd 4×4 float32")
  }

  /// Returns whether the algorithm applies to convolutions without stride and dilation that have this filter.
  static func takes(filter: TensorSpec) -> Bool {
    filter.elementType == .float32 && filter.shape.rank == 4 && filter.shape[1] == 3 && filter.shape[2] == 3
      && min(filter.shape[0], filter.shape[3]) >= fewestChannels
  }

  /// Whether this is faster than ordered sums, in multiply-adds of one lane. A load or store of the transforms counts
  /// as one multiply-add.
  private var pays: Bool {
    guard let minimal = products else { return false }
    let ordered =
      Double(geometry.batch) * Double(geometry.pixels) * 9 * Double(geometry.channels) * Double(filters)
    return minimal * 1.1 < ordered
  }

  /// The equivalent number of multiply-adds of one lane for all work; `nil` if the filters are too large.
  private var products: Double? {
    let channels = Double(geometry.channels), filters = Double(filters)
    let filterBytes = gemm.packedCount(columns: self.filters, depth: geometry.channels).multipliedReportingOverflow(
      by: 4 * Self.frequencies)
    guard !filterBytes.overflow, filterBytes.partialValue <= Self.maximumFilterBytes else { return nil }
    let tiles = Double(geometry.batch) * Double(tileRows) * Double(tileColumns)
    // Products with fewer rows than a kernel tile take as long as a whole tile.
    let rows = max(tiles, Double(gemm.tileRows))
    let transforms = tiles * (260 * channels + 180 * filters)
    return rows * Double(Self.frequencies) * channels * filters + transforms
  }

  /// Returns the stages.
  ///
  /// - Parameter epilogue: The steps to apply to the results while they are in the cache.
  func stages(_ context: PrepareContext, epilogue: [EpilogueStep]) throws -> [PreparedOperator.Stage] {
    let channels = geometry.channels, filters = filters
    let planes = try packedFilters(context)
    let planeBytes = gemm.packedCount(columns: filters, depth: channels) * 4
    let input = try context.inputSlot(0), output = try context.outputSlot(0)
    let bias = context.optionalInputSlot(2)
    let epilogue = try FusedEpilogue(context, epilogue)
    // The epilogue uses the start of the scratch memory after a block is finished.
    let (spectrum, product) = (blockTiles * channels, blockTiles * filters)
    context.requireWorkerScratch(
      bytes: WinogradKernels.scratchBytes
        + (Self.inputs * Self.inputs * channels + Self.frequencies * (spectrum + product)) * 4)
    let tileCount = geometry.batch * tileRows * tileColumns
    let blocks = (tileCount + blockTiles - 1) / blockTiles
    let even = (tileCount + blocks - 1) / blocks
    return [
      PreparedOperator.Stage(tileCount: blocks, work: 0.03 * (products ?? 0) * (1 + 0.1 * Double(epilogue.count))) {
        [self] run, block in
        let tiles = min(tileCount, block &* even)..<min(tileCount, (block &+ 1) &* even)
        let scratch = run.workerScratch
        let patch = (scratch + WinogradKernels.scratchBytes).assumingMemoryBound(to: Float.self)
        let frequencies = patch + Self.inputs * Self.inputs * channels
        let products = frequencies + Self.frequencies * spectrum
        let source = UnsafePointer(run.pointer(input, as: Float.self))
        for (position, tile) in tiles.enumerated() {
          transform(
            tile, of: source, patch: patch, scratch: scratch, into: frequencies + position &* channels,
            planeStride: spectrum)
        }
        for frequency in 0..<Self.frequencies {
          gemm.multiplyRows(
            rows: tiles.count, columns: filters, depth: channels, input: frequencies + frequency &* spectrum,
            inputStride: channels,
            panels: UnsafePointer((planes.start + frequency &* planeBytes).assumingMemoryBound(to: Float.self)),
            output: products + frequency &* product, outputStride: filters, lower: -.infinity, upper: .infinity)
        }
        let results = run.pointer(output, as: Float.self)
        let offsets = bias.map { UnsafePointer(run.pointer($0, as: Float.self)) }
        for (position, tile) in tiles.enumerated() {
          let place = self.place(tile)
          winograd.transformOutput(
            channels: filters, input: products + position &* filters, planeStride: product, bias: offsets,
            lower: range.lower, upper: range.upper, scratch: scratch, output: results + place.output,
            rowStride: geometry.width.outputSize &* filters, pixelStride: filters, rows: place.rows,
            columns: place.columns)
        }
        guard !epilogue.isEmpty else { return }
        for tile in tiles {
          let place = self.place(tile)
          for row in 0..<place.rows {
            epilogue.apply(
              run, results, first: place.output &+ row &* geometry.width.outputSize &* filters, rows: place.columns,
              columns: filters, distance: filters)
          }
        }
      }
    ]
  }

  /// Returns the position of a tile.
  private func place(_ tile: Int) -> (image: Int, row: Int, column: Int, output: Int, rows: Int, columns: Int) {
    let (image, inImage) = tile.quotientAndRemainder(dividingBy: tileRows &* tileColumns)
    let (tileRow, tileColumn) = inImage.quotientAndRemainder(dividingBy: tileColumns)
    let row = tileRow &* Self.side, column = tileColumn &* Self.side
    let height = geometry.height.outputSize, width = geometry.width.outputSize
    return (
      image, row, column, ((image &* height &+ row) &* width &+ column) &* filters, min(Self.side, height &- row),
      min(Self.side, width &- column)
    )
  }

  /// Computes one tile's frequencies. Elements outside the image are zero.
  private func transform(
    _ tile: Int, of source: UnsafePointer<Float>, patch: UnsafeMutablePointer<Float>,
    scratch: UnsafeMutableRawPointer, into frequencies: UnsafeMutablePointer<Float>, planeStride: Int
  ) {
    let channels = geometry.channels, height = geometry.height.inputSize, width = geometry.width.inputSize
    let place = self.place(tile)
    let top = geometry.height.start(place.row), left = geometry.width.start(place.column)
    let image = source + place.image &* height &* width &* channels
    if top >= 0, left >= 0, top &+ Self.inputs <= height, left &+ Self.inputs <= width {
      return winograd.transformInput(
        channels: channels, input: image + (top &* width &+ left) &* channels, rowStride: width &* channels,
        pixelStride: channels, scratch: scratch, output: frequencies, planeStride: planeStride)
    }
    let columns = max(0, left)..<max(0, left, min(width, left &+ Self.inputs))
    patch.update(repeating: 0, count: Self.inputs * Self.inputs * channels)
    for row in max(0, top)..<max(0, top, min(height, top &+ Self.inputs)) {
      let source: Int = row &* width &+ columns.lowerBound
      let target: Int = (row &- top) &* Self.inputs &+ columns.lowerBound &- left
      (patch + target &* channels).update(from: image + source &* channels, count: columns.count &* channels)
    }
    winograd.transformInput(
      channels: channels, input: UnsafePointer(patch), rowStride: Self.inputs * channels, pixelStride: channels,
      scratch: scratch, output: frequencies, planeStride: planeStride)
  }

  /// Returns the frequencies of the filters, one packed matrix per frequency.
  private func packedFilters(_ context: PrepareContext) throws -> AlignedBytes {
    let gemm = gemm, filters = filters, channels = geometry.channels
    let planeBytes = gemm.packedCount(columns: filters, depth: channels) * 4
    return try context.packed(
      inputs: [1], layout: PackedLayout("float32 Winograd", [gemm.panelColumns, filters, channels]),
      byteCount: Self.frequencies * planeBytes, items: Self.frequencies
    ) { sources, packed, items in
      guard let weights = sources[0].baseAddress?.assumingMemoryBound(to: Float.self) else { return }
      let plane = try AlignedBytes.available(filters * channels * 4, for: "intermediate results")
      let target = plane.start.assumingMemoryBound(to: Float.self)
      for frequency in items {
        let factors = WinogradKernels.filterFactors(frequency: frequency)
        for filter in 0..<filters {
          let line = target + filter * channels
          line.update(repeating: 0, count: channels)
          for (tap, factor) in factors.enumerated() where factor != 0 {
            let source = weights + (filter * 9 + tap) * channels
            for channel in 0..<channels { line[channel] += factor * source[channel] }
          }
        }
        gemm.pack(
          columns: filters, depth: channels, weights: UnsafePointer(target), columnStride: channels, depthStride: 1,
          bias: nil, into: (packed.start + frequency * planeBytes).assumingMemoryBound(to: Float.self))
      }
    }
  }
}
