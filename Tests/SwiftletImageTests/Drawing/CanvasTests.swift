import Testing

@testable import SwiftletImage

@Suite("Canvas")
struct CanvasTests {
  private func canvas(_ width: Int, _ height: Int) throws -> Canvas {
    try Canvas(
      ImageBuffer(bytes: [UInt8](repeating: 0, count: width * height), width: width, height: height, pixelFormat: .gray8))
  }

  /// Which pixels are white, as rows of text.
  private func rows(_ canvas: Canvas) throws -> [String] {
    let bytes = try canvas.image().packedBytes()
    return (0..<canvas.height).map { row in
      String((0..<canvas.width).map { bytes[(row * canvas.width + $0) * 3] == 255 ? "#" : "." })
    }
  }

  @Test("outlines a rectangle to the inside")
  func outline() throws {
    var canvas = try canvas(6, 5)
    canvas.strokeRectangle(x: 1, y: 1, width: 4, height: 3, lineWidth: 1, color: .white)
    #expect(try rows(canvas) == ["......", ".####.", ".#..#.", ".####.", "......"])
  }

  @Test("leaves out what lies outside of the picture, however far")
  func clipping() throws {
    var canvas = try canvas(4, 3)
    canvas.strokeRectangle(x: -2, y: -1, width: 4, height: 3, lineWidth: 1, color: .white)
    canvas.fillRectangle(x: Int.max, y: 0, width: Int.max, height: 1, color: .white)
    canvas.fillRectangle(x: -5, y: 1, width: 3, height: -4, color: .white)
    canvas.fillDisc(centerX: 3, centerY: 2, radius: 0, color: .white)
    #expect(try rows(canvas) == [".#..", "##..", "...#"])
  }

  @Test("draws discs")
  func disc() throws {
    var canvas = try canvas(5, 5)
    canvas.fillDisc(centerX: 2, centerY: 2, radius: 2, color: .white)
    #expect(try rows(canvas) == ["..#..", ".###.", "#####", ".###.", "..#.."])
  }

  @Test("numbers have colours of their own, also negative ones")
  func colors() {
    #expect(Set((0..<8).map(Canvas.Color.distinct)).count == 8)
    #expect(Canvas.Color.distinct(-1) == Canvas.Color.distinct(7))
  }
}
