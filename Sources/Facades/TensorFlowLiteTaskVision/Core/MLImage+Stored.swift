import SwiftletVision

extension MLImage {
  /// The picture as it is stored: as in the original, its orientation does not matter.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  func storedPicture(for detail: PictureDetail) throws -> MPImage {
    var picture = try snapshot().picture(for: detail)
    picture.orientation = .up
    return picture
  }
}
