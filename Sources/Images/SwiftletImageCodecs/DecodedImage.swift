public import SwiftletImage

/// A picture as it is stored in its file, and how it has to be turned to stand upright.
public struct DecodedImage: Sendable {
  /// The pixels in the order of the file: not turned.
  public let image: ImageBuffer
  /// What the file says about its orientation (EXIF); `up` if it says nothing, or nothing valid.
  public let orientation: ImageOrientation
  /// What the file was.
  public let format: ImageFileFormat

  /// A picture with what its file says about it.
  public init(image: ImageBuffer, orientation: ImageOrientation, format: ImageFileFormat) {
    self.image = image
    self.orientation = orientation
    self.format = format
  }

  /// The picture turned upright.
  ///
  /// - Throws: `ImageError` when the copy is too large to address.
  public func uprightImage() throws(ImageError) -> ImageBuffer {
    try image.oriented(orientation)
  }
}
