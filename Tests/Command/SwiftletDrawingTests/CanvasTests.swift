import SwiftletImage
import Testing

@testable import SwiftletDrawing

@Suite("Canvas")
struct CanvasTests {
  @Test("outlines a rectangle to the inside")
  func outline() throws {
    var canvas = try Canvas(width: 6, height: 5)
    canvas.strokeRectangle(x: 1, y: 1, width: 4, height: 3, lineWidth: 1, color: .white)
    #expect(try canvas.whiteRows() == ["......", ".####.", ".#..#.", ".####.", "......"])
  }

  @Test("clips at the image bounds, however far outside")
  func clipping() throws {
    var canvas = try Canvas(width: 4, height: 3)
    canvas.strokeRectangle(x: -2, y: -1, width: 4, height: 3, lineWidth: 1, color: .white)
    canvas.fillRectangle(x: Int.max, y: 0, width: Int.max, height: 1, color: .white)
    canvas.fillRectangle(x: -5, y: 1, width: 3, height: -4, color: .white)
    canvas.fillDisc(centerX: 3, centerY: 2, radius: 0, color: .white)
    #expect(try canvas.whiteRows() == [".#..", "##..", "...#"])
  }

  @Test("draws discs")
  func disc() throws {
    var canvas = try Canvas(width: 5, height: 5)
    canvas.fillDisc(centerX: 2, centerY: 2, radius: 2, color: .white)
    #expect(try canvas.whiteRows() == ["..#..", ".###.", "#####", ".###.", "..#.."])
  }

  @Test("draws lines between points, inclusive, and none to points far outside")
  func line() throws {
    var canvas = try Canvas(width: 6, height: 4)
    canvas.strokeLine(fromX: 0, fromY: 0, toX: 5, toY: 2, lineWidth: 1, color: .white)
    canvas.strokeLine(fromX: 0, fromY: 3, toX: 0, toY: 3, lineWidth: 1, color: .white)
    canvas.strokeLine(fromX: 2, fromY: 3, toX: Int.max, toY: Int.min, lineWidth: 1, color: .white)
    #expect(try canvas.whiteRows() == ["##....", "..##..", "....##", "#....."])
    var back = try Canvas(width: 6, height: 4)
    back.strokeLine(fromX: 9, fromY: 3, toX: 3, toY: 3, lineWidth: 3, color: .white)
    #expect(try back.whiteRows() == ["......", "......", "..####", "..####"])
  }

  @Test(
    "blends a color with the background by its opacity",
    arguments: [(0, 100), (0.5, 178), (1, 255), (-1, 100), (7, 255), (.nan, 255)] as [(Float, UInt8)])
  func opacity(opacity: Float, expected: UInt8) throws {
    var canvas = try Canvas(width: 1, height: 1, gray: 100)
    canvas.fillRectangle(x: 0, y: 0, width: 1, height: 1, color: .white, opacity: opacity)
    #expect(try canvas.image().packedBytes() == [expected, expected, expected])
  }

  @Test("tints every pixel by its category, except pixels without a color")
  func tint() throws {
    var canvas = try Canvas(width: 3, height: 2, gray: 100)
    let red = Canvas.Color(red: 200, green: 0, blue: 0)
    try canvas.tint([0, 1, 255, 1, 0, 0], opacity: 0.5) { $0 == 1 ? red : $0 == 255 ? .white : nil }
    let rows = try canvas.rows { color in
      switch color {
      case Canvas.Color(red: 150, green: 50, blue: 50): "r"
      case Canvas.Color(red: 178, green: 178, blue: 178): "w"
      case Canvas.Color(red: 100, green: 100, blue: 100): "."
      default: "?"
      }
    }
    #expect(rows == [".rw", "r.."])
  }

  @Test("rejects a mask with a size other than the image's")
  func tintOfOtherSize() throws {
    var canvas = try Canvas(width: 3, height: 2)
    #expect { try canvas.tint([0, 1], opacity: 1) { _ in .white } } throws: { error in
      (error as? ImageError)?.code == .invalidSize && "\(error)".contains("3 × 2")
    }
  }

  @Test("numbers have distinct colors, also negative ones")
  func colors() {
    #expect(Set((0..<24).map(Canvas.Color.distinct)).count == 24)
    #expect(Canvas.Color.distinct(-1) == Canvas.Color.distinct(23))
    #expect(Canvas.Color.distinct(24) == Canvas.Color.distinct(0))
  }

  @Test("text on a color is black or white, depending on contrast")
  func readable() {
    #expect(Canvas.Color.white.readable == .black)
    #expect(Canvas.Color.black.readable == .white)
    #expect(Canvas.Color(red: 255, green: 220, blue: 0).readable == .black)
    #expect(Canvas.Color(red: 0, green: 0, blue: 255).readable == .white)
  }
}
