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

  init(_ image: InputImage) { self.init(width: image.width, height: image.height, orientation: image.orientation) }

  /// Of the upright picture, in pixels.
  var uprightWidth: Double { Double(orientation.swapsWidthAndHeight ? height : width) }
  var uprightHeight: Double { Double(orientation.swapsWidthAndHeight ? width : height) }

  /// A box of the upright picture in the stored one.
  func stored(_ box: PixelRect) -> PixelRect {
    Self.mapped(box, by: orientation.uprightToStored, toWidth: Double(width), height: Double(height))
  }

  /// A box of the stored picture in the upright one.
  func upright(_ box: PixelRect) -> PixelRect {
    Self.mapped(box, by: orientation.storedToUpright, toWidth: uprightWidth, height: uprightHeight)
  }

  /// A box of the upright picture cut at its edges; `nil` when nothing is left.
  func clipped(_ box: PixelRect) -> PixelRect? {
    let part = box.clipped(width: uprightWidth, height: uprightHeight)
    return part.isUsable ? part : nil
  }

  /// A box of the stored picture as fractions of it, as tasks take a region of interest.
  func regionOfInterest(_ stored: PixelRect) -> NormalizedRect {
    let (x, y) = (stored.x / Double(width), stored.y / Double(height))
    let (width, height) = (stored.width / Double(width), stored.height / Double(height))
    return NormalizedRect(
      left: Float(x), top: Float(y), right: Float(x + width), bottom: Float(y + height))
  }

  /// The maps of orientations have factors of 0 and ±1 only: what is a shift by 1 there is one by the size of the
  /// target in pixels.
  private static func mapped(
    _ box: PixelRect, by map: ImageProjection, toWidth width: Double, height: Double
  ) -> PixelRect {
    func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (
        Double(map.xx) * x + Double(map.xy) * y + Double(map.x0) * width,
        Double(map.yx) * x + Double(map.yy) * y + Double(map.y0) * height
      )
    }
    let (first, last) = (point(box.x, box.y), point(box.x + box.width, box.y + box.height))
    return PixelRect(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x), height: abs(last.y - first.y))
  }
}
