/// Enlarges or shrinks planes of floats, such as masks, by bilinear interpolation with half-pixel centres.
///
/// Target pixel `d` takes its value from source position `(d + 0.5) · source / target − 0.5`; positions outside are
/// those of the edge. It is what OpenCV's `resize` with `INTER_LINEAR` does to float planes. There is no smoothing when
/// shrinking.
///
/// Make one per pair of sizes and keep it: it holds the tables and the two rows being blended, so that resizing
/// allocates nothing.
///
/// - Thread safety: one caller at a time. To share the rows of a plane between threads, give each a copy of its own.
public struct PlaneResizer: Sendable {
  public let sourceWidth: Int
  public let sourceHeight: Int
  public let width: Int
  public let height: Int

  private let columns: [LinearTap]
  private let rows: [LinearTap]
  private var upper: [Float]
  private var lower: [Float]

  /// - Throws: ``ImageError`` when a size is not in 1…1048576.
  public init(sourceWidth: Int, sourceHeight: Int, width: Int, height: Int) throws {
    let range = 1...PixelLayout.maximumDimension
    guard [sourceWidth, sourceHeight, width, height].allSatisfy(range.contains) else {
      throw ImageError(
        code: .invalidSize,
        message: """
          a plane of \(sourceWidth) × \(sourceHeight) cannot be resized to \(width) × \(height); \
          every size must be in \(range)
          """)
    }
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.width = width
    self.height = height
    columns = LinearTap.table(from: sourceWidth, to: width)
    rows = LinearTap.table(from: sourceHeight, to: height)
    upper = [Float](repeating: 0, count: width)
    lower = [Float](repeating: 0, count: width)
  }

  /// Resizes one plane.
  ///
  /// - Parameters:
  ///   - source: the plane, starting at its first value.
  ///   - pixelStride: floats from one value of the plane to the next; the number of channels if they are interleaved.
  ///   - rowStride: floats from one row to the next; nil when rows follow each other.
  ///   - targetRows: which rows of the result to write; nil for all.
  ///   - target: `height · width` floats, of which only `targetRows` are written.
  /// - Throws: ``ImageError`` when a buffer is too small, a stride negative, or the rows do not exist.
  public mutating func resize(
    _ source: UnsafeBufferPointer<Float>, pixelStride: Int = 1, rowStride: Int? = nil,
    targetRows: Range<Int>? = nil, into target: UnsafeMutableBufferPointer<Float>
  ) throws {
    let targetRows = targetRows ?? 0..<height
    let (tightRow, overflow) = sourceWidth.multipliedReportingOverflow(by: pixelStride)
    let rowStride = rowStride ?? tightRow
    let (lastRow, lastRowOverflow) = (sourceHeight - 1).multipliedReportingOverflow(by: rowStride)
    let (end, endOverflow) = lastRow.addingReportingOverflow(tightRow &- pixelStride)
    guard pixelStride > 0, rowStride >= 0, !overflow, !lastRowOverflow, !endOverflow, end < source.count,
      target.count >= width * height, targetRows.lowerBound >= 0, targetRows.upperBound <= height,
      let from = source.baseAddress, let to = target.baseAddress
    else {
      throw ImageError(
        code: .tooFewBytes,
        message: """
          a plane of \(sourceWidth) × \(sourceHeight) with strides \(pixelStride) and \(rowStride) in a buffer of \
          \(source.count) floats cannot be resized to rows \(targetRows) of \(width) × \(height) in a buffer of \
          \(target.count); check sizes and strides
          """)
    }
    var upperRow = -1
    var lowerRow = -1
    for row in targetRows {
      let tap = rows[row]
      if tap.index0 == lowerRow {
        swap(&upper, &lower)
        swap(&upperRow, &lowerRow)
      }
      if tap.index0 != upperRow {
        interpolate(from + tap.index0 * rowStride, pixelStride, into: &upper)
        upperRow = tap.index0
      }
      if tap.weight != 0, tap.index1 != lowerRow {
        interpolate(from + tap.index1 * rowStride, pixelStride, into: &lower)
        lowerRow = tap.index1
      }
      blend(weight: tap.weight, into: to + row * width)
    }
  }

  private func interpolate(_ row: UnsafePointer<Float>, _ stride: Int, into result: inout [Float]) {
    result.withUnsafeMutableBufferPointer { result in
      columns.withUnsafeBufferPointer { columns in
        for column in result.indices {
          let tap = columns[column]
          result[column] = row[tap.index0 * stride] * (1 - tap.weight) + row[tap.index1 * stride] * tap.weight
        }
      }
    }
  }

  private func blend(weight: Float, into target: UnsafeMutablePointer<Float>) {
    upper.withUnsafeBufferPointer { upper in
      guard weight != 0 else {
        for column in upper.indices { target[column] = upper[column] }
        return
      }
      lower.withUnsafeBufferPointer { lower in
        let other = 1 - weight
        for column in upper.indices { target[column] = upper[column] * other + lower[column] * weight }
      }
    }
  }
}

/// Two neighbouring pixels of the source and how much of the second to take.
struct LinearTap: Sendable, Hashable {
  let index0: Int
  let index1: Int
  let weight: Float

  /// Half-pixel centres, positions in double precision, clamped to the edge.
  static func table(from source: Int, to target: Int) -> [LinearTap] {
    let scale = Double(source) / Double(target)
    return (0..<target).map { index in
      let position = (Double(index) + 0.5) * scale - 0.5
      let floor = position.rounded(.down)
      let first = Int(floor)
      if first < 0 { return LinearTap(index0: 0, index1: 0, weight: 0) }
      if first >= source - 1 { return LinearTap(index0: source - 1, index1: source - 1, weight: 0) }
      return LinearTap(index0: first, index1: first + 1, weight: Float(position - floor))
    }
  }
}
