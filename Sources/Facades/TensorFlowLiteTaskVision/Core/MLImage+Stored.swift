import SwiftletVision

extension MLImage {
  /// The picture as it is stored: as in the original, its orientation does not matter.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  func storedPicture() throws -> InputImage {
    var picture = try snapshot().picture()
    picture.orientation = .up
    return picture
  }
}
