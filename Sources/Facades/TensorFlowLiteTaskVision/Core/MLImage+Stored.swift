import SwiftletVision

extension MLImage {
  /// The picture as it is stored: as in the original, its orientation does not matter.
  func storedPicture() throws -> MPImage { MPImage(try picture().buffer) }
}
