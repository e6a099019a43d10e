import Testing

@testable import SwiftletTracking

@Suite("Bounding boxes")
struct BoundingBoxTests {
  @Test("are created around a center, and expand by a fraction of their size")
  func places() {
    let box = PixelRect(x: 10, y: 20, width: 30, height: 40)
    #expect(PixelRect(centerX: 25, centerY: 40, width: 30, height: 40) == box)
    #expect(box.grown(by: 0.5) == PixelRect(x: -5, y: 0, width: 60, height: 80))
  }

  @Test("are clipped to an image, and empty if they are outside")
  func clips() {
    #expect(
      PixelRect(x: -5, y: 90, width: 20, height: 20).clipped(width: 100, height: 100)
        == PixelRect(x: 0, y: 90, width: 15, height: 10))
    #expect(
      PixelRect(x: 3, y: 4, width: 5, height: 6).clipped(width: 100, height: 100)
        == PixelRect(x: 3, y: 4, width: 5, height: 6))
    #expect(PixelRect(x: 200, y: 4, width: 5, height: 6).clipped(width: 100, height: 100).area == 0)
    #expect(PixelRect(x: .nan, y: 4, width: 5, height: 6).clipped(width: 100, height: 100).area == 0)
  }

  @Test("are prominent by score, size, and distance from the center")
  func prominence() {
    func prominence(_ box: PixelRect, _ score: Double = 1) -> Double {
      box.prominence(score: score, frameWidth: 300, frameHeight: 400)
    }
    #expect(prominence(PixelRect(x: 0, y: 0, width: 300, height: 400)) == 1)
    #expect(prominence(PixelRect(x: -50, y: -50, width: 900, height: 900), 0.5) == 0.5)
    // A hundredth of the area at the center, and the same with its center halfway to a corner.
    #expect(abs(prominence(PixelRect(centerX: 150, centerY: 200, width: 30, height: 40)) - 0.1) < 1e-12)
    #expect(abs(prominence(PixelRect(centerX: 75, centerY: 100, width: 30, height: 40)) - 0.075) < 1e-12)
    #expect(prominence(PixelRect(x: 400, y: 0, width: 30, height: 40)) == 0)
  }
}
