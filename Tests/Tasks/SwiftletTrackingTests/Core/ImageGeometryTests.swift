import Foundation
import SwiftletImage
import Testing

@testable @_spi(Facades) import SwiftletTracking

@Suite("Image geometry")
struct ImageGeometryTests {
  /// The upright position of the point (x, y) of a stored image of 40 × 30: the table of EXIF orientations.
  static let table: [(ImageOrientation, @Sendable (Double, Double) -> (Double, Double))] = [
    (.up, { ($0, $1) }), (.upMirrored, { (40 - $0, $1) }), (.down, { (40 - $0, 30 - $1) }),
    (.downMirrored, { ($0, 30 - $1) }),
    (.leftMirrored, { ($1, $0) }), (.right, { (30 - $1, $0) }), (.rightMirrored, { (30 - $1, 40 - $0) }),
    (.left, { ($1, 40 - $0) }),
  ]

  @Test("boxes are rotated by the table of orientations, and back")
  func orientations() {
    let box = PixelRect(x: 3, y: 5, width: 11, height: 7)
    for (orientation, map) in Self.table {
      let geometry = ImageGeometry(width: 40, height: 30, orientation: orientation)
      let (first, last) = (map(3, 5), map(14, 12))
      let expected = PixelRect(
        x: min(first.0, last.0), y: min(first.1, last.1), width: abs(first.0 - last.0), height: abs(first.1 - last.1))
      #expect(geometry.upright(box) == expected, "\(orientation)")
      #expect(geometry.stored(geometry.upright(box)) == box, "\(orientation)")
    }
  }

  @Test("an object has its box in the stored image and in the upright one")
  func helpers() {
    let geometry = ImageGeometry(width: 40, height: 20, orientation: .right)
    let object = TrackedObject(
      box: PixelRect(x: 2, y: 4, width: 6, height: 10), geometry: geometry, trackingID: nil, labels: [], score: 1,
      isPredicted: false)
    // The object is 20 × 40 in the upright image; the top of the scene is at the right edge of the stored image.
    #expect(object.box == PixelRect(x: 4, y: 12, width: 10, height: 6))
    #expect(object.uprightBox == PixelRect(x: 2, y: 4, width: 6, height: 10))
    #expect(object.imageSize(upright: false) == (40, 20) && object.imageSize(upright: true) == (20, 40))
  }

  @Test("a box is clipped to the image, and a box outside is dropped")
  func clipping() {
    let geometry = ImageGeometry(width: 40, height: 30, orientation: .left)
    #expect(
      geometry.clipped(PixelRect(x: -5, y: 30, width: 20, height: 20))
        == PixelRect(x: 0, y: 30, width: 15, height: 10))
    #expect(geometry.clipped(PixelRect(x: 30, y: 5, width: 5, height: 5)) == nil)
    #expect(geometry.clipped(PixelRect(x: 5, y: 5, width: 0, height: 5)) == nil)
  }
}
