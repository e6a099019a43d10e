import SwiftletImage

// Landmark models know no mirrored regions, so a mirrored image is processed as its mirror image, and results are mirrored
// back.

extension InputImage {
  /// Returns an image of the same scene whose orientation is not mirrored, and whether that is the mirror image of this
  /// one.
  ///
  /// - Throws: `ImageError` if there is no memory for the mirror image.
  func unmirrored() throws -> (image: InputImage, isMirrored: Bool) {
    guard orientation.isMirrored else { return (self, false) }
    var image = try replacingPixels { try $0.oriented(.upMirrored) }
    // Rotated first and mirrored then is mirrored first and rotated the other way then.
    image.orientation =
      switch orientation {
      case .leftMirrored: .left
      case .downMirrored: .down
      case .rightMirrored: .right
      default: .up
      }
    return (image, true)
  }
}

extension [NormalizedLandmark] {
  /// Moves landmarks to the mirror image of their image.
  mutating func mirror() {
    for index in indices { self[index].x = 1 - self[index].x }
  }
}

extension [Landmark] {
  /// Moves world landmarks to the mirror image of their image.
  mutating func mirror() {
    for index in indices { self[index].x = -self[index].x }
  }
}
