import SwiftletBase

/// A rotated rectangle in image pixels: a ``NormalizedRect`` applied to an image size.
///
/// All values have single precision, as in MediaPipe, because the warp must reproduce MediaPipe's bytes.
struct PixelRegion: Sendable, Hashable {
  /// The bound of region coordinates in pixels. It lets coordinates in units of 1/32 pixel fit 32 bits.
  static let farthestPixel: Float = 16_777_216
  /// The minimum width and height in pixels. The corners of smaller regions may coincide, and then no map to the tensor
  /// exists.
  fileprivate static let leastSide: Float = 0x1p-10

  var centerX: Float
  var centerY: Float
  var width: Float
  var height: Float
  /// The clockwise rotation in radians.
  var rotation: Float

  init(centerX: Float, centerY: Float, width: Float, height: Float, rotation: Float) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
    self.rotation = rotation
  }

  /// Creates a region.
  ///
  /// - Throws: ``ImageError`` if the region can't be cropped.
  init(_ rect: NormalizedRect, imageWidth: Int, imageHeight: Int) throws(ImageError) {
    self.init(unchecked: rect, imageWidth: imageWidth, imageHeight: imageHeight)
    guard hasArea else {
      throw ImageError(
        code: .invalidRegion,
        message: """
          region of interest is \(rect.width) × \(rect.height) of the image; \
          width and height must be greater than 0
          """)
    }
    guard isWithinReach else {
      throw ImageError(
        code: .invalidRegion,
        message: """
          region of interest at (\(rect.center.x), \(rect.center.y)), \(rect.width) × \(rect.height), turned by \
          \(rect.rotation) radians, is not a number or too far from an image of \(imageWidth) × \(imageHeight) pixels; \
          coordinates are fractions of the image, 0…1 inside it
          """)
    }
  }

  /// Creates a region without checks.
  fileprivate init(unchecked rect: NormalizedRect, imageWidth: Int, imageHeight: Int) {
    self.init(
      centerX: rect.center.x * Float(imageWidth), centerY: rect.center.y * Float(imageHeight),
      width: rect.width * Float(imageWidth), height: rect.height * Float(imageHeight), rotation: rect.rotation)
  }

  fileprivate var hasArea: Bool { width > 0 && height > 0 }

  /// Whether all numbers of the region are valid and the region ends before ``farthestPixel``.
  fileprivate var isWithinReach: Bool {
    // The maximum distance from the center is half the diagonal, which is less than half of width plus height.
    let reach = (width + height) / 2
    return abs(centerX) + reach < Self.farthestPixel && abs(centerY) + reach < Self.farthestPixel
      && abs(rotation) < 1e6
  }

  /// Returns the region extended about its center, in one direction, to the aspect ratio of the tensor.
  ///
  /// The area outside the image becomes the letterbox. Projecting results with the extended region removes it.
  func grown(toAspectOfWidth tensorWidth: Int, height tensorHeight: Int) -> PixelRegion {
    let tensorAspect = Float(tensorHeight) / Float(tensorWidth)
    var grown = self
    if tensorAspect > height / width {
      grown.height = width * tensorAspect
    } else {
      grown.width = height / tensorAspect
    }
    return grown
  }

  /// Returns the region in the mirrored image.
  func mirrored(imageWidth: Int) -> PixelRegion {
    var mirrored = self
    mirrored.centerX = Float(imageWidth) - centerX
    mirrored.rotation = -rotation
    return mirrored
  }

  /// The corners that become the bottom left, top left, top right, and bottom right of the tensor.
  ///
  /// The conversion through degrees and the single-precision products are the same as in OpenCV's rotated rectangle.
  var corners: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>, SIMD2<Float>) {
    let degrees = Float(Double(rotation * 180) / Double.pi)
    let angle = Double(degrees) * Double.pi / 180
    let halfCosine = Float(cos(angle)) * 0.5
    let halfSine = Float(sin(angle)) * 0.5
    let sineHeight = halfSine * height
    let cosineWidth = halfCosine * width
    let cosineHeight = halfCosine * height
    let sineWidth = halfSine * width
    return (
      SIMD2(centerX - sineHeight - cosineWidth, centerY + cosineHeight - sineWidth),
      SIMD2(centerX + sineHeight - cosineWidth, centerY - cosineHeight - sineWidth),
      SIMD2(centerX + sineHeight + cosineWidth, centerY - cosineHeight + sineWidth),
      SIMD2(centerX - sineHeight + cosineWidth, centerY + cosineHeight + sineWidth)
    )
  }
}

extension NormalizedRect {
  /// Returns whether ``ImageToTensor`` can crop the rectangle from an image of this size.
  ///
  /// The sides must be at least 2⁻¹⁰ pixel, and at least 2⁻²⁰ of the distance to the center, so that the corners differ
  /// in single precision. The rectangle must end before the bound of coordinates, 2²⁴ pixels from the image's
  /// upper-left corner.
  package func canBeCutOut(imageWidth: Int, imageHeight: Int) -> Bool {
    let region = PixelRegion(unchecked: self, imageWidth: imageWidth, imageHeight: imageHeight)
    let leastSide = max(PixelRegion.leastSide, (abs(region.centerX) + abs(region.centerY)) * 0x1p-20)
    return region.width >= leastSide && region.height >= leastSide && region.isWithinReach
  }
}
