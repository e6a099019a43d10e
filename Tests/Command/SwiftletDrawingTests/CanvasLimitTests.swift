import SwiftletImage
import Testing

@testable import SwiftletDrawing

@Suite("Canvas limits")
struct CanvasLimitTests {
  @Test("the 24 colors are unchanged")
  func palette() {
    let colors = (0..<24).map(Canvas.Color.distinct)
    #expect(
      colors[0] == Canvas.Color(red: 230, green: 57, blue: 70)
        && colors[1] == Canvas.Color(red: 29, green: 131, blue: 220))
    #expect(
      colors[23] == Canvas.Color(red: 185, green: 165, blue: 125) && colors.map { Int($0.red) }.reduce(0, +) == 3234)
    #expect(colors.map { Int($0.green) }.reduce(0, +) == 3052 && colors.map { Int($0.blue) }.reduce(0, +) == 2865)
    #expect(Canvas.Color.distinct(-25) == colors[23] && Canvas.Color.distinct(47) == colors[23])
    #expect(Canvas.Color.white == Canvas.Color(red: 255, green: 255, blue: 255))
    #expect(Canvas.Color.black == Canvas.Color(red: 0, green: 0, blue: 0))
  }

  @Test("colors with a BT.601 luma above 150 of 255 have black text")
  func readable() {
    func isBlack(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bool {
      Canvas.Color(red: red, green: green, blue: blue).readable == .black
    }
    #expect(isBlack(151, 151, 151) && !isBlack(150, 150, 150))
    #expect(isBlack(255, 126, 0) && !isBlack(255, 125, 0) && isBlack(0, 234, 112) && !isBlack(0, 234, 110))
  }

  @Test("opacity is a rounded fraction of 256")
  func shares() {
    #expect(Canvas.share(0) == 0 && Canvas.share(0.5) == 128 && Canvas.share(0.65) == 166 && Canvas.share(0.999) == 256)
    #expect(Canvas.share(1) == 256 && Canvas.share(2) == 256 && Canvas.share(-1) == 0 && Canvas.share(.nan) == 256)
    let (low, high) = (Canvas.Color(red: 10, green: 20, blue: 30), Canvas.Color(red: 110, green: 220, blue: 255))
    #expect(low.mixed(with: high, share: 64) == Canvas.Color(red: 35, green: 70, blue: 86))
    #expect(low.mixed(with: high, share: 0) == low && low.mixed(with: high, share: 256) == high)
  }

  @Test("lines grow with the image", arguments: [(199, 1), (200, 2), (399, 2), (400, 3), (1, 1)])
  func lineWidth(side: Int, width: Int) throws {
    #expect(try Canvas(width: side, height: side).lineWidth == width)
    #expect(try Canvas(width: side, height: 1000).lineWidth == width)
  }

  @Test("text grows with the shorter side", arguments: [(449, 1), (450, 2), (749, 2), (750, 3)])
  func textScale(side: Int, scale: Int) throws {
    #expect(try Canvas(width: side, height: 2000).textScale == scale)
  }

  @Test("rectangles cover the right pixels in an oblong image")
  func rectangles() throws {
    var canvas = try Canvas(width: 5, height: 3)
    canvas.fillRectangle(x: 3, y: 1, width: 2, height: 1, color: .white)
    #expect(try canvas.whiteRows() == [".....", "...##", "....."])
    canvas.fillRectangle(x: 4, y: 2, width: 9, height: 9, color: .white)
    canvas.fillRectangle(x: -1, y: -1, width: 2, height: 2, color: .white)
    #expect(try canvas.whiteRows() == ["#....", "...##", "....#"])
    canvas.fillRectangle(x: 5, y: 0, width: 1, height: 3, color: .white)
    canvas.fillRectangle(x: 0, y: 3, width: 5, height: 1, color: .white)
    canvas.fillRectangle(x: 1, y: 1, width: 0, height: 1, color: .white)
    #expect(try canvas.whiteRows() == ["#....", "...##", "....#"])
  }

  @Test("outlines have the requested width, at most that of the rectangle")
  func outlines() throws {
    var canvas = try Canvas(width: 7, height: 6)
    canvas.strokeRectangle(x: 0, y: 0, width: 7, height: 6, lineWidth: 2, color: .white)
    #expect(try canvas.whiteRows() == ["#######", "#######", "##...##", "##...##", "#######", "#######"])
    var small = try Canvas(width: 5, height: 4)
    small.strokeRectangle(x: 1, y: 1, width: 3, height: 1, lineWidth: 9, color: .white)
    #expect(try small.whiteRows() == [".....", ".###.", ".....", "....."])
    var none = try Canvas(width: 5, height: 4)
    none.strokeRectangle(x: 1, y: 1, width: 3, height: 2, lineWidth: 0, color: .white)
    #expect(try none.whiteRows().allSatisfy { !$0.contains("#") })
  }

  @Test("discs are round, and visible from up to their radius outside")
  func discs() throws {
    var canvas = try Canvas(width: 7, height: 5)
    canvas.fillDisc(centerX: -1, centerY: 2, radius: 2, color: .white)
    #expect(try canvas.whiteRows() == [".......", "#......", "##.....", "#......", "......."])
    canvas.fillDisc(centerX: 8, centerY: 2, radius: 2, color: .white)
    #expect(try canvas.whiteRows()[2] == "##....#" && canvas.whiteRows()[1] == "#......")
    var rows = try Canvas(width: 3, height: 7)
    rows.fillDisc(centerX: 1, centerY: 8, radius: 2, color: .white)
    rows.fillDisc(centerX: 1, centerY: -2, radius: 2, color: .white)
    #expect(try rows.whiteRows() == [".#.", "...", "...", "...", "...", "...", ".#."])
    var wide = try Canvas(width: 3, height: 3)
    wide.fillDisc(centerX: 1, centerY: 1, radius: .max, color: .white)
    #expect(try wide.whiteRows() == ["###", "###", "###"])
  }

  @Test("lines are centered on their endpoints, in both directions, and extend up to eight times the sides")
  func lines() throws {
    var canvas = try Canvas(width: 7, height: 5)
    canvas.strokeLine(fromX: 3, fromY: 1, toX: 3, toY: 3, lineWidth: 2, color: .white)
    #expect(try canvas.whiteRows() == [".......", "...##..", "...##..", "...##..", "...##.."])
    var wide = try Canvas(width: 7, height: 5)
    wide.strokeLine(fromX: 3, fromY: 2, toX: 3, toY: 2, lineWidth: 3, color: .white)
    #expect(try wide.whiteRows() == [".......", "..###..", "..###..", "..###..", "......."])
    var steep = try Canvas(width: 3, height: 5)
    steep.strokeLine(fromX: 2, fromY: 4, toX: 0, toY: 0, lineWidth: 1, color: .white)
    #expect(
      try steep.whiteRows() == ["#..", "#..", ".#.", ".#.", "..#"]
        || steep.whiteRows() == ["#..", ".#.", ".#.", "..#", "..#"])
    for (x, isDrawn) in [(96, true), (97, false), (-96, true), (-97, false)] {
      var far = try Canvas(width: 7, height: 5)
      far.strokeLine(fromX: 3, fromY: 2, toX: x, toY: 2, lineWidth: 1, color: .white)
      #expect(try far.whiteRows()[2].contains("#") == isDrawn, "\(x)")
    }
  }

  @Test("edges are drawn between any two points, including the first and last")
  func edges() throws {
    var canvas = try Canvas(width: 4, height: 2)
    canvas.strokeEdges(
      [(0, 1), (1, 2), (2, 0)], between: [.init(x: 0, y: 0), .init(x: 3, y: 0)], lineWidth: 1, color: .white)
    #expect(try canvas.whiteRows() == ["####", "...."])
  }

  @Test("a mask has one value per pixel", arguments: [5, 7])
  func masks(count: Int) throws {
    var canvas = try Canvas(width: 3, height: 2)
    let message = "a mask of \(count) pixels cannot be laid on an image of 3 × 2; scale it first"
    let first = #expect(throws: ImageError.self) {
      try canvas.tint([UInt8](repeating: 1, count: count), opacity: 1) { _ in .white }
    }
    let second = #expect(throws: ImageError.self) {
      try canvas.tint(strengths: [Float](repeating: 1, count: count), opacity: 1, color: .white)
    }
    #expect(first?.message == message && second?.message == message && first?.code == .invalidSize)
    try canvas.tint(strengths: [0, 0, 1, -1, 0.25, 2], opacity: 1, color: .white)
    #expect(try canvas.rows { $0 == .white ? "#" : $0 == .black ? "." : "o" } == ["..#", ".o#"])
  }

  @Test("text is truncated to its space, ending in two dots")
  func shortened() {
    #expect(Canvas.shortened("abcd", to: 4) == "abcd" && Canvas.shortened("abcde", to: 4) == "ab..")
    #expect(
      Canvas.shortened("abc", to: 2) == ".." && Canvas.shortened("abc", to: 1) == "."
        && Canvas.shortened("abc", to: 0) == "")
    #expect(Canvas.plateSize(of: "ab", scale: 1) == (13, 12) && Canvas.plateSize(of: "", scale: 0) == (1, 12))
    #expect(Canvas.plateSize(of: "ab", scale: 4) == (52, 48))
  }

  @Test("a caption is above its object if there is room", arguments: [(12, 0), (13, 1), (11, 11), (0, 0)])
  func captions(y: Int, top: Int) throws {
    var canvas = try Canvas(width: 30, height: 40, gray: 9)
    canvas.drawCaption("i", x: 3, y: y, plate: .black)
    let rows = try canvas.rows { $0 == .black ? "#" : "." }
    #expect(rows.firstIndex { $0.contains("#") } == top)
  }

  @Test("every letter of the sheet is at the position of its code")
  func letters() {
    #expect(
      BitmapFont.glyph("!") == [4, 4, 4, 4, 4, 0, 4, 0, 0] && BitmapFont.glyph("~") == [0, 0, 18, 21, 9, 0, 0, 0, 0])
    #expect(
      BitmapFont.glyph("A") == [14, 17, 17, 31, 17, 17, 17, 0, 0]
        && BitmapFont.glyph("g") == [0, 0, 30, 17, 17, 17, 30, 16, 14])
    // The sum of all rows of all letters, each with a distinct weight.
    let sum = (0x20...0x7F).reduce(0) { sum, code in
      let glyph = BitmapFont.glyph(Character(UnicodeScalar(UInt8(code))))
      return glyph.enumerated().reduce(sum) { $0 + Int($1.element) * (code * 9 + $1.offset) }
    }
    #expect(sum == 5_297_612, "\(sum)")
  }

  @Test("a legend contains the lines and letters that fit", arguments: [(36, 3), (35, 2), (24, 2), (23, 1)])
  func legendLines(height: Int, count: Int) throws {
    let entries = (0..<3).map { Canvas.LegendEntry(name: "n\($0)", value: "\($0)") }
    var canvas = try Canvas(width: 100, height: height), expected = try Canvas(width: 100, height: height)
    canvas.drawLegend(entries)
    expected.drawLegend(
      count == 3 ? entries : Array(entries.prefix(count - 1)) + [Canvas.LegendEntry(name: "\(4 - count) more")])
    #expect(try canvas.image().packedBytes() == expected.image().packedBytes())
    // The plate is black with an opacity of 0.65.
    var plate = try Canvas(width: 100, height: height, gray: 200)
    plate.drawLegend(entries)
    #expect(try plate.image().packedBytes()[0] == 70)
  }
}
