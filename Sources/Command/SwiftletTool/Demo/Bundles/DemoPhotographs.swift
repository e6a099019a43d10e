import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The input images for third-party models: images from a directory, or generated ones.
struct DemoPhotographs {
  /// The maximum number of images from a directory.
  static let maximumImages = 12
  /// The maximum side length; larger images are scaled down, so that the page stays small.
  private static let maximumSide = 1024

  var images: [NamedImage] = []
  /// The reasons why images are left out.
  var left: [ToolError] = []

  /// Creates the input from generated images, if no others are named.
  init(drawn: [DemoImage]) {
    images = drawn.map { NamedImage(name: $0.file, path: $0.file, stem: $0.name, image: $0.image) }
  }

  /// Creates the input from the first images of a directory, rotated upright.
  ///
  /// - Throws: `ToolError` if the directory cannot be read or contains no readable image.
  init(folder: String) throws(ToolError) {
    try InputFile.requireFolder(folder)
    let files = try FolderListing.images(in: folder)
    for path in files.prefix(Self.maximumImages) {
      do {
        let image = InputImage(try Self.uprightImage(path))
        images.append(NamedImage(name: path, path: path, stem: OutputFile.stem(of: path), image: image))
      } catch let error as ImageCodecError {
        left.append(ToolError(file: path, reason: error.message))
      } catch {
        left.append(ToolError(file: path, reason: "\(error)"))
      }
    }
    if files.count > Self.maximumImages {
      left.append(
        ToolError(file: folder, reason: "holds \(files.count) images; the first \(Self.maximumImages) are shown"))
    }
    if images.isEmpty, let first = left.first { throw first }
  }

  private static func uprightImage(_ path: String) throws -> ImageBuffer {
    let decoded = try ImageDecoder.decode(path: path)
    let image = try decoded.image.oriented(decoded.orientation)
    let longest = max(image.width, image.height)
    guard longest > maximumSide else { return image }
    return try image.resized(
      width: max(1, image.width * maximumSide / longest), height: max(1, image.height * maximumSide / longest))
  }
}
