import SwiftletBase
package import SwiftletImage

/// A canvas that draws plain shapes and text onto a copy of an image. Coordinates are in pixels, and parts outside the
/// image are clipped.
///
/// Drawing can take longer than a call's deadline allows: after the deadline nothing more is drawn, and ``image()``
/// throws.
///
/// - Thread safety: a value; one caller at a time for each copy.
package struct Canvas: Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  private var bytes: [UInt8]
  private var steps = StepCounter(every: 1 << 14)
  /// The reason why drawing stopped.
  private var ended: CallEnded?

  /// Creates a canvas from a copy of `image`, without its transparency.
  ///
  /// - Throws: `ImageError` when the copy is too large to address.
  package init(_ image: ImageBuffer) throws {
    width = image.width
    height = image.height
    bytes = try image.converted(to: .rgb8).packedBytes()
  }

  /// Returns the image as drawn so far.
  ///
  /// - Throws: `CallEnded` if the call ended before all was drawn.
  package func image() throws -> ImageBuffer {
    if let ended { throw ended }
    return try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// The line width that is clearly visible on an image of this size.
  package var lineWidth: Int { max(1, min(width, height) / 200 + 1) }

  // MARK: Shapes

  /// Fills the pixels `x ..< x + width`, `y ..< y + height`.
  ///
  /// - Parameter opacity: The weight of the color, 0…1, against the existing pixels.
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
    // Count rectangles outside the image too, because they also take time.
    if rows.isEmpty { _ = hasTime(for: 1) }
  }

  /// Counts pixels before they are drawn.
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

  /// Draws the outline of a rectangle, with `lineWidth` pixels on the inside. A rectangle whose far edges overflow an
  /// integer isn't drawn.
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
    // Discs farther away aren't visible, and squares of their distances would overflow.
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

  /// Blends a color into every pixel, selected by the pixel's category in a mask.
  ///
  /// - Parameters:
  ///   - categories: One category per pixel, row by row.
  ///   - opacity: The weight of the color, 0…1, against the existing pixels.
  ///   - color: A closure that is called once for each of the 256 categories; if it returns `nil`, the pixels don't
  ///     change.
  /// - Throws: `ImageError` (`invalidSize`) if the number of categories differs from the number of pixels.
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

  /// Blends a color into every pixel, weighted by a mask.
  ///
  /// - Parameters:
  ///   - strengths: One strength per pixel, row by row, clamped to 0…1; NaN counts as 0.
  ///   - opacity: The weight of the color for a pixel of strength 1, 0…1.
  /// - Throws: `ImageError` (`invalidSize`) if the number of strengths differs from the number of pixels.
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
        message: "a mask of \(count) pixels cannot be laid on an image of \(width) × \(height); scale it first")
    }
  }

  private static func clamped(_ start: Int, _ count: Int, to size: Int) -> Range<Int> {
    let lower = min(max(start, 0), size)
    let (end, overflow) = start.addingReportingOverflow(max(count, 0))
    return lower..<max(lower, overflow ? size : min(end, size))
  }

  /// - Parameter share: The weight of the color, out of 256.
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

extension Canvas {
  /// An opaque color.
  package struct Color: Sendable, Hashable {
    /// The red component.
    package var red: UInt8
    /// The green component.
    package var green: UInt8
    /// The blue component.
    package var blue: UInt8

    /// Creates a color from sRGB components.
    package init(red: UInt8, green: UInt8, blue: UInt8) {
      self.red = red
      self.green = green
      self.blue = blue
    }

    /// White.
    package static let white = Color(red: 255, green: 255, blue: 255)
    /// Black.
    package static let black = Color(red: 0, green: 0, blue: 0)

    /// Returns a color for a number. There are 24 colors that are easy to tell apart; after them, the colors repeat.
    package static func distinct(_ number: Int) -> Color {
      palette[((number % palette.count) + palette.count) % palette.count]
    }

    private static let palette = [
      Color(red: 230, green: 57, blue: 70), Color(red: 29, green: 131, blue: 220), Color(red: 46, green: 160, blue: 67),
      Color(red: 245, green: 166, blue: 35), Color(red: 148, green: 82, blue: 214),
      Color(red: 20, green: 178, blue: 170),
      Color(red: 226, green: 88, blue: 164), Color(red: 140, green: 100, blue: 60),
      Color(red: 170, green: 215, blue: 30),
      Color(red: 35, green: 55, blue: 165), Color(red: 140, green: 20, blue: 45), Color(red: 0, green: 205, blue: 240),
      Color(red: 250, green: 220, blue: 0), Color(red: 195, green: 60, blue: 255), Color(red: 0, green: 95, blue: 55),
      Color(red: 255, green: 110, blue: 80), Color(red: 120, green: 195, blue: 255),
      Color(red: 115, green: 135, blue: 0),
      Color(red: 100, green: 0, blue: 120), Color(red: 130, green: 250, blue: 165),
      Color(red: 200, green: 105, blue: 0),
      Color(red: 255, green: 160, blue: 205), Color(red: 0, green: 100, blue: 125),
      Color(red: 185, green: 165, blue: 125),
    ]

    /// Black or white, whichever is legible on this color.
    package var readable: Color {
      // The channel weights of luma in ITU-R BT.601.
      let brightness = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
      return brightness > 150_000 ? .black : .white
    }

    /// - Parameter share: The weight of `other`, out of 256.
    func mixed(with other: Color, share: Int) -> Color {
      Color(
        red: Self.mixed(red, other.red, share), green: Self.mixed(green, other.green, share),
        blue: Self.mixed(blue, other.blue, share))
    }

    private static func mixed(_ own: UInt8, _ other: UInt8, _ share: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (Int(own) * (256 - share) + Int(other) * share + 128) >> 8)
    }
  }

  /// Returns an opacity as a weight out of 256; NaN is opaque.
  static func share(_ opacity: Float) -> Int {
    opacity < 1 ? Int(max(opacity, 0) * 256 + 0.5) : 256
  }
}

extension Canvas {
  /// An entry of a legend.
  package struct LegendEntry: Sendable, Hashable {
    /// The color that the entry explains, if any.
    package var swatch: Color?
    /// The name of the entry.
    package var name: String
    /// The text at the end of the line, such as a share.
    package var value: String

    /// Creates an entry.
    package init(swatch: Color? = nil, name: String, value: String = "") {
      self.swatch = swatch
      self.name = name
      self.value = value
    }
  }

  /// Draws a legend in the upper left corner, on a translucent plate.
  ///
  /// The letters get smaller until the legend fits. If that isn't enough, names are truncated, and the last line counts
  /// the lines that don't fit.
  ///
  /// - Parameter entries: The entries, one per line from the top. Nothing is drawn if there are none.
  package mutating func drawLegend(_ entries: [LegendEntry]) {
    guard !entries.isEmpty else { return }
    var scale = textScale
    while scale > 1, !LegendLayout(entries, width: width, height: height, scale: scale).showsEverything { scale -= 1 }
    let layout = LegendLayout(entries, width: width, height: height, scale: scale)
    let plate = Self.plateSize(letters: layout.columns, scale: scale)
    fillRectangle(
      x: 0, y: 0, width: plate.width, height: plate.height * layout.lines.count, color: .black, opacity: 0.65)
    let letter = BitmapFont.advance * scale
    for (index, line) in layout.lines.enumerated() {
      let left = Self.margin * scale
      let top = index * plate.height + Self.upperMargin * scale
      if let swatch = line.swatch {
        // As high as a capital letter.
        let side = (BitmapFont.rows - 2) * scale
        fillRectangle(x: left, y: top, width: side, height: side, color: swatch)
      }
      drawLetters(line.name, x: left + layout.nameColumn * letter, y: top, scale: scale, color: .white)
      let valueColumn = layout.columns - line.value.count
      drawLetters(line.value, x: left + valueColumn * letter, y: top, scale: scale, color: .white)
    }
  }
}

/// The positions of a legend's parts, counted in letters.
private struct LegendLayout {
  private(set) var lines: [Canvas.LegendEntry]
  /// The column of the names: after the swatches, if there are any.
  let nameColumn: Int
  let columns: Int
  let showsEverything: Bool

  init(_ entries: [Canvas.LegendEntry], width: Int, height: Int, scale: Int) {
    let room = max(1, (width / scale - Canvas.margin) / BitmapFont.advance)
    let lineRoom = max(1, height / scale / Canvas.lineHeight)
    lines = entries
    if entries.count > lineRoom {
      lines = Array(entries.prefix(lineRoom - 1))
      lines.append(Canvas.LegendEntry(name: "\(entries.count - lineRoom + 1) more"))
    }
    nameColumn = lines.contains { $0.swatch != nil } ? 2 : 0
    let longestValue = lines.map(\.value.count).max() ?? 0
    // One letter between name and value.
    let beside = nameColumn + (longestValue > 0 ? longestValue + 1 : 0)
    let longestName = lines.map(\.name.count).max() ?? 0
    let nameRoom = max(1, min(longestName, room - beside))
    showsEverything = entries.count <= lineRoom && longestName <= nameRoom
    columns = beside + nameRoom
    for index in lines.indices { lines[index].name = Canvas.shortened(lines[index].name, to: nameRoom) }
  }
}

extension Canvas {
  /// Draws a straight line between two points, `lineWidth` pixels wide. Parts outside the image are clipped.
  ///
  /// - Parameter lineWidth: The width, clamped between 1 and the longer side of the image.
  /// - Complexity: O(length · lineWidth²) time. A line isn't drawn if an endpoint is farther away than eight times the
  ///   sum of both sides of the image.
  package mutating func strokeLine(fromX: Int, fromY: Int, toX: Int, toY: Int, lineWidth: Int, color: Color) {
    let reach = 8 * (width + height)
    guard [fromX, fromY, toX, toY].allSatisfy((-reach...reach).contains) else { return }
    let lineWidth = max(1, min(lineWidth, max(width, height)))
    let steps = max(abs(toX - fromX), abs(toY - fromY))
    for step in 0...steps {
      // Rounded to the nearest pixel with integer arithmetic.
      func along(_ from: Int, _ to: Int) -> Int {
        steps == 0 ? from : from + ((to - from) * step * 2 + (to >= from ? steps : -steps)) / (2 * steps)
      }
      fillRectangle(
        x: along(fromX, toX) - (lineWidth - 1) / 2, y: along(fromY, toY) - (lineWidth - 1) / 2, width: lineWidth,
        height: lineWidth,
        color: color)
    }
  }
}

extension Canvas {
  /// A pixel position, inside or outside an image.
  package struct Place: Sendable, Hashable {
    /// The distance from the left edge.
    package var x: Int
    /// The distance from the upper edge.
    package var y: Int

    /// Creates a position in pixels.
    package init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }

  /// Draws lines between places.
  ///
  /// - Parameters:
  ///   - places: The places; `nil` for an unknown place, which has no lines.
  ///   - edges: Pairs of indices of places. Edges with an index out of range are ignored.
  ///   - lineWidth: The width in pixels, as for ``strokeLine(fromX:fromY:toX:toY:lineWidth:color:)``.
  package mutating func strokeEdges(
    _ edges: some Sequence<(Int, Int)>, between places: [Place?], lineWidth: Int, color: Color
  ) {
    for (start, end) in edges where places.indices.contains(start) && places.indices.contains(end) {
      guard let from = places[start], let to = places[end] else { continue }
      strokeLine(fromX: from.x, fromY: from.y, toX: to.x, toY: to.y, lineWidth: lineWidth, color: color)
    }
  }

  /// Draws a dot with a white edge on each known place, in a size that is clearly visible on the image.
  package mutating func fillDots(_ places: [Place?], color: Color) {
    for place in places.compactMap(\.self) {
      fillDisc(centerX: place.x, centerY: place.y, radius: lineWidth + 1, color: .white)
      fillDisc(centerX: place.x, centerY: place.y, radius: lineWidth, color: color)
    }
  }
}
