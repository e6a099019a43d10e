import SwiftletDrawing
import SwiftletImage
import Testing

@Suite("Canvas arguments")
struct CanvasArgumentTests {
  static let integers: [Int] = [.min, .min + 1, -(1 << 40), -1, 0, 1, 2, 1 << 20, 1 << 31, 1 << 40, .max - 1, .max]

  @Test("any values give a result or an error", arguments: integers)
  func drawing(number: Int) throws {
    var canvas = try Canvas(width: 4, height: 4, gray: 9)
    let color = Canvas.Color.distinct(number)
    for (x, y, width, height) in [
      (number, 0, 2, 2), (0, number, 2, 2), (0, 0, number, 2), (0, 0, 2, number), (number, number, number, number),
      (.max, .max, number, number), (.min, .min, number, number),
    ] {
      canvas.fillRectangle(x: x, y: y, width: width, height: height, color: color, opacity: .nan)
      for line in [number, 1] {
        canvas.strokeRectangle(x: x, y: y, width: width, height: height, lineWidth: line, color: color)
      }
      canvas.strokeLine(fromX: x, fromY: y, toX: width, toY: height, lineWidth: number, color: color)
      canvas.fillDisc(centerX: x, centerY: y, radius: width, color: color)
      canvas.drawText("text", x: x, y: y, scale: number, plate: color)
    }
    _ = Canvas.plateSize(of: "text", scale: number)
    canvas.drawLegend([.init(name: String(repeating: "x", count: 1000), value: "1")])
    #expect(throws: ImageError.self) { try canvas.tint([], opacity: .infinity) { _ in color } }
    _ = try canvas.image()
  }
}
