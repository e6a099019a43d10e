import SwiftletEngine

/// The matrix products that an operator computes, each of input rows and weight columns: their sizes, and the positions
/// of all operands.
///
/// All matrices of an operator (images, groups, batches) have the same size. Distances and positions are in elements.
struct GemmLayout: Sendable {
  /// The positions that one product reads and writes.
  struct Place: Sendable {
    /// The position of the first row in the input.
    var input: Int
    /// The index of the weight matrix.
    var weights: Int
    /// The position of the first element in the output.
    var output: Int
    /// The first row in the indirection buffer.
    var firstWindow = 0
    /// The image or row of the product, if images or rows have their own quantization parameters.
    var slice = 0
  }

  /// The positions of weights, by column, tap, and element of a tap.
  struct Weights: Sendable, Hashable {
    /// The number of weight matrices.
    var count = 1
    var columnStride: Int
    var depthStride = 1
    /// The distance between two weight matrices.
    var matrixStride = 0
    /// The position of every tap from the start of the column, negative for zero taps; `nil` if taps are contiguous.
    var tapPositions: [Int]?
    /// The number of times that the tensor's columns are repeated side by side, each time with other taps.
    /// `tapPositions` contains the taps of one repetition after those of another. Biases and factors are the same for
    /// all repetitions.
    var repetitions = 1
  }

  var rows: Int
  var columns: Int
  var taps = 1
  /// The number of elements in a tap. An output is the sum of `taps × tapDepth` products.
  var tapDepth: Int
  /// The distance between two input rows; `nil` if the positions of rows are in `windows`.
  var inputDistance: Int?
  var windows: IndirectionBuffer?
  /// A second indirection buffer that covers most of the same rows, if it is worthwhile.
  var inner: InteriorWindows?
  /// The distance between two output rows.
  var outputDistance: Int
  var places = [Place(input: 0, weights: 0, output: 0)]
  var weights: Weights

  /// The maximum number of products of one operator, because each takes memory and time.
  private static let maximumPlaces = 1 << 22

  /// Checks the number of products.
  ///
  /// - Throws: An error if an operator has too many products, or if there is no room for their positions.
  static func require(places count: Int, _ context: PrepareContext) throws {
    guard count <= maximumPlaces else {
      throw RuntimeError(
        .limitExceeded, "consists of \(count) matrix products, more than \(maximumPlaces)",
        location: context.node.node.location)
    }
    try context.requireTable(elements: [count], of: Place.self)
  }

  var depth: Int { taps * tapDepth }

  /// The number of columns in the weight tensor.
  var distinctColumns: Int { columns / weights.repetitions }

  /// Returns the values of all columns, given the values of the tensor's columns.
  func repeated<Value>(_ values: [Value]) -> [Value] {
    weights.repetitions == 1 ? values : (0..<weights.repetitions).flatMap { _ in values }
  }

  /// The numbers that packed weights depend on.
  var numbers: [Int] {
    [
      columns, taps, tapDepth, weights.count, weights.columnStride, weights.depthStride, weights.matrixStride,
      weights.repetitions,
    ] + (weights.tapPositions ?? [])
  }

  var multiplyAdds: Int { places.count &* rows &* columns &* depth }

  /// Returns the approximate single-thread time of all products in nanoseconds.
  ///
  /// - Parameters:
  ///   - tiling: The tiles. Positions that are computed in the run are computed per block of columns.
  ///   - panelColumns: The number of columns in a panel, which kernels always compute completely.
  ///   - product: The time per product, if there are many.
  ///   - result: The time per result for the steps after the product.
  ///   - elementBytes: The size of a weight in bytes. Every matrix is read at least once.
  func work(_ tiling: GemmTiling, panelColumns: Int, product: Double, result: Double = 0, elementBytes: Int) -> Double {
    let rows = Double(rows), columns = Double(columns), depth = Double(depth), taps = Double(taps)
    let panels = (columns / Double(panelColumns)).rounded(.up)
    // Kernels look up the position of a tap once per panel.
    var row =
      panels * Double(panelColumns) * depth * product + columns * result + (windows == nil ? 0 : panels * taps * 0.5)
    if let windows, windows.isMadeInRun, inner == nil {
      row += (columns / Double(tiling.columnBlock)).rounded(.up) * taps * 2
    }
    return Double(places.count) * (50 + rows * row + columns * depth * Double(elementBytes) * 0.05)
  }

  /// Returns the tiles.
  ///
  /// - Parameter keepsSums: Whether the sums of a tile are in scratch memory.
  func tiling(
    tileRows: Int, panelColumns: Int, elementBytes: Int, keepsSums: Bool = false, threads: Int
  ) -> GemmTiling {
    // Kernels multiply several panels by a single row at a time, if threads have as many.
    let panels = rows == 1 ? max(1, min(Self.rowPanels, columns / panelColumns / max(1, threads))) : 1
    return GemmTiling(
      matrices: places.count, rows: rows, columns: columns, depth: depth, tileRows: tileRows,
      panelColumns: panels * panelColumns, elementBytes: elementBytes, sharesWeights: weights.count == 1,
      mostResults: keepsSums ? GemmTiling.cachedSums : .max, threads: threads)
  }

  /// The number of panels that kernels multiply by a single row at a time.
  private static let rowPanels = 4
}

extension GemmLayout {
  /// Creates the products of a fully connected layer.
  init(rows: Int, units: Int, depth: Int) {
    self.init(
      rows: rows, columns: units, tapDepth: depth, inputDistance: depth, outputDistance: units,
      weights: Weights(columnStride: depth))
  }

  /// Creates the products of a convolution: one for every image and group.
  ///
  /// - Parameters:
  ///   - mergesImages: Whether rows of several images may be merged in one product if their distances allow it.
  ///   - findsInterior: Whether to find the windows within the image's width, if windows are padded.
  /// - Throws: An error if there are too many products, or if images are too large.
  init(
    _ geometry: WindowGeometry, groupChannels: Int, outputChannels: Int, mergesImages: Bool = true,
    findsInterior: Bool = false, _ context: PrepareContext
  ) throws {
    try geometry.requireTables(context.node)
    let rows = WindowRows(geometry, channels: groupChannels)
    let groups = geometry.channels / groupChannels
    let columns = outputChannels / groups
    let depth = groupChannels * (geometry.filterPart.map { $0.height * $0.width } ?? geometry.taps)
    let inner =
      findsInterior && rows.distance == nil && !geometry.isInside
      ? InteriorWindows(context, geometry, channels: groupChannels, filters: columns) : nil
    // Reduced precision reads all rows from `windows`.
    let storesWindows = inner == nil || context.options.precision == .reduced
    self.init(
      rows: geometry.pixels, columns: columns, taps: rows.taps, tapDepth: rows.tapDepth, inputDistance: rows.distance,
      windows: rows.distance == nil ? rows.table(context, isStored: storesWindows) : nil, inner: inner,
      outputDistance: outputChannels,
      weights: Weights(
        count: groups, columnStride: depth, matrixStride: columns * depth, tapPositions: rows.filterPositions))
    var slices = geometry.batch
    if mergesImages, let distance = rows.distance, geometry.pixels * distance == geometry.imageElementCount {
      // The rows of all images have the same distance.
      self.rows *= slices
      slices = 1
    }
    try Self.require(places: Shape([slices, groups]).elementCount, context)
    places = (0..<slices).flatMap { slice in
      (0..<groups).map { group in
        Place(
          input: slice * geometry.imageElementCount + group * groupChannels, weights: group,
          output: slice * geometry.pixels * outputChannels + group * columns, slice: slice)
      }
    }
  }
}
