import SwiftletEngine

/// A transposed convolution as one product, whose results are added up in the output (col2im).
///
/// The rows of the product are the input pixels, and its columns are all elements of all filters. No element is
/// multiplied by padding, and few output channels still give many columns:
///
///     product                  added up, stride 2, window 3
///     pixel 0 | w0 | w1 | w2   | w0 | w1 | w2 |    |    |
///     pixel 1 | w0 | w1 | w2   |    |    | w0 | w1 | w2 |
///
/// The alternative is `TransposedWindow.layouts`, which adds nothing. `TransposedCost` chooses between them.
///
/// Sums are in groups of output lines. A group is one line, or, for windows that are too narrow for vectors, as many
/// lines as the stride. Its lines alternate pixel by pixel, so that a pixel adds a longer contiguous run.
struct ColumnsToImage: Sendable, Hashable {
  let batch: Int
  /// The axes with only those window elements that reach the output.
  let height: TransposedWindow.Axis
  let width: TransposedWindow.Axis
  let inputChannels: Int
  let outputChannels: Int
  /// The number of output lines in a group: 1 or the stride.
  let groupLines: Int
  private let weights: GemmLayout.Weights

  /// The maximum number of window elements, including the zeros that fill groups.
  private static let maximumElements = 1 << 16
  /// The maximum size of a block of products in bytes, so that it stays in the core's private cache.
  private static let blockBytes = 1 << 18
  /// The maximum size of the sums in progress, in bytes.
  private static let maximumSums = 1 << 22
  /// The number of rows from which products don't become faster.
  private static let manyRows = 96
  /// The number of rows from which weights are read often enough.
  private static let enoughRows = 24

  /// Creates the product, or returns `nil` if the window is dilated, has a depth, or is too large.
  ///
  /// - Parameter isGrouped: Whether groups have as many lines as the stride.
  init?(_ window: TransposedWindow, isGrouped: Bool) {
    let window = window.widened
    guard window.depth.isSingle, window.height.dilation == 1, window.width.dilation == 1 else { return nil }
    let down = window.height.reach, across = window.width.reach
    guard !down.isEmpty, !across.isEmpty else { return nil }
    batch = window.batch
    height = window.height.reaching(down)
    width = window.width.reaching(across)
    inputChannels = window.inputChannels
    outputChannels = window.outputChannels
    groupLines = isGrouped ? height.stride : 1
    // The strides fit 32 bits, and the sizes of the window 31 bits.
    let lines = (down.count + groupLines - 1) / groupLines * groupLines
    let elements = Shape([lines, across.count]).elementCount
    guard elements <= Self.maximumElements, Shape([elements, outputChannels]).elementCount <= Int(Int32.max) else {
      return nil
    }
    // Groups of window lines, and within each the columns, and within each the lines of the group.
    let groupLines = groupLines
    let positions = (0..<lines / groupLines).flatMap { group in
      across.flatMap { column in
        (0..<groupLines).map { line in
          let row = group * groupLines + line
          return row < down.count
            ? ((down.lowerBound + row) * window.width.windowSize + column) * window.elementStride : -1
        }
      }
    }
    weights = .init(columnStride: window.columnStride, tapPositions: positions, repetitions: elements)
    let lineBytes = Shape([lineElements, 4]).elementCount
    guard lineBytes <= Self.maximumSums, capacity(rows: 1) <= Self.maximumSums / lineBytes,
      Shape([runLength, 4 * 6]).elementCount <= Self.maximumSums
    else { return nil }
  }

  // MARK: Sizes

  var inputPixels: Int { batch * height.inputSize * width.inputSize }
  /// The number of groups that the window covers.
  var windowGroups: Int { (height.windowSize + groupLines - 1) / groupLines }
  /// The number of groups between the windows of two input lines.
  var groupStride: Int { height.stride / groupLines }
  /// The number of contiguous sums that a pixel adds to a group.
  var runLength: Int { width.windowSize * groupLines * outputChannels }
  /// The number of columns in the product.
  var columns: Int { windowGroups * runLength }
  /// The number of sums in a group, including those outside the image.
  var lineElements: Int {
    Shape([
      max((width.inputSize - 1) * width.stride + width.windowSize, width.padding + width.outputSize), groupLines,
      outputChannels,
    ]).elementCount
  }
  /// The groups of all output lines. Group 0 begins with the first line of the first window.
  var groups: Range<Int> {
    height.padding / groupLines..<(height.padding + height.outputSize + groupLines - 1) / groupLines
  }
  /// Whether no two windows overlap.
  var isDisjoint: Bool {
    [height, width].allSatisfy { $0.inputSize == 1 || $0.windowSize <= $0.stride }
  }

  /// Whether every output pixel is in a window.
  var coversOutput: Bool {
    [height, width].allSatisfy { axis in
      (axis.inputSize == 1 || axis.windowSize >= axis.stride)
        && axis.padding + axis.outputSize <= (axis.inputSize - 1) * axis.stride + axis.windowSize
    }
  }

  /// The number of groups in progress while `rows` input lines are added.
  private func capacity(rows: Int) -> Int { (rows - 1) * groupStride + windowGroups }

  /// Returns whether the packed weights stay within the limits.
  func fits(_ context: PrepareContext, elementBytes: Int) -> Bool {
    let bytes = Shape([columns + 64, inputChannels + 16, elementBytes]).elementCount
    return bytes <= context.options.limits.arenaBytes
  }

  var layout: GemmLayout {
    GemmLayout(
      rows: inputPixels, columns: columns, tapDepth: inputChannels, inputDistance: inputChannels,
      outputDistance: columns, weights: weights)
  }

  // MARK: Blocks

  /// The division of the work into tiles, and of tiles into blocks. Every output line belongs to one tile.
  struct Tiling: Sendable {
    /// The number of images in a tile. Several are multiplied as a whole.
    var images: Int
    /// The number of groups in a tile.
    var groups: Int
    /// The number of input lines in a block.
    var rows: Int
    /// The number of pixels of an input line in a block, and the number of window groups.
    var pixels: Int
    var windowGroups: Int
    /// The number of tiles along the images and along the groups.
    var imageTiles: Int
    var groupTiles: Int

    var tileCount: Int { imageTiles * groupTiles }
    /// The maximum number of rows in a product.
    func productRows(_ image: ColumnsToImage) -> Int { images * rows * pixels }
  }

  /// Returns the tiles.
  ///
  /// - Parameter work: The approximate work in nanoseconds, which limits the time between two checks of the deadline.
  func tiling(threads: Int, work: Double) -> Tiling {
    let all = groups.count, lineBytes = width.inputSize * runLength * 4
    let isFlat = height.inputSize == 1
    var tiling = Tiling(
      images: 1, groups: all, rows: 1, pixels: width.inputSize, windowGroups: windowGroups, imageTiles: 1,
      groupTiles: 1)
    func fitting(_ bytes: Int, _ most: Int) -> Int { max(1, min(Self.blockBytes / max(1, bytes), most)) }
    // Sums of lines in progress stay in the cache of the core too.
    let most = min(height.inputSize, 1 + max(0, Self.maximumSums / (lineElements * 4) - windowGroups) / groupStride)
    if isFlat {
      // Tiles of a few groups need no other products than their own, so all images share the weights.
      tiling.images = fitting(lineBytes / 4, min(batch, max(1, Self.manyRows / width.inputSize)))
      tiling.groups = fitting(tiling.images * lineBytes, all)
    } else {
      tiling.rows = fitting(lineBytes * windowGroups, most)
      if tiling.rows == height.inputSize {
        tiling.images = fitting(lineBytes * windowGroups * height.inputSize, batch)
      }
    }
    if tiling.images == 1 && tiling.rows == 1 {
      tiling.windowGroups = fitting(lineBytes, windowGroups)
      if tiling.windowGroups == 1 {
        tiling.pixels = min(width.inputSize, max(6, fitting(runLength * 4, width.inputSize)))
      }
    }
    // Images first, because they share nothing but weights.
    let wanted = threads == 1 ? 1 : 3 * threads
    let deadlineTiles = Int(min(work / PreparedOperator.Stage.maximumNanoseconds, 1e9)) + 1
    if !isFlat { tiling.images = max(1, min(tiling.images, batch / wanted)) }
    tiling.imageTiles = (batch + tiling.images - 1) / tiling.images
    let tiles = (max(wanted, deadlineTiles) + tiling.imageTiles - 1) / tiling.imageTiles
    let parts = max((all + tiling.groups - 1) / tiling.groups, tiles)
    // Lines of a block that belong to two tiles are multiplied twice.
    let least = isFlat ? 1 : max(1, min(all, 2 * groupStride))
    tiling.groups = max(least, (all + parts - 1) / parts)
    tiling.groupTiles = (all + tiling.groups - 1) / tiling.groups
    if tiling.groupTiles > 1, tiling.images == 1, !isFlat {
      let own = (tiling.groups + groupStride - 1) / groupStride
      let enough = (Self.enoughRows + width.inputSize - 1) / width.inputSize
      tiling.rows = min(tiling.rows, max(own / 2, enough))
    }
    return tiling
  }

  /// The positions of intermediate results in worker scratch memory, after those of the product.
  struct Scratch: Sendable {
    let products: Int
    let sums: Int
    /// The start of the sums of a group, if there is a bias.
    let start: Int
    /// The products of padding, for every image of a block.
    let padding: Int
    /// The output lines of a group, twice.
    let lines: Int
    let byteCount: Int
    /// The number of groups in `sums`.
    let capacity: Int

    fileprivate init(
      _ image: ColumnsToImage, _ tilings: [Tiling], panelColumns: Int, from first: Int, hasPadding: Bool
    ) {
      func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }
      func most(_ value: (Tiling) -> Int) -> Int { tilings.map(value).max() ?? 0 }
      func productColumns(_ tiling: Tiling) -> Int {
        let groups = min(tiling.windowGroups, tiling.groups + (tiling.rows - 1) * image.groupStride)
        return min(image.columns, groups * image.runLength + panelColumns)
      }
      products = aligned(first)
      sums = products + aligned(most { $0.productRows(image) * productColumns($0) } * 4)
      capacity = most { min($0.groups, image.capacity(rows: $0.rows)) }
      let groupBytes = aligned(image.lineElements * 4)
      start = sums + capacity * groupBytes
      padding = start + groupBytes
      lines = padding + (hasPadding ? aligned(most { productColumns($0) * $0.images } * 4) : 0)
      byteCount = lines + 2 * aligned(image.groupLines * image.width.outputSize * image.outputChannels * 4)
    }
  }

  /// Returns the scratch memory for any number of threads.
  func scratch(threads: Int, work: Double, panelColumns: Int, from first: Int, hasPadding: Bool) -> Scratch {
    Scratch(
      self, (1...max(2, threads)).map { tiling(threads: $0, work: work) }, panelColumns: panelColumns, from: first,
      hasPadding: hasPadding)
  }
}
