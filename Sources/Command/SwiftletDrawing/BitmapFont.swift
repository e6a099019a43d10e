/// The letters that a canvas writes: all of one width, in pixels that are drawn as squares.
enum BitmapFont {
  /// Width of a letter.
  static let columns = 5
  /// Height of a letter: seven rows above the line that text stands on, two below.
  static let rows = 9
  /// From the left edge of a letter to that of the next.
  static let advance = columns + 1

  /// The rows of a character's shape from top to bottom; bit 0 is the leftmost pixel.
  ///
  /// What is not printable ASCII is a box, so that it can be seen that something stands there.
  static func glyph(_ character: Character) -> [UInt8] {
    guard let code = character.asciiValue, (0x20...0x7E).contains(code) else { return glyphs[glyphs.count - 1] }
    return glyphs[Int(code) - 0x20]
  }

  private static let glyphs: [[UInt8]] = BitmapFontSheet.bands.flatMap { band in
    let lines = band.split(separator: "\n").map { Array($0.utf8) }
    return (0..<16).map { position in
      lines.map { line in
        (0..<columns).reduce(UInt8(0)) { bits, column in
          line[position * advance + column] == UInt8(ascii: "#") ? bits | 1 << UInt8(column) : bits
        }
      }
    }
  }
}
