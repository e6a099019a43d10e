import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Geometry of hands")
struct HandGeometryTests {
  private let geometry: RegionGeometry

  init() throws {
    geometry = RegionGeometry(
      try InputImage(rgb: [UInt8](repeating: 0, count: 200 * 100 * 3), width: 200, height: 100))
  }

  /// Returns pixel positions as landmarks of an image of 200 × 100.
  private func hand(_ place: (Int) -> SIMD2<Float>) -> [NormalizedLandmark] {
    (0..<21).map { index in
      let point = place(index) / SIMD2(200, 100)
      return NormalizedLandmark(x: point.x, y: point.y, z: 0)
    }
  }

  /// Returns an upright hand, 40 pixels wide at its knuckles, 30 from there to the wrist. All other landmarks are far
  /// away.
  private func upright(_ index: Int) -> SIMD2<Float> {
    switch index {
    case 0: SIMD2(100, 80)
    case 1, 2, 3: SIMD2(90, 60)
    case 5, 6: SIMD2(80, 50)
    case 9, 10: SIMD2(100, 50)
    case 13, 14: SIMD2(110, 50)
    case 17, 18: SIMD2(120, 50)
    default: SIMD2(1000, -1000)
    }
  }

  /// Returns the same hand with the mean of the knuckles above the wrist.
  private func square(_ index: Int) -> SIMD2<Float> {
    index == 13 || index == 14 ? SIMD2(120, 50) : upright(index)
  }

  @Test("the next region covers wrist and lower joints, shifted toward the fingers, at twice the size")
  func nextRegion() {
    let region = HandGeometry.nextRegion(hand(upright), geometry)
    // The mean of the knuckles, with the middle one counted twice, is 2.5 pixels left of the wrist.
    let angle = Float(-0.083141)
    #expect(abs(region.rotation - angle) < 1e-4)
    let straight = HandGeometry.nextRegion(hand(square), geometry)
    #expect(abs(straight.rotation) < 1e-6)
    // 40 × 30 pixels around (100, 65): shifted up by 3, then a square of 80.
    #expect(abs(straight.center.x - 0.5) < 1e-5 && abs(straight.center.y - 0.62) < 1e-5)
    #expect(abs(straight.width - 0.4) < 1e-5 && abs(straight.height - 0.8) < 1e-5)
  }

  @Test("a hand that points right has a rotated region")
  func turned() {
    let points = hand { index in
      let way = square(index) - SIMD2<Float>(100, 65)
      return SIMD2(100 - way.y, 65 + way.x)
    }
    let region = HandGeometry.nextRegion(points, geometry)
    #expect(abs(region.rotation - .pi / 2) < 1e-5)
    #expect(abs(region.center.x - 0.515) < 1e-5 && abs(region.center.y - 0.65) < 1e-5)
  }

  /// Returns a hand like ``upright(_:)``, but with all landmarks near the palm, 50 pixels long and wide.
  private func compact(_ index: Int) -> SIMD2<Float> {
    index == 0 ? SIMD2(100, 90) : SIMD2(75 + Float(index % 5) * 12.5, 40 + Float(index / 5) * 5)
  }

  @Test("hands with close landmarks are duplicates")
  func close() {
    let one = hand(compact)
    let size: Float = max(
      geometry.distance(one[0].point, one[5].point), geometry.distance(one[5].point, one[17].point),
      geometry.distance(one[17].point, one[0].point))
    let reach = 0.2 * size
    #expect(HandGeometry.areOne(one, one, geometry))
    #expect(HandGeometry.areOne(one, hand { compact($0) + SIMD2(reach - 0.1, 0) }, geometry))
    #expect(!HandGeometry.areOne(one, hand { compact($0) + SIMD2(reach + 0.1, 0) }, geometry))
    #expect(!HandGeometry.areOne(one, hand { compact($0) + SIMD2(0, reach + 0.1) }, geometry))
  }

  @Test("duplicates require ten close landmarks")
  func ten() {
    let one = hand(compact)
    for (count, areOne) in [(10, true), (9, false)] {
      // Moved within the box. Landmarks 0, 5, and 17, which determine the size of a hand, stay.
      let moved = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20].suffix(21 - count)
      let other = hand { moved.contains($0) ? SIMD2(101, 89) : compact($0) }
      #expect(HandGeometry.areOne(one, other, geometry) == areOne, "\(count)")
    }
  }

  @Test("boxes that hardly overlap belong to two hands")
  func boxes() {
    let one = hand(compact)
    #expect(!HandGeometry.areOne(one, hand { $0 == 20 ? SIMD2(1000, 1000) : compact($0) }, geometry))
  }

  @Test("NaN hands are not duplicates")
  func undefined() {
    let none = hand { _ in SIMD2(.nan, .nan) }
    #expect(!HandGeometry.areOne(none, none, geometry))
    #expect(!geometry.isUsable(HandGeometry.nextRegion(none, geometry)))
  }
}
