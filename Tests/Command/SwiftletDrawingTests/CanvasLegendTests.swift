import Testing

@testable import SwiftletDrawing

@Suite("Legend on a canvas")
struct CanvasLegendTests {
  private let blue = Canvas.Color(red: 0, green: 0, blue: 255)

  /// Returns the rows with letters as "#", swatches as "o", and the plate as ":".
  private func rows(_ canvas: Canvas) throws -> [String] {
    try canvas.rows { color in
      switch color {
      case .white: "#"
      case blue: "o"
      case Canvas.Color(red: 100, green: 100, blue: 100): "."
      default: ":"
      }
    }
  }

  @Test("has a line per entry with swatch, name, and right-aligned value, on a translucent plate")
  func layout() throws {
    var canvas = try Canvas(width: 50, height: 26, gray: 100)
    canvas.drawLegend([
      Canvas.LegendEntry(swatch: blue, name: "I", value: "1"), Canvas.LegendEntry(name: "II", value: "-"),
    ])
    let drawn = try rows(canvas)
    let beside = String(repeating: ".", count: 13)
    // Two letters for the swatch, two for the name, a gap, and one for the value.
    #expect(drawn[0] == String(repeating: ":", count: 37) + beside)
    #expect(drawn[2] == ":ooooooo::::::###::::::::::::::::#:::" + beside)
    #expect(drawn[17] == ":::::::::::::::#:::::#:::::::::#####:" + beside)
    #expect(drawn[23] == drawn[0])
    #expect(drawn[24] == String(repeating: ".", count: 50))
  }

  @Test("counts the lines that don't fit in the last line")
  func tooManyLines() throws {
    let entries = (0..<9).map { Canvas.LegendEntry(name: "class \($0)", value: "1%") }
    var canvas = try Canvas(width: 100, height: 40)
    canvas.drawLegend(entries)
    var expected = try Canvas(width: 100, height: 40)
    expected.drawLegend(Array(entries.prefix(2)) + [Canvas.LegendEntry(name: "7 more", value: "")])
    #expect(try canvas.whiteRows() == expected.whiteRows())
    #expect(try canvas.whiteRows()[26...].joined().contains("#"))
  }

  @Test("truncates names, not values")
  func longNames() throws {
    var canvas = try Canvas(width: 61, height: 20)
    canvas.drawLegend([Canvas.LegendEntry(name: "a rather long name", value: "99%")])
    var expected = try Canvas(width: 61, height: 20)
    expected.drawLegend([Canvas.LegendEntry(name: "a ra..", value: "99%")])
    #expect(try canvas.whiteRows() == expected.whiteRows())
  }

  @Test("reduces the text size if the list would not fit")
  func shrinks() throws {
    let entries = (0..<30).map { Canvas.LegendEntry(name: "\($0)") }
    var canvas = try Canvas(width: 600, height: 400)
    #expect(canvas.textScale == 1)
    canvas = try Canvas(width: 800, height: 600)
    #expect(canvas.textScale == 2)
    canvas.drawLegend(entries)
    // Thirty lines of 12 pixels; at twice the size they would take more than the image's height.
    let lit = try canvas.whiteRows().indices(where: { $0.contains("#") })
    #expect(lit.ranges.last?.upperBound == 29 * 12 + 9)
  }

  @Test("draws nothing for no entries")
  func empty() throws {
    var canvas = try Canvas(width: 20, height: 20, gray: 7)
    canvas.drawLegend([])
    #expect(try canvas.image().packedBytes().allSatisfy { $0 == 7 })
  }
}
