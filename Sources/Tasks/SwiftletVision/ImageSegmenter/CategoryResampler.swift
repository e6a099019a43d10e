import SwiftletImage
import SwiftletKernels

/// Determines the category of every pixel of an image from a model's scores at a lower resolution.
///
/// The scores are first interpolated per channel, with the corners of both grids aligned, and then compared. Edges
/// between categories are therefore as sharp as the image. A single channel distinguishes the foreground, 0, from the
/// background, 255.
///
/// Goals, in this order: MediaPipe's decisions, then speed. If the same category wins at all four corners of a cell of
/// the source, it wins everywhere in the cell, so only cells along borders are interpolated.
///
/// - Shapes: source `[sourceHeight, sourceWidth, channels]`; target `[height, width]`.
/// - Thread safety: callable concurrently on different rows with separate scratch memory.
/// - Source: the category mask of MediaPipe's image segmenter, with the same order of operations.
struct CategoryResampler: Sendable {
  /// The maximum number of channels, because a category is a byte.
  static let maximumChannels = 256

  let sourceWidth: Int
  let sourceHeight: Int
  let channels: Int
  let width: Int
  let height: Int

  private let comparison: CategoryComparison
  private let columns: [LinearTap]
  private let rows: [LinearTap]

  /// The number of 16-bit elements of scratch memory that a call needs.
  var scratchCount: Int { 3 * sourceWidth }

  /// Creates a resampler.
  ///
  /// - Parameter appliesSigmoid: Whether scores are compared after a sigmoid.
  /// - Throws: ``ImageError`` if a size is not in 1…1048576 or there are more than 256 channels.
  init(
    sourceWidth: Int, sourceHeight: Int, channels: Int, width: Int, height: Int, appliesSigmoid: Bool
  ) throws {
    let range = 1...PixelLayout.maximumDimension
    guard [sourceWidth, sourceHeight, width, height].allSatisfy(range.contains),
      (1...Self.maximumChannels).contains(channels)
    else {
      throw ImageError(
        code: .invalidSize,
        message: """
          scores of \(sourceWidth) × \(sourceHeight) with \(channels) channels cannot become categories of \
          \(width) × \(height) pixels; every size must be in \(range), and a category is a byte: at most \
          \(Self.maximumChannels) channels
          """)
    }
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.channels = channels
    self.width = width
    self.height = height
    comparison = CategoryComparison(channels: channels, appliesSigmoid: appliesSigmoid)
    columns = LinearTap.alignedTable(from: sourceWidth, to: width)
    rows = LinearTap.alignedTable(from: sourceHeight, to: height)
  }

  /// Writes some rows of the mask.
  ///
  /// - Parameters:
  ///   - source: The scores, channels interleaved, rows without padding.
  ///   - targetRows: The rows of the mask to write.
  ///   - target: `height · width` bytes, of which only `targetRows` are written.
  ///   - scratch: At least ``scratchCount`` elements, whose contents are not used before or after the call.
  /// - Throws: ``ImageError`` if a buffer is too small, or the rows are out of range.
  func resample(
    _ source: UnsafeBufferPointer<Float>, targetRows: Range<Int>, into target: UnsafeMutableBufferPointer<UInt8>,
    scratch: UnsafeMutableBufferPointer<UInt16>
  ) throws {
    guard source.count >= sourceHeight * sourceWidth * channels, target.count >= height * width,
      scratch.count >= scratchCount, targetRows.lowerBound >= 0, targetRows.upperBound <= height,
      let scores = source.baseAddress, let mask = target.baseAddress, let memory = scratch.baseAddress
    else {
      throw ImageError(
        code: .tooFewBytes,
        message: """
          \(source.count) scores of \(sourceWidth) × \(sourceHeight) with \(channels) channels cannot become rows \
          \(targetRows) of a mask of \(width) × \(height) in \(target.count) bytes with \(scratch.count) numbers of \
          scratch memory; check the sizes
          """)
    }
    var upper = memory
    var lower = memory + sourceWidth
    let cells = memory + 2 * sourceWidth
    var upperRow = -1
    var lowerRow = -1
    for row in targetRows {
      let tap = rows[row]
      if tap.index0 != upperRow || tap.index1 != lowerRow {
        if tap.index0 == lowerRow {
          swap(&upper, &lower)
          swap(&upperRow, &lowerRow)
        }
        if tap.index0 != upperRow { decide(row: tap.index0, of: scores, into: upper) }
        decide(row: tap.index1, of: scores, into: lower)
        (upperRow, lowerRow) = (tap.index0, tap.index1)
        compare(upper, lower, into: cells)
      }
      fill(row: tap, scores, cells, into: mask + row * width)
    }
  }

  /// Determines the categories of one row of the source.
  private func decide(row: Int, of scores: UnsafePointer<Float>, into categories: UnsafeMutablePointer<UInt16>) {
    comparison.categories(of: scores + row * sourceWidth * channels, count: sourceWidth, into: categories)
  }

  /// Detects the cells between two rows whose corners have the same category.
  private func compare(
    _ upper: UnsafePointer<UInt16>, _ lower: UnsafePointer<UInt16>, into cells: UnsafeMutablePointer<UInt16>
  ) {
    for column in 0..<sourceWidth {
      let next = min(column + 1, sourceWidth - 1)
      let category = upper[column]
      let isUniform = upper[next] == category && lower[column] == category && lower[next] == category
      cells[column] = isUniform ? category : CategoryRow.mixed
    }
  }

  private func fill(
    row: LinearTap, _ scores: UnsafePointer<Float>, _ cells: UnsafePointer<UInt16>,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    let upper = scores + row.index0 * sourceWidth * channels
    let lower = scores + row.index1 * sourceWidth * channels
    columns.withUnsafeBufferPointer { columns in
      guard let columns = columns.baseAddress else { return }
      var mask = CategoryRow(
        upper: upper, lower: lower, down: row.weight, threshold: comparison.threshold, channels: channels, cells: cells,
        columns: columns, width: width)
      comparison.fill(&mask, into: target)
    }
  }
}
