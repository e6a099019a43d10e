import Testing

@testable import SwiftletDrawing

@Suite("Text on a canvas")
struct CanvasTextTests {
  private let blue = Canvas.Color(red: 0, green: 0, blue: 255)

  /// Returns the rows with letters as "#" and plates as "o".
  private func rows(_ canvas: Canvas) throws -> [String] {
    try canvas.rows { $0 == .white ? "#" : $0 == blue ? "o" : "." }
  }

  /// Returns the bounding box of everything drawn.
  private func bounds(_ rows: [String]) throws -> (left: Int, top: Int, width: Int, height: Int) {
    let drawn = rows.map { row in row.enumerated().filter { $0.element != "." }.map(\.offset) }
    let lines = drawn.indices.filter { !drawn[$0].isEmpty }
    let columns = drawn.flatMap(\.self)
    let (top, bottom) = (try #require(lines.first), try #require(lines.last))
    let (left, right) = (try #require(columns.min()), try #require(columns.max()))
    return (left, top, right - left + 1, bottom - top + 1)
  }

  @Test("draws text with a margin on a plate")
  func letters() throws {
    var canvas = try Canvas(width: 15, height: 14)
    canvas.drawText("Ag", x: 1, y: 1, plate: blue)
    #expect(
      try rows(canvas) == [
        "...............",
        ".ooooooooooooo.",
        ".ooooooooooooo.",
        ".oo###oooooooo.",
        ".o#ooo#ooooooo.",
        ".o#ooo#oo####o.",
        ".o#####o#ooo#o.",
        ".o#ooo#o#ooo#o.",
        ".o#ooo#o#ooo#o.",
        ".o#ooo#oo####o.",
        ".ooooooooooo#o.",
        ".oooooooo###oo.",
        ".ooooooooooooo.",
        "...............",
      ])
  }

  @Test("every printable character has a distinct shape, and only the space is empty")
  func everyCharacter() {
    let characters = (0x20...0x7E).compactMap { UnicodeScalar($0).map(Character.init) }
    let shapes = characters.map(BitmapFont.glyph)
    #expect(shapes.allSatisfy { $0.count == BitmapFont.rows && $0.allSatisfy { $0 < 1 << UInt8(BitmapFont.columns) } })
    #expect(Set(shapes).count == 95)
    #expect(characters.filter { BitmapFont.glyph($0).allSatisfy { $0 == 0 } } == [" "])
  }

  @Test("other characters are boxes", arguments: ["é", "\n", "\u{7F}", "日", "👩‍👧", "e\u{301}"] as [Character])
  func box(character: Character) {
    #expect(BitmapFont.glyph(character) == [31, 17, 17, 17, 17, 17, 31, 0, 0])
  }

  @Test(
    "moves the plate into the image from any side and distance",
    arguments: [
      (-5, 3, 0, 3), (38, 3, 33, 3), (4, -100, 4, 0), (4, 100, 4, 8), (Int.min, Int.max, 0, 8),
      (Int.max, Int.min, 33, 0),
    ])
  func moves(x: Int, y: Int, left: Int, top: Int) throws {
    var canvas = try Canvas(width: 40, height: 20)
    canvas.drawText("i", x: x, y: y, plate: blue)
    let drawn = try bounds(try rows(canvas))
    #expect(drawn == (left, top, 7, 12))
  }

  @Test("text grows with the image")
  func scale() throws {
    #expect(try Canvas(width: 224, height: 224).textScale == 1)
    #expect(try Canvas(width: 640, height: 480).textScale == 2)
    #expect(try Canvas(width: 4000, height: 3000).textScale == 10)
    #expect(try Canvas(width: 1, height: 5000).textScale == 1)
    var canvas = try Canvas(width: 60, height: 60)
    canvas.drawText("x", x: 0, y: 0, scale: 3, plate: blue)
    let drawn = try bounds(try rows(canvas))
    #expect(drawn == (0, 0, 21, 36))
    #expect(Canvas.plateSize(of: "x", scale: 3) == (21, 36))
  }

  @Test("text that is too wide is reduced, and then truncated")
  func shrinks() throws {
    var canvas = try Canvas(width: 26, height: 40)
    canvas.drawText("abcd", x: 9, y: 0, scale: 3, plate: blue)
    #expect(try bounds(try rows(canvas)) == (1, 0, 25, 12))
    var cut = try Canvas(width: 26, height: 40)
    cut.drawText("abcdefgh", x: 0, y: 0, scale: 3, plate: blue)
    var expected = try Canvas(width: 26, height: 40)
    expected.drawText("ab..", x: 0, y: 0, scale: 1, plate: blue)
    #expect(try rows(cut) == rows(expected))
  }

  @Test("draws the visible part in an image smaller than a letter", arguments: [(1, 1), (3, 50), (50, 3)])
  func tiny(width: Int, height: Int) throws {
    var canvas = try Canvas(width: width, height: height)
    canvas.drawText("Wide", x: 0, y: 0, plate: blue)
    canvas.drawLegend([Canvas.LegendEntry(swatch: blue, name: "Wide", value: "1.0%")])
    #expect(try canvas.image().packedBytes().contains { $0 != 0 })
  }
}
