import SwiftletEngine

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
  let table: WindowTable
  let tapDepth: Int

  /// Elements of a tap from which on merging it with its neighbours saves little.
  private static let longestTap = 16

  /// `nil` where taps cannot be merged, or where it would not pay.
  init?(_ context: PrepareContext, _ geometry: WindowGeometry, channels: Int) {
    let height = geometry.height, width = geometry.width
    guard channels == geometry.channels, channels <= Self.longestTap, width.dilation == 1, width.windowSize > 1 else {
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
    table = WindowTable(
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
