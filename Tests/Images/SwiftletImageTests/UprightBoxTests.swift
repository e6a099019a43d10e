import SwiftletImage
import Testing

@Suite("Upright boxes")
struct UprightBoxTests {
  @Test("have edges, area, and center")
  func measures() {
    let box = UprightBox<Double>(x: 10, y: 20, width: 30, height: 40)
    #expect(box.right == 40 && box.bottom == 60)
    #expect(box.area == 1200)
    #expect(box.center == (25, 40))
    #expect(UprightBox<Float>(x: 0, y: 0, width: -3, height: -4).area == 0)
  }

  @Test("overlap is intersection over union")
  func overlap() {
    let box = UprightBox<Double>(x: 0, y: 0, width: 10, height: 10)
    #expect(box.intersectionOverUnion(with: box) == 1)
    #expect(box.intersectionOverUnion(with: UprightBox(x: 5, y: 0, width: 10, height: 10)) == 50.0 / 150)
    #expect(box.intersectionOverUnion(with: UprightBox(x: 2, y: 2, width: 5, height: 4)) == 0.2)
    #expect(
      box.intersection(with: UprightBox(x: 5, y: -2, width: 10, height: 10))
        == UprightBox(x: 5, y: 0, width: 5, height: 8))
  }

  @Test("separate and touching boxes don't overlap, on any side")
  func apart() {
    let box = UprightBox<Float>(x: 0, y: 0, width: 10, height: 10)
    for distance in [Float(10), 11] {
      for (x, y) in [(distance, 0), (-distance, 0), (0, distance), (0, -distance), (distance, distance)]
        as [(Float, Float)]
      {
        let other = UprightBox(x: x, y: y, width: 10, height: 10)
        #expect(box.intersectionOverUnion(with: other) == 0)
        #expect(box.intersection(with: other).area == 0)
      }
    }
  }

  @Test("boxes without area, and NaN boxes, overlap with nothing")
  func degenerateOverlap() {
    let box = UprightBox<Double>(x: 0, y: 0, width: 10, height: 10)
    let others = [
      UprightBox<Double>(x: 2, y: 2, width: 0, height: 5), UprightBox(x: 2, y: 2, width: -5, height: 5),
      UprightBox(x: 8, y: 8, width: -5, height: -5), UprightBox(x: .nan, y: 0, width: 10, height: 10),
      UprightBox(x: 0, y: 0, width: .nan, height: 10), UprightBox(x: 0, y: 0, width: 10, height: .infinity),
      UprightBox(x: -.infinity, y: 0, width: .infinity, height: 10),
    ]
    for other in others {
      #expect(box.intersectionOverUnion(with: other) == 0, "\(other)")
      #expect(other.intersectionOverUnion(with: box) == 0, "\(other)")
      #expect(other.intersectionOverUnion(with: other) == 0, "\(other)")
      #expect(!other.isUsable)
    }
    let huge = UprightBox<Double>(x: -1e308, y: -1e308, width: 1.7e308, height: 1.7e308)
    #expect((0...1).contains(huge.intersectionOverUnion(with: huge)))
    #expect((0...1).contains(huge.intersectionOverUnion(with: box)))
  }

  @Test("a box is printed as position and size")
  func description() {
    #expect("\(PixelRect(x: 1, y: 2.5, width: 3, height: 4))" == "(x: 1.0, y: 2.5, width: 3.0, height: 4.0)")
  }
}
