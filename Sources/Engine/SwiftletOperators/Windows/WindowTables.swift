import SwiftletBase
import SwiftletEngine

/// Where the taps of rows lie in the input: the rows of a matrix that a convolution multiplies with its weights,
/// without copying them.
///
/// A position counts elements from the start of an image (and group); a negative one stands for padding.
struct IndirectionBuffer: Sendable {
  typealias Fill = @Sendable (_ first: Int, _ end: Int, UnsafeMutablePointer<Int32>) -> Void

  /// Taps of a row.
  let taps: Int
  /// Whether there may be negative positions, so that a row of zeros is needed.
  let readsPadding: Bool
  private let fill: Fill
  private let entries: AlignedBytes?

  /// Tables up to this many entries are made once, larger ones piece by piece in the run.
  private static let longest = 1 << 24

  /// - Parameters:
  ///   - context: Says whether there is room to keep the table; without one there is.
  ///   - fill: Writes the positions of the rows from `first` to before `end`.
  init(_ context: PrepareContext?, rows: Int, taps: Int, readsPadding: Bool, fill: @escaping Fill) {
    self.taps = taps
    self.readsPadding = readsPadding
    self.fill = fill
    let (count, overflow) = rows.multipliedReportingOverflow(by: taps)
    guard !overflow, count <= Self.longest,
      context?.takesTable(bytes: count * MemoryLayout<Int32>.size) ?? true
    else {
      entries = nil
      return
    }
    let bytes = AlignedBytes(zeroed: count * MemoryLayout<Int32>.size)
    fill(0, rows, bytes.start.assumingMemoryBound(to: Int32.self))
    entries = bytes
  }

  /// Whether the run makes the positions, piece by piece.
  var isMadeInRun: Bool { entries == nil }

  /// Worker scratch that `positions(_:scratch:)` needs for ranges of `rows` rows, in bytes.
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

/// How the window of a convolution becomes a row of taps, each a run of `tapDepth` contiguous elements.
///
/// Window elements that are neighbors in memory for every output pixel become one tap.
struct WindowRows {
  let taps: Int
  let tapDepth: Int
  /// Elements from one row to the next when rows have one tap and equal distances: then no table is needed.
  let distance: Int?
  private let geometry: WindowGeometry
  private let mergesColumns: Bool

  /// - Parameters:
  ///   - channels: Channels of the input that one output channel sees, fewer than all in grouped convolutions.
  ///   - isMerging: False keeps every window element a tap of its own.
  init(_ geometry: WindowGeometry, channels: Int, isMerging: Bool = true) {
    self.geometry = geometry
    let height = geometry.height, width = geometry.width
    mergesColumns = isMerging && width.isInside && width.dilation == 1 && channels == geometry.channels
    let rowElements = width.inputSize * geometry.channels
    let mergesRows =
      mergesColumns && height.isInside && height.dilation == 1
      && (height.windowSize == 1 || width.windowSize == width.inputSize)
    let runs = mergesColumns ? 1 : width.windowSize
    let runDepth = mergesColumns ? width.windowSize * channels : channels
    taps = mergesRows ? 1 : height.windowSize * runs
    tapDepth = mergesRows ? height.windowSize * runDepth : runDepth

    let isSingle = isMerging && height.isInside && width.isInside && height.windowSize * width.windowSize == 1
    guard mergesRows || isSingle else {
      distance = nil
      return
    }
    let across = width.stride * geometry.channels
    let down = height.stride * rowElements
    if width.outputSize <= 1 {
      distance = down
    } else {
      distance = height.outputSize <= 1 || down == width.outputSize * across ? across : nil
    }
  }

  /// Returns the positions of all taps of all output pixels.
  ///
  /// - Parameter context: See `IndirectionBuffer`.
  func table(_ context: PrepareContext? = nil) -> IndirectionBuffer {
    let height = geometry.height, width = geometry.width, channels = geometry.channels
    let columns = mergesColumns ? 1 : width.windowSize
    let lines = taps / columns
    return IndirectionBuffer(
      context, rows: geometry.pixels, taps: taps, readsPadding: !(height.isInside && width.isInside)
    ) {
      first, end, positions in
      var next = positions
      for pixel in first..<end {
        let top = height.start(pixel / width.outputSize), left = width.start(pixel % width.outputSize)
        for line in 0..<lines {
          let row = top &+ line &* height.dilation
          let isRowInside = row >= 0 && row < height.inputSize
          for column in 0..<columns {
            let x = left &+ column &* width.dilation
            let isInside = isRowInside && x >= 0 && x < width.inputSize
            next.pointee = isInside ? Int32(truncatingIfNeeded: (row &* width.inputSize &+ x) &* channels) : -1
            next += 1
          }
        }
      }
    }
  }
}

/// The output pixels of a padded convolution whose windows lie within the image's width, with a row of the window as
/// one tap.
///
/// Images of few channels have short taps, over which more time goes into finding them than into multiplying. What is
/// left at the ends of rows is found tap by tap; both use the same packed weights.
struct InteriorWindows: Sendable {
  /// Columns of the output.
  let columns: Range<Int>
  let outputWidth: Int
  /// Positions of the taps of these pixels alone, row by row.
  let table: IndirectionBuffer
  let tapDepth: Int

  /// Elements of a tap from which on merging it with its neighbors saves little.
  private static let maximumTap = 16

  /// `nil` if taps cannot be merged, or where it would not pay.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, channels: Int) {
    let height = geometry.height, width = geometry.width
    guard channels == geometry.channels, channels <= Self.maximumTap, width.dilation == 1, width.windowSize > 1 else {
      return nil
    }
    let first = (width.paddingBefore + width.stride - 1) / width.stride
    let room = width.inputSize - width.windowSize + width.paddingBefore
    let end = room < 0 ? 0 : min(width.outputSize, room / width.stride + 1)
    guard end - first >= 16 else { return nil }
    columns = first..<end
    outputWidth = width.outputSize
    tapDepth = width.windowSize * channels
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

  /// Calls `body` with the parts of a range of pixels, and for those within the width the rows of `table`.
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
