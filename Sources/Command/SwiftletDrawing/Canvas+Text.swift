import SwiftletImage

extension Canvas {
  /// How many pixels wide and high a pixel of a letter has to be so that text can be read on an image of this size.
  package var textScale: Int { max(1, (min(width, height) + 150) / 300) }

  /// The plate around a line of text, in pixels: a letter is 5 × 9 times the scale, with a margin around the line.
  ///
  /// - Parameter scale: as ``textScale`` gives it; from 1 to 1048576, and other numbers count as the nearest of these.
  package static func plateSize(of text: String, scale: Int) -> (width: Int, height: Int) {
    plateSize(letters: text.count, scale: min(max(scale, 1), PixelLayout.maximumDimension))
  }

  /// Writes a line of text on a plate that stays inside the image: it is moved there from where it would stand out,
  /// with smaller letters where it is too wide, and cut short, ending in two dots, where that is not enough.
  ///
  /// - Parameters:
  ///   - text: printable ASCII; whatever else is drawn as a box.
  ///   - x: left edge of the plate.
  ///   - y: upper edge of the plate.
  ///   - scale: how large a pixel of a letter is; by default ``textScale``.
  ///   - plate: the color behind the text, which is black or white, whichever can be read on it.
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

  /// Writes a line of text on a plate that stands on the upper left corner of a thing, or in it where there is no room
  /// above.
  package mutating func drawCaption(_ text: String, x: Int, y: Int, plate: Color) {
    let height = Self.plateSize(of: text, scale: textScale).height
    drawText(text, x: x, y: y >= height ? y - height : y, plate: plate)
  }

  // MARK: Letters

  /// Around a line, in pixels of letters; above it more, as few letters reach below the line they stand on.
  static let margin = 1
  static let upperMargin = 2
  /// Of a line with its margins, in pixels of letters.
  static let lineHeight = upperMargin + BitmapFont.rows + margin

  /// The last letter's gap is the right margin.
  static func plateSize(letters: Int, scale: Int) -> (width: Int, height: Int) {
    ((letters * BitmapFont.advance + margin) * scale, lineHeight * scale)
  }

  private func fits(letters: Int, scale: Int) -> Bool {
    let size = Self.plateSize(letters: letters, scale: scale)
    return size.width <= width && size.height <= height
  }

  /// The text, or its beginning and two dots in place of the rest.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count <= count ? text : String(text.prefix(max(0, count - 2))) + String(repeating: ".", count: min(2, count))
  }

  /// Writes without a plate and without moving anything; what lies outside is left out.
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
