import Testing

@testable import SwiftletVision

@Suite("Heat maps")
struct HeatMapTests {
  /// Returns the refined position on a map of 16 × 8 cells for two points; `cells` have a high value for the second
  /// point.
  private func refined(_ x: Float, _ y: Float, cells: [(column: Int, row: Int)], logit: Float = 0) -> [Float] {
    var logits = [Float](repeating: -.infinity, count: 8 * 16 * 2)
    for cell in cells { logits[(cell.row * 16 + cell.column) * 2 + 1] = logit }
    var (x, y) = (x, y)
    logits.withUnsafeBufferPointer { logits in
      HeatMap(logits, size: (height: 8, width: 16, channels: 2)).refine(point: 1, x: &x, y: &y)
    }
    return [x, y]
  }

  @Test("a landmark moves to the weighted center of the confident cells around it, up to three cells away")
  func middle() {
    #expect(refined(5.5 / 16, 4.5 / 8, cells: [(4, 3), (6, 5)]) == [0.3125, 0.5])
    #expect(refined(5.5 / 16, 4.5 / 8, cells: [(8, 7), (9, 7)]) == [0.5, 0.875])
    // The window is clipped at the edge.
    #expect(refined(0, 0, cells: [(3, 3)]) == [0.1875, 0.375])
    #expect(refined(-0.5 / 16, 0, cells: [(3, 3)]) == [0.1875, 0.375])
  }

  @Test("a landmark stays unchanged if no cell is confident, and outside the map")
  func stays() {
    #expect(refined(0.5, 0.5, cells: []) == [0.5, 0.5])
    #expect(refined(0.5, 0.5, cells: [(8, 4)], logit: -0.1) == [0.5, 0.5])
    for outside: [Float] in [[-1 / 16, 0.5], [1, 0.5], [0.5, 1], [0.5, -0.2], [.infinity, 0.5]] {
      #expect(refined(outside[0], outside[1], cells: [(8, 4), (0, 4), (15, 4)]) == outside)
    }
    #expect(refined(.nan, 0.5, cells: [(8, 4)])[1] == 0.5)
  }
}
