package import Foundation

/// The size of a stored picture and how it is turned: what leads from upright coordinates to stored ones and back, both
/// in pixels.
///
/// - Source: the table of EXIF orientations; edges of boxes are continuous, so that a picture of width W reaches from 0
///   to W.
struct PictureGeometry: Sendable, Hashable {
  /// Of the picture as it is stored, in pixels.
  var width: Int
  var height: Int
  var orientation: ImageOrientation

  init(width: Int, height: Int, orientation: ImageOrientation) {
    self.width = width
    self.height = height
    self.orientation = orientation
  }

  init(_ image: MPImage) { self.init(width: image.width, height: image.height, orientation: image.orientation) }

  /// Of the upright picture, in pixels.
  var uprightWidth: Double { Double(orientation.swapsWidthAndHeight ? height : width) }
  var uprightHeight: Double { Double(orientation.swapsWidthAndHeight ? width : height) }

  /// A box of the upright picture in the stored one.
  func stored(_ box: BoundingBox) -> BoundingBox {
    Self.mapped(box, by: orientation.uprightToStored, toWidth: Double(width), height: Double(height))
  }

  /// A box of the stored picture in the upright one.
  func upright(_ box: BoundingBox) -> BoundingBox {
    Self.mapped(box, by: orientation.storedToUpright, toWidth: uprightWidth, height: uprightHeight)
  }

  /// A box of the upright picture cut at its edges; `nil` when nothing is left.
  func clipped(_ box: BoundingBox) -> BoundingBox? {
    let part = box.clipped(width: uprightWidth, height: uprightHeight)
    return part.isUsable ? part : nil
  }

  /// A box of the stored picture as fractions of it, as tasks take a region of interest.
  func regionOfInterest(_ stored: BoundingBox) -> NormalizedRect {
    NormalizedRect(
      CGRect(
        x: stored.x / Double(width), y: stored.y / Double(height), width: stored.width / Double(width),
        height: stored.height / Double(height)))
  }

  /// The maps of orientations have factors of 0 and ±1 only: what is a shift by 1 there is one by the size of the
  /// target in pixels.
  private static func mapped(
    _ box: BoundingBox, by map: ImageProjection, toWidth width: Double, height: Double
  ) -> BoundingBox {
    func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (
        Double(map.xx) * x + Double(map.xy) * y + Double(map.x0) * width,
        Double(map.yx) * x + Double(map.yy) * y + Double(map.y0) * height
      )
    }
    let (first, last) = (point(box.x, box.y), point(box.x + box.width, box.y + box.height))
    return BoundingBox(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x), height: abs(last.y - first.y))
  }
}

extension CGRect {
  init(_ box: BoundingBox) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
}

extension BoundingBox {
  package init(_ rectangle: CGRect) {
    self.init(x: rectangle.origin.x, y: rectangle.origin.y, width: rectangle.size.width, height: rectangle.size.height)
  }
}
