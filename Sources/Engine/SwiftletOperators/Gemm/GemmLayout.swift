import SwiftletEngine

/// The products of rows of an input with columns of weights that an operator computes: sizes, and where everything
/// lies.
///
/// All matrices of an operator (images, groups, batches) have the same size. Distances and positions count elements.
struct GemmLayout: Sendable {
  /// Where one product reads and writes.
  struct Place: Sendable {
    /// Position of the first row in the input.
    var input: Int
    /// Which of the weight matrices it is multiplied with.
    var weights: Int
    /// Position of the first element in the output.
    var output: Int
    /// The first row in the table of windows.
    var firstWindow = 0
    /// The image or row that it belongs to, where images or rows have parameters of their own.
    var slice = 0
  }

  /// Where the weight of a column, a tap and an element of the tap lies.
  struct Weights: Sendable, Hashable {
    /// Weight matrices.
    var count = 1
    var columnStride: Int
    var depthStride = 1
    /// From one weight matrix to the next.
    var matrixStride = 0
    /// Position of every tap, from the start of the column; negative for taps of zeros. `nil` if taps follow each
    /// other.
    var tapPositions: [Int]?
    /// The number of times that the columns of the tensor stand side by side, each time with taps of its own:
    /// `tapPositions` has those of one time behind those of another. Biases and factors are the same every time.
    var repetitions = 1
  }

  var rows: Int
  var columns: Int
  var taps = 1
  /// Elements of a tap; `taps × tapDepth` products make one output.
  var tapDepth: Int
  /// From one row of the input to the next; `nil` if `windows` tells where rows are.
  var inputDistance: Int?
  var windows: IndirectionBuffer?
  /// Another table for most of the same rows, where it is worth one.
  var inner: InteriorWindows?
  /// From one row of the output to the next.
  var outputDistance: Int
  var places = [Place(input: 0, weights: 0, output: 0)]
  var weights: Weights

  /// Products of one operator: each takes some memory and time of its own.
  private static let maximumPlaces = 1 << 22

  /// - Throws: An error if an operator would consist of too many products, or there is no room for what says where they are.
  static func require(places count: Int, _ context: PrepareContext) throws {
    guard count <= maximumPlaces else {
      throw RuntimeError(
        .limitExceeded, "consists of \(count) matrix products, more than \(maximumPlaces)",
        location: context.node.node.location)
    }
    try context.requireTable(elements: [count], of: Place.self)
  }

  var depth: Int { taps * tapDepth }

  /// Columns of the weights' tensor.
  var distinctColumns: Int { columns / weights.repetitions }

  /// What belongs to the columns of the tensor, for all columns.
  func repeated<Value>(_ values: [Value]) -> [Value] {
    weights.repetitions == 1 ? values : (0..<weights.repetitions).flatMap { _ in values }
  }

  /// What packed weights depend on.
  var numbers: [Int] {
    [
      columns, taps, tapDepth, weights.count, weights.columnStride, weights.depthStride, weights.matrixStride,
      weights.repetitions,
    ] + (weights.tapPositions ?? [])
  }

  var multiplyAdds: Int { places.count &* rows &* columns &* depth }

  /// What all products take of one thread, in nanoseconds, roughly.
  ///
  /// - Parameters:
  ///   - tiling: How they are cut; positions that the run makes are made for every block of columns.
  ///   - panelColumns: Kernels always compute so many columns.
  ///   - product: The share of one product, where there are many.
  ///   - result: What is done with every result afterwards.
  ///   - elementBytes: Size of a weight, of which every matrix is read once at least.
  func work(_ tiling: GemmTiling, panelColumns: Int, product: Double, result: Double = 0, elementBytes: Int) -> Double {
    let rows = Double(rows), columns = Double(columns), depth = Double(depth), taps = Double(taps)
    let panels = (columns / Double(panelColumns)).rounded(.up)
    // Kernels look up where a tap is once for a panel.
    var row =
      panels * Double(panelColumns) * depth * product + columns * result + (windows == nil ? 0 : panels * taps * 0.5)
    if let windows, windows.isMadeInRun { row += (columns / Double(tiling.columnBlock)).rounded(.up) * taps * 2 }
    return Double(places.count) * (50 + rows * row + columns * depth * Double(elementBytes) * 0.05)
  }

  func tiling(tileRows: Int, panelColumns: Int, elementBytes: Int, threads: Int) -> GemmTiling {
    GemmTiling(
      matrices: places.count, rows: rows, columns: columns, depth: depth, tileRows: tileRows,
      panelColumns: panelColumns,
      elementBytes: elementBytes, threads: threads)
  }
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
  /// - Parameter mergesImages: Whether rows of several images may become one product where their distances allow
  ///   it.
  /// - Throws: An error if there are too many of them, or images are too large.
  init(
    _ geometry: WindowGeometry, groupChannels: Int, outputChannels: Int, mergesImages: Bool = true,
    _ context: PrepareContext
  ) throws {
    try geometry.requireTables(context.node)
    let rows = WindowRows(geometry, channels: groupChannels)
    let groups = geometry.channels / groupChannels
    let columns = outputChannels / groups
    let depth = rows.taps * rows.tapDepth
    self.init(
      rows: geometry.pixels, columns: columns, taps: rows.taps, tapDepth: rows.tapDepth, inputDistance: rows.distance,
      windows: rows.distance == nil ? rows.table(context) : nil, outputDistance: outputChannels,
      weights: Weights(count: groups, columnStride: depth, matrixStride: columns * depth))
    var slices = geometry.batch
    if mergesImages, let distance = rows.distance, geometry.pixels * distance == geometry.imageElementCount {
      // Rows of all images follow each other at the same distance.
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
