package import SwiftletImage
import SwiftletBase

/// Draws plain shapes and text onto a copy of a picture. Coordinates are in pixels and may lie outside: what does is
/// left out.
///
/// What there is to draw may be more than a call has time for: after its deadline nothing more is drawn, and ``image()``
/// throws.
///
/// - Thread safety: a value; one caller at a time for each copy.
package struct Canvas: Sendable {
  /// Width in pixels.
  package let width: Int
  /// Height in pixels.
  package let height: Int
  private var bytes: [UInt8]
  private var steps = StepCounter(every: 1 << 14)
  /// Why nothing more is drawn.
  private var ended: CallEnded?

  /// A canvas that begins as a copy of `image`; transparency is dropped.
  ///
  /// - Throws: `ImageError` when the copy is too large to address.
  package init(_ image: ImageBuffer) throws {
    width = image.width
    height = image.height
    bytes = try image.converted(to: .rgb8).packedBytes()
  }

  /// The picture as drawn so far.
  ///
  /// - Throws: `CallEnded` if the call ended before all was drawn.
  package func image() throws -> ImageBuffer {
    if let ended { throw ended }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// The width of a line that stands out on a picture of this size.
  package var lineWidth: Int { max(1, min(width, height) / 200 + 1) }

  // MARK: Shapes

  /// Fills the pixels `x ..< x + width`, `y ..< y + height`.
  ///
  /// - Parameter opacity: how much of the colour, 0…1; the rest is what was there.
  package mutating func fillRectangle(
    x: Int, y: Int, width rectangleWidth: Int, height rectangleHeight: Int, color: Color, opacity: Float = 1
  ) {
    let columns = Self.clamped(x, rectangleWidth, to: width)
    let rows = Self.clamped(y, rectangleHeight, to: height)
    let share = Self.share(opacity)
    for row in rows {
      guard hasTime(for: columns.count) else { return }
      for column in columns { set(column, row, color, share) }
    }
    // What lies outside takes time too.
    if rows.isEmpty { _ = hasTime(for: 1) }
  }

  /// Counts pixels that are about to be drawn.
  ///
  /// - Returns: Whether the call has time for them.
  private mutating func hasTime(for pixels: Int) -> Bool {
    guard ended == nil else { return false }
    do throws(CallEnded) {
      try steps.count(1 + pixels)
    } catch {
      ended = error
    }
    return ended == nil
  }

  /// Draws the outline of a rectangle, `lineWidth` pixels to the inside. One whose far edges no number can say is not
  /// drawn.
  package mutating func strokeRectangle(
    x: Int, y: Int, width rectangleWidth: Int, height rectangleHeight: Int, lineWidth: Int, color: Color
  ) {
    let line = max(0, min(lineWidth, max(1, min(rectangleWidth, rectangleHeight))))
    let (right, overflowAcross) = x.addingReportingOverflow(rectangleWidth)
    let (bottom, overflowDown) = y.addingReportingOverflow(rectangleHeight)
    guard !overflowAcross, !overflowDown, right >= .min + line, bottom >= .min + line else { return }
    fillRectangle(x: x, y: y, width: rectangleWidth, height: line, color: color)
    fillRectangle(x: x, y: bottom - line, width: rectangleWidth, height: line, color: color)
    fillRectangle(x: x, y: y, width: line, height: rectangleHeight, color: color)
    fillRectangle(x: right - line, y: y, width: line, height: rectangleHeight, color: color)
  }

  /// Fills a disc around a point.
  package mutating func fillDisc(centerX: Int, centerY: Int, radius: Int, color: Color) {
    let reach = max(0, min(radius, width + height))
    // Further off nothing of the disc is seen, and squares of distances would not fit.
    guard (-2 * reach...width + 2 * reach).contains(centerX), (-2 * reach...height + 2 * reach).contains(centerY) else {
      return
    }
    for row in Self.clamped(centerY - reach, 2 * reach + 1, to: height) {
      guard hasTime(for: 2 * reach) else { return }
      for column in Self.clamped(centerX - reach, 2 * reach + 1, to: width) {
        let (dx, dy) = (column - centerX, row - centerY)
        if dx * dx + dy * dy <= reach * reach { set(column, row, color, 256) }
      }
    }
  }

  /// Mixes a colour into every pixel, by the category that a mask gives it.
  ///
  /// - Parameters:
  ///   - categories: one a pixel, row after row.
  ///   - opacity: how much of the colour, 0…1; the rest is what was there.
  ///   - color: asked once for each of the 256 categories; `nil` leaves its pixels as they are.
  /// - Throws: `ImageError` (`invalidSize`) when there is not one category for each pixel.
  package mutating func tint(_ categories: [UInt8], opacity: Float, color: (UInt8) -> Color?) throws {
    try checkMask(count: categories.count)
    let colors = (0...UInt8.max).map(color)
    let share = Self.share(opacity)
    for row in 0..<height {
      guard hasTime(for: width) else { return }
      for column in 0..<width {
        if let color = colors[Int(categories[row * width + column])] { set(column, row, color, share) }
      }
    }
  }

  /// Mixes a colour into every pixel, as much of it as a mask says.
  ///
  /// - Parameters:
  ///   - strengths: one a pixel, row after row, 0…1; others count as the nearest of these, and what is no number as 0.
  ///   - opacity: how much of the colour a pixel of strength 1 gets, 0…1.
  /// - Throws: `ImageError` (`invalidSize`) when there is not one strength for each pixel.
  package mutating func tint(strengths: [Float], opacity: Float, color: Color) throws {
    try checkMask(count: strengths.count)
    for row in 0..<height {
      guard hasTime(for: width) else { return }
      for column in 0..<width {
        let strength = strengths[row * width + column]
        if strength > 0 { set(column, row, color, Self.share(min(strength, 1) * opacity)) }
      }
    }
  }

  private func checkMask(count: Int) throws {
    guard count == width * height else {
      throw ImageError(
        code: .invalidSize,
        message: "a mask of \(count) pixels cannot be laid on a picture of \(width) × \(height); scale it first")
    }
  }

  private static func clamped(_ start: Int, _ count: Int, to size: Int) -> Range<Int> {
    let lower = min(max(start, 0), size)
    let (end, overflow) = start.addingReportingOverflow(max(count, 0))
    return lower..<max(lower, overflow ? size : min(end, size))
  }

  /// - Parameter share: how much of the colour, out of 256.
  private mutating func set(_ column: Int, _ row: Int, _ color: Color, _ share: Int) {
    let offset = (row * width + column) * 3
    let mixed =
      share == 256
      ? color
      : Color(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2]).mixed(with: color, share: share)
    bytes[offset] = mixed.red
    bytes[offset + 1] = mixed.green
    bytes[offset + 2] = mixed.blue
  }
}
