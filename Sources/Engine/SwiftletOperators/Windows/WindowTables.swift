import SwiftletBase
import SwiftletEngine

/// The positions in the input of the taps of rows. The rows form a matrix that a convolution multiplies by its weights,
/// without copying them.
///
/// A position is in elements from the start of an image (and group). A negative position represents padding.
struct IndirectionBuffer: Sendable {
  typealias Fill = @Sendable (_ first: Int, _ end: Int, UnsafeMutablePointer<Int32>) -> Void

  /// The number of taps per row.
  let taps: Int
  /// Whether there may be negative positions, so that a zero row is needed.
  let readsPadding: Bool
  private let fill: Fill
  private let entries: AlignedBytes?
  /// Whether the taps have the same distances in every row, and there is no padding. Kernels then locate only rows.
  let hasFixedTaps: Bool

  /// The maximum number of stored entries. Larger buffers are computed piece by piece in the run.
  private static let longest = 1 << 24

  /// Creates the buffer.
  ///
  /// - Parameters:
  ///   - context: Provides the limit for stored buffers; without a context, the buffer is stored.
  ///   - isStored: Whether the buffer may be stored. If few rows are read, computing their positions in the run takes less
  ///     time and memory.
  ///   - fill: Writes the positions of the rows from `first` to before `end`.
  init(
    _ context: PrepareContext?, rows: Int, taps: Int, readsPadding: Bool, isStored: Bool = true, fill: @escaping Fill
  ) {
    self.taps = taps
    self.readsPadding = readsPadding
    self.fill = fill
    let (count, overflow) = rows.multipliedReportingOverflow(by: taps)
    guard isStored, !overflow, count <= Self.longest,
      context?.takesTable(bytes: count * MemoryLayout<Int32>.size) ?? true
    else {
      entries = nil
      hasFixedTaps = false
      return
    }
    let bytes = AlignedBytes(zeroed: count * MemoryLayout<Int32>.size)
    let positions = bytes.start.assumingMemoryBound(to: Int32.self)
    fill(0, rows, positions)
    entries = bytes
    hasFixedTaps = Self.hasFixedTaps(UnsafeBufferPointer(start: positions, count: count), taps: taps)
  }

  private static func hasFixedTaps(_ positions: UnsafeBufferPointer<Int32>, taps: Int) -> Bool {
    var row = 0
    while row < positions.count {
      for tap in 0..<taps
      where positions[row &+ tap] < 0 || positions[row &+ tap] &- positions[row] != positions[tap] &- positions[0] {
        return false
      }
      row += taps
    }
    return true
  }

  /// Whether the positions are computed in the run, piece by piece.
  var isMadeInRun: Bool { entries == nil }

  /// Returns the size of the worker scratch memory that `positions(_:scratch:)` needs for ranges of `rows` rows, in
  /// bytes.
  func scratchBytes(rows: Int) -> Int { entries == nil ? rows * taps * MemoryLayout<Int32>.size : 0 }

  /// Returns the positions of the taps of some rows.
  func positions(_ rows: Range<Int>, scratch: UnsafeMutableRawPointer) -> UnsafePointer<Int32> {
    if let entries {
      return UnsafePointer(entries.start.assumingMemoryBound(to: Int32.self) + rows.lowerBound * taps)
    }
    let positions = scratch.assumingMemoryBound(to: Int32.self)
    fill(rows.lowerBound, rows.upperBound, positions)
    return UnsafePointer(positions)
  }
}

/// The taps of a convolution window, each a run of `tapDepth` contiguous elements.
///
/// Window elements that are adjacent in memory for every output pixel are merged into one tap.
struct WindowRows {
  let taps: Int
  let tapDepth: Int
  /// The number of elements between two rows if rows have one tap and are evenly spaced, so that no buffer is needed;
  /// otherwise `nil`.
  let distance: Int?
  private let geometry: WindowGeometry
  private let channels: Int
  private let mergesColumns: Bool

  /// Creates the rows.
  ///
  /// - Parameters:
  ///   - channels: The number of input channels per output channel, fewer than all in grouped convolutions.
  ///   - isMerging: Whether to merge window elements. If false, every window element is a separate tap.
  init(_ geometry: WindowGeometry, channels: Int, isMerging: Bool = true) {
    self.geometry = geometry
    self.channels = channels
    let height = geometry.height, width = geometry.width
    mergesColumns = isMerging && width.isInside && width.dilation == 1 && channels == geometry.channels
    let rowElements = width.inputSize * geometry.channels
    let areWholeRows = geometry.filterPart.map { $0.columns.count == $0.width } ?? true
    let mergesRows =
      mergesColumns && height.isInside && height.dilation == 1
      && (height.windowSize == 1 || (width.windowSize == width.inputSize && areWholeRows))
    let runs = mergesColumns ? 1 : width.windowSize
    let runDepth = mergesColumns ? width.windowSize * channels : channels
    taps = mergesRows ? 1 : height.windowSize * runs
    tapDepth = mergesRows ? height.windowSize * runDepth : runDepth

    let isSingle = isMerging && geometry.isInside && height.windowSize * width.windowSize == 1
    guard mergesRows || isSingle else {
      distance = nil
      return
    }
    let across = width.stride * geometry.channels
    let down = height.stride * rowElements
    if width.outputSize <= 1 {
      distance = down
    } else if geometry.columnPhases > 1 {
      distance = nil
    } else {
      distance = height.outputSize <= 1 || down == width.outputSize * across ? across : nil
    }
  }

  /// The position in the filter of every tap, or `nil` if the window covers the whole filter.
  var filterPositions: [Int]? {
    guard let part = geometry.filterPart else { return nil }
    let columns = mergesColumns ? 1 : geometry.width.windowSize
    return (0..<taps).map { tap in
      let (row, column) = tap.quotientAndRemainder(dividingBy: columns)
      return ((part.rows.lowerBound + row) * part.width + part.columns.lowerBound + column) * channels
    }
  }

  /// Returns the positions of all taps of all output pixels.
  ///
  /// The parameters are those of `IndirectionBuffer`.
  func table(_ context: PrepareContext? = nil, isStored: Bool = true) -> IndirectionBuffer {
    let geometry = geometry, height = geometry.height, width = geometry.width, channels = geometry.channels
    let columns = mergesColumns ? 1 : width.windowSize
    let lines = taps / columns
    return IndirectionBuffer(
      context, rows: geometry.pixels, taps: taps, readsPadding: !geometry.isInside, isStored: isStored
    ) {
      first, end, positions in
      guard first < end else { return }
      var next = positions
      var (outputRow, outputColumn) = first.quotientAndRemainder(dividingBy: width.outputSize)
      for _ in first..<end {
        let top = height.start(outputRow), left = width.start(outputColumn)
        for line in 0..<lines {
          let row = top &+ line &* height.dilation
          let isRowInside = row >= 0 && row < height.inputSize
          let start = row &* width.inputSize
          for column in 0..<columns {
            let x = left &+ column &* width.dilation
            let isInside = isRowInside && x >= 0 && x < width.inputSize
            let place = geometry.columnPhases == 1 || !isInside ? x : geometry.position(ofColumn: x)
            next.pointee = isInside ? Int32(truncatingIfNeeded: (start &+ place) &* channels) : -1
            next += 1
          }
        }
        outputColumn &+= 1
        if outputColumn == width.outputSize {
          outputColumn = 0
          outputRow &+= 1
        }
      }
    }
  }
}

/// The output pixels of a padded convolution whose windows are within the image's width, with a window row as one tap.
///
/// Images with few channels have short taps, which take longer to locate than to multiply. The remaining pixels at the
/// ends of rows are located tap by tap. Both use the same packed weights.
struct InteriorWindows: Sendable {
  /// The range of output columns.
  let columns: Range<Int>
  let outputWidth: Int
  /// The positions of the taps of only these pixels, row by row.
  let table: IndirectionBuffer
  let tapDepth: Int

  /// Returns the number and size of the taps of pixels within the width, whether or not there are enough such pixels.
  ///
  /// - Parameter areDots: Whether products are dot products, for which the ends of taps don't fill vectors. Merging saves
  ///   little for larger taps than the limits.
  static func taps(_ geometry: WindowGeometry, channels: Int, areDots: Bool) -> (count: Int, depth: Int) {
    let width = geometry.width
    guard channels == geometry.channels, channels <= (areDots ? 64 : 16), width.dilation == 1 else {
      return (geometry.taps, channels)
    }
    return (geometry.height.windowSize, width.windowSize * channels)
  }

  /// Creates the windows, or returns `nil` if taps can't be merged or if it isn't worthwhile.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, channels: Int, filters: Int) {
    let height = geometry.height, width = geometry.width
    let dots = Self.taps(geometry, channels: channels, areDots: true)
    let areDots =
      context.options.numerics == .fast
      && context.kernels.gemm.prefersDots(
        columns: filters, taps: dots.count, tapDepth: dots.depth)
    tapDepth = Self.taps(geometry, channels: channels, areDots: areDots).depth
    guard tapDepth > channels else { return nil }
    let first = (width.paddingBefore + width.stride - 1) / width.stride
    let room = width.inputSize - width.windowSize + width.paddingBefore
    let end = room < 0 ? 0 : min(width.outputSize, room / width.stride + 1)
    guard end - first >= 16 else { return nil }
    columns = first..<end
    outputWidth = width.outputSize
    let count = end - first
    table = IndirectionBuffer(
      context, rows: height.outputSize * count, taps: height.windowSize, readsPadding: !height.isInside
    ) {
      from, to, positions in
      var next = positions
      for pixel in from..<to {
        let top = height.start(pixel / count), left = width.start(first &+ pixel % count)
        for line in 0..<height.windowSize {
          let row = top &+ line &* height.dilation
          let isInside = row >= 0 && row < height.inputSize
          next.pointee = isInside ? Int32(truncatingIfNeeded: (row &* width.inputSize &+ left) &* channels) : -1
          next += 1
        }
      }
    }
  }

  /// Calls `body` with the parts of a range of pixels, and, for pixels within the width, the rows of `table`.
  func forEachPart(of pixels: Range<Int>, _ body: (_ part: Range<Int>, _ inner: Range<Int>?) -> Void) {
    var pixel = pixels.lowerBound
    while pixel < pixels.upperBound {
      let (row, column) = pixel.quotientAndRemainder(dividingBy: outputWidth)
      if columns.contains(column) {
        let end = min(pixels.upperBound, row &* outputWidth &+ columns.upperBound)
        let first = row &* columns.count &+ (column &- columns.lowerBound)
        body(pixel..<end, first..<first &+ (end &- pixel))
        pixel = end
      } else {
        // The end of one row and the start of the next.
        let next = column < columns.lowerBound ? row : row &+ 1
        let end = min(pixels.upperBound, next &* outputWidth &+ columns.lowerBound)
        body(pixel..<end, nil)
        pixel = end
      }
    }
  }
}
