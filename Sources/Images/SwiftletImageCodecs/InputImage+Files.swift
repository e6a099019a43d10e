public import SwiftletImage

extension InputImage {
  /// Creates an image from a PNG or JPEG file, with the orientation of its EXIF data.
  ///
  /// - Throws: ``ImageCodecError`` if the file cannot be read, is not an intact PNG or JPEG file, or exceeds the limits.
  public init(contentsOfFile path: String, limits: ImageDecoderLimits = .default) throws(ImageCodecError) {
    self.init(try ImageDecoder.decode(path: path, limits: limits))
  }

  /// Creates an image from the bytes of a PNG or JPEG file, with the orientation of its EXIF data.
  ///
  /// - Throws: ``ImageCodecError`` if the bytes are not an intact PNG or JPEG file, or exceed the limits.
  public init(encoded bytes: some Collection<UInt8>, limits: ImageDecoderLimits = .default) throws(ImageCodecError) {
    self.init(try ImageDecoder.decode(bytes: Array(bytes), limits: limits))
  }

  /// Creates an image from a decoded file.
  public init(_ decoded: DecodedImage) { self.init(decoded.image, orientation: decoded.orientation) }
}
