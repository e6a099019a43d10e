extension Canvas {
  /// Draws a straight line between two points, `lineWidth` pixels wide; what lies outside is left out.
  ///
  /// - Parameter lineWidth: 1 at least, and at most the longer side of the picture; other numbers count as the nearest
  ///   of these.
  /// - Complexity: O(length · lineWidth²) time; lines to points further off than eight times both sides of the picture
  ///   together are not drawn.
  package mutating func strokeLine(fromX: Int, fromY: Int, toX: Int, toY: Int, lineWidth: Int, color: Color) {
    let reach = 8 * (width + height)
    guard [fromX, fromY, toX, toY].allSatisfy((-reach...reach).contains) else { return }
    let lineWidth = max(1, min(lineWidth, max(width, height)))
    let steps = max(abs(toX - fromX), abs(toY - fromY))
    for step in 0...steps {
      // Rounded to the nearest pixel, in whole numbers.
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
