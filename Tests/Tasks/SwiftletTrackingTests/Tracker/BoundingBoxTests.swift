import Testing

@testable import SwiftletTracking

@Suite("Bounding boxes")
struct BoundingBoxTests {
  @Test("know their area and centre")
  func measures() {
    let box = BoundingBox(x: 10, y: 20, width: 30, height: 40)
    #expect(box.area == 1200)
    #expect(box.center == (25, 40))
    #expect(BoundingBox(centerX: 25, centerY: 40, width: 30, height: 40) == box)
    #expect(BoundingBox(x: 0, y: 0, width: -3, height: -4).area == 0)
  }

  @Test("overlap as shared area over united area")
  func overlap() {
    let box = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    #expect(box.intersectionOverUnion(with: box) == 1)
    #expect(box.intersectionOverUnion(with: BoundingBox(x: 5, y: 0, width: 10, height: 10)) == 50.0 / 150)
    #expect(box.intersectionOverUnion(with: BoundingBox(x: 10, y: 0, width: 10, height: 10)) == 0)
    #expect(box.intersectionOverUnion(with: BoundingBox(x: 20, y: 20, width: 1, height: 1)) == 0)
  }

  @Test("without an area, or not made of numbers, overlap with nothing")
  func degenerateOverlap() {
    let box = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    let others = [
      BoundingBox(x: 2, y: 2, width: 0, height: 5), BoundingBox(x: 2, y: 2, width: -5, height: 5),
      BoundingBox(x: .nan, y: 0, width: 10, height: 10),
      BoundingBox(x: 0, y: 0, width: .nan, height: 10), BoundingBox(x: -.infinity, y: 0, width: .infinity, height: 10),
    ]
    for other in others {
      #expect(box.intersectionOverUnion(with: other) == 0, "\(other)")
      #expect(other.intersectionOverUnion(with: box) == 0, "\(other)")
      #expect(other.intersectionOverUnion(with: other) == 0, "\(other)")
      #expect(!other.isUsable)
    }
    let huge = BoundingBox(x: -1e308, y: -1e308, width: 1.7e308, height: 1.7e308)
    #expect((0...1).contains(huge.intersectionOverUnion(with: huge)))
    #expect((0...1).contains(huge.intersectionOverUnion(with: box)))
  }

  @Test("are clipped to a picture, to nothing when they lie outside")
  func clips() {
    #expect(
      BoundingBox(x: -5, y: 90, width: 20, height: 20).clipped(width: 100, height: 100)
        == BoundingBox(x: 0, y: 90, width: 15, height: 10))
    #expect(
      BoundingBox(x: 3, y: 4, width: 5, height: 6).clipped(width: 100, height: 100)
        == BoundingBox(x: 3, y: 4, width: 5, height: 6))
    #expect(BoundingBox(x: 200, y: 4, width: 5, height: 6).clipped(width: 100, height: 100).area == 0)
    #expect(BoundingBox(x: .nan, y: 4, width: 5, height: 6).clipped(width: 100, height: 100).area == 0)
  }

  @Test("stand out by score, size and nearness to the middle")
  func prominence() {
    func prominence(_ box: BoundingBox, _ score: Double = 1) -> Double {
      box.prominence(score: score, frameWidth: 300, frameHeight: 400)
    }
    #expect(prominence(BoundingBox(x: 0, y: 0, width: 300, height: 400)) == 1)
    #expect(prominence(BoundingBox(x: -50, y: -50, width: 900, height: 900), 0.5) == 0.5)
    // A hundredth of the area in the middle, and the same with its centre half way to a corner.
    #expect(abs(prominence(BoundingBox(centerX: 150, centerY: 200, width: 30, height: 40)) - 0.1) < 1e-12)
    #expect(abs(prominence(BoundingBox(centerX: 75, centerY: 100, width: 30, height: 40)) - 0.075) < 1e-12)
    #expect(prominence(BoundingBox(x: 400, y: 0, width: 30, height: 40)) == 0)
  }
}
