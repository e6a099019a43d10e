import SwiftletImage

extension Canvas {
  /// The scale of letters (pixels per font pixel) at which text is legible on an image of this size.
  package var textScale: Int { max(1, (min(width, height) + 150) / 300) }

  /// Returns the size in pixels of the plate around a line of text: a letter is 5 × 9 times the scale, with a margin
  /// around the line.
  ///
  /// - Parameter scale: The scale, as in ``textScale``; clamped to 1…1048576.
  package static func plateSize(of text: String, scale: Int) -> (width: Int, height: Int) {
    plateSize(letters: text.count, scale: min(max(scale, 1), PixelLayout.maximumDimension))
  }

  /// Draws a line of text on a plate inside the image. The plate is moved if it would extend beyond the image. If the
  /// text is too wide, the letters get smaller, and then the text is truncated with two dots.
  ///
  /// - Parameters:
  ///   - text: The text, in printable ASCII. Other characters are drawn as boxes.
  ///   - x: The left edge of the plate.
  ///   - y: The upper edge of the plate.
  ///   - scale: The number of pixels per font pixel; by default ``textScale``.
  ///   - plate: The color behind the text. The text is black or white, whichever is legible on it.
  package mutating func drawText(_ text: String, x: Int, y: Int, scale: Int? = nil, plate: Color) {
    var scale = max(1, min(scale ?? textScale, width, height))
    while scale > 1, !fits(letters: text.count, scale: scale) { scale -= 1 }
    let line = Self.shortened(text, to: max(1, (width / scale - Self.margin) / BitmapFont.advance))
    let size = Self.plateSize(of: line, scale: scale)
    let left = max(0, min(x, width - size.width))
    let top = max(0, min(y, height - size.height))
    fillRectangle(x: left, y: top, width: size.width, height: size.height, color: plate)
    drawLetters(
      line, x: left + Self.margin * scale, y: top + Self.upperMargin * scale, scale: scale, color: plate.readable)
  }

  /// Draws a line of text on a plate above the upper left corner of an object, or inside the object if there is no room
  /// above.
  package mutating func drawCaption(_ text: String, x: Int, y: Int, plate: Color) {
    let height = Self.plateSize(of: text, scale: textScale).height
    drawText(text, x: x, y: y >= height ? y - height : y, plate: plate)
  }

  // MARK: Letters

  /// The margin around a line, in font pixels. The upper margin is larger, because few letters reach below the
  /// baseline.
  static let margin = 1
  static let upperMargin = 2
  /// The height of a line with its margins, in font pixels.
  static let lineHeight = upperMargin + BitmapFont.rows + margin

  /// Returns the size of a plate. The gap after the last letter is the right margin.
  static func plateSize(letters: Int, scale: Int) -> (width: Int, height: Int) {
    ((letters * BitmapFont.advance + margin) * scale, lineHeight * scale)
  }

  private func fits(letters: Int, scale: Int) -> Bool {
    let size = Self.plateSize(letters: letters, scale: scale)
    return size.width <= width && size.height <= height
  }

  /// Returns the text, or its beginning followed by two dots.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count <= count ? text : String(text.prefix(max(0, count - 2))) + String(repeating: ".", count: min(2, count))
  }

  /// Draws letters without a plate and without moving the text; parts outside the image are clipped.
  mutating func drawLetters(_ text: String, x: Int, y: Int, scale: Int, color: Color) {
    for (position, character) in text.enumerated() {
      for (row, bits) in BitmapFont.glyph(character).enumerated() {
        for column in 0..<BitmapFont.columns where bits >> UInt8(column) & 1 == 1 {
          fillRectangle(
            x: x + (position * BitmapFont.advance + column) * scale, y: y + row * scale, width: scale, height: scale,
            color: color)
        }
      }
    }
  }
}
