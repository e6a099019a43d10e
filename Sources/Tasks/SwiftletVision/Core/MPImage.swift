public import SwiftletImage

/// A picture for a vision task: pixels as they are stored, and how they have to be turned to stand upright.
///
/// Results refer to the picture as it is stored.
public struct MPImage: Sendable {
  /// The pixels, as they lie in memory.
  public var buffer: ImageBuffer {
    didSet { storedSize = nil }
  }
  /// How the stored pixels are turned. Tasks accept `.up`, `.right`, `.down` and `.left`, not the mirrored ones.
  public var orientation: ImageOrientation
  /// Of the picture that ``buffer`` was made from, where it was drawn smaller; results refer to that.
  private var storedSize: (width: Int, height: Int)?

  /// A picture of these pixels.
  public init(_ buffer: ImageBuffer, orientation: ImageOrientation = .up) {
    self.buffer = buffer
    self.orientation = orientation
  }

  /// A picture of packed RGB bytes, row after row.
  ///
  /// - Throws: `ImageError` when there are fewer bytes than `3 × width × height`, or a size is out of range.
  public init(rgb bytes: [UInt8], width: Int, height: Int, orientation: ImageOrientation = .up) throws {
    try self.init(ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8), orientation: orientation)
  }

  /// A picture of `width` × `height` pixels that was drawn in another size.
  package init(_ drawn: ImageBuffer, ofWidth width: Int, height: Int) {
    self.init(drawn)
    storedSize = (width, height)
  }

  /// Width of the stored picture in pixels.
  public var width: Int { storedSize?.width ?? buffer.width }
  /// Height of the stored picture in pixels.
  public var height: Int { storedSize?.height ?? buffer.height }

  /// The same picture with other pixels, of the size of ``buffer``.
  func replacingPixels(_ pixels: (ImageBuffer) throws -> ImageBuffer) rethrows -> MPImage {
    var image = self
    image.buffer = try pixels(buffer)
    image.storedSize = storedSize
    return image
  }

  /// - Throws: `TaskError` (`unsupportedOrientation`) for mirrored orientations.
  func requireSupportedOrientation() throws(TaskError) {
    guard !orientation.isMirrored else {
      throw TaskError(
        .unsupportedOrientation,
        "tasks take pictures that are turned, but none that is mirrored, and the orientation of this one is \(orientation); turn it upright first (ImageBuffer.oriented)",
        .orientation("\(orientation)"))
    }
  }
}
