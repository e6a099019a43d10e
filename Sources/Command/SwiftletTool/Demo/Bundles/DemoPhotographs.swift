import SwiftletImage
import SwiftletImageCodecs
import SwiftletVision

/// The images that models of others are shown: a folder's, or drawn ones.
struct DemoPhotographs {
  /// The most images of a folder that are taken.
  static let maximumPictures = 12
  /// Larger images are shrunk to it: a page of them is to stay small.
  private static let maximumSide = 1024

  var pictures: [NamedImage] = []
  /// What could not be taken, with the reason.
  var left: [ToolError] = []

  /// Creates images that were drawn, where no others are named.
  init(drawn: [DemoImage]) {
    pictures = drawn.map { NamedImage(name: $0.file, path: $0.file, stem: $0.name, image: $0.image) }
  }

  /// Creates the first images of a folder, turned upright.
  ///
  /// - Throws: `ToolError` when the folder cannot be read, or has no image that can be.
  init(folder: String) throws(ToolError) {
    try InputFile.requireFolder(folder)
    let files = try FolderListing.pictures(in: folder)
    for path in files.prefix(Self.maximumPictures) {
      do {
        let image = InputImage(try Self.picture(path))
        pictures.append(NamedImage(name: path, path: path, stem: OutputFile.stem(of: path), image: image))
      } catch let error as ImageCodecError {
        left.append(ToolError(file: path, reason: error.message))
      } catch {
        left.append(ToolError(file: path, reason: "\(error)"))
      }
    }
    if files.count > Self.maximumPictures {
      left.append(
        ToolError(file: folder, reason: "holds \(files.count) images; the first \(Self.maximumPictures) are shown"))
    }
    if pictures.isEmpty, let first = left.first { throw first }
  }

  private static func picture(_ path: String) throws -> ImageBuffer {
    let decoded = try ImageDecoder.decode(path: path)
    let image = try decoded.image.oriented(decoded.orientation)
    let longest = max(image.width, image.height)
    guard longest > maximumSide else { return image }
    return try image.resized(
      width: max(1, image.width * maximumSide / longest), height: max(1, image.height * maximumSide / longest))
  }
}
