import MLKitImageLabelingCustom
import SwiftletTestSupport
import Testing
import UIKit

/// Checks the rotation of a `UIImage`'s pixels, from its bitmap to a model's input.
@Suite("Orientations of images")
struct OrientationTests {
  /// An image of 3 × 2 distinct colors.
  static let stored: [[UInt8]] = [
    [250, 10, 20], [30, 240, 50], [60, 70, 230], [5, 200, 190], [180, 15, 170], [160, 150, 25],
  ]
  static let orientations: [UIImage.Orientation] = [
    .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
  ]

  /// The same image in fields of 20 × 20 pixels.
  static var bitmap: CGImage {
    CGImage(stub: stored.flatMap { $0 + [255] }, width: 3, height: 2, enlargement: (20, 20))
  }

  /// Returns the displayed colors, row by row: 3 × 2 colors, or 2 × 3 for quarter turns.
  ///
  /// - Source: Apple's and EXIF's definitions. An image that is `.right` must be rotated clockwise by a quarter turn,
  ///   as with cameras in portrait orientation. Mirrored images are then flipped about their vertical axis.
  static func displayed(_ orientation: UIImage.Orientation) -> [UInt8] {
    let (width, height) = (3, 2)
    let isTurned = [.left, .right, .leftMirrored, .rightMirrored].contains(orientation)
    var bytes: [UInt8] = []
    for y in 0..<(isTurned ? width : height) {
      for x in 0..<(isTurned ? height : width) {
        let (column, row) =
          switch orientation {
          case .up: (x, y)
          case .down: (width - 1 - x, height - 1 - y)
          case .left: (width - 1 - y, x)
          case .right: (y, height - 1 - x)
          case .upMirrored: (width - 1 - x, y)
          case .downMirrored: (x, height - 1 - y)
          case .leftMirrored: (y, x)
          case .rightMirrored: (width - 1 - y, height - 1 - x)
          }
        bytes += stored[row * width + column]
      }
    }
    return bytes
  }

  private func seenFields(_ image: any MLKitCompatibleImage, isTurned: Bool) throws -> [UInt8] {
    let (width, height) = isTurned ? (2, 3) : (3, 2)
    return ModelFile.middles(
      of: try seen(image, width: 3 * width, height: 3 * height), width: width, height: height)
  }

  private func seen(_ image: any MLKitCompatibleImage, width: Int = 3, height: Int = 2) throws -> [UInt8] {
    let model = try ModelFile.reading(width: width, height: height)
    let options = CustomImageLabelerOptions(localModel: LocalModel(path: model.path))
    options.maxResultCount = 3 * width * height
    options.confidenceThreshold = 0
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    for label in try ImageLabeler.imageLabeler(options: options).results(in: image) {
      bytes[label.index] = UInt8((label.confidence * 255).rounded())
    }
    return bytes
  }

  @Test("ML Kit's labelers get the displayed image", arguments: orientations)
  func labeler(orientation: UIImage.Orientation) throws {
    let image = UIImage(cgImage: Self.bitmap, scale: 2, orientation: orientation)
    let isTurned = image.size.height > image.size.width
    let mlImage = try #require(MLImage(image: image))
    #expect(mlImage.orientation == orientation && mlImage.imageSourceType == .image && mlImage.image === image)
    #expect(mlImage.width == (isTurned ? 40 : 60) && mlImage.height == (isTurned ? 60 : 40))
    #expect(try seenFields(mlImage, isTurned: isTurned) == Self.displayed(orientation))
    let vision = VisionImage(image: image)
    #expect(vision.orientation == .up)
    vision.orientation = orientation
    #expect(try seenFields(vision, isTurned: isTurned) == Self.displayed(orientation))
  }

  @Test("gray and translucent bitmaps have straight colors")
  func spaces() throws {
    let gray = CGImage(
      stub: [0, 255, 60, 255, 120, 255, 180, 255, 240, 255, 255, 255], width: 3, height: 2,
      space: CGColorSpaceCreateDeviceGray())
    let levels: [UInt8] = [0, 60, 120, 180, 240, 255]
    #expect(try seen(VisionImage(image: UIImage(cgImage: gray))) == levels.flatMap { [$0, $0, $0] })
    let alphas: [UInt8] = [255, 200, 128, 64, 10, 0]
    let translucent = CGImage(stub: zip(Self.stored, alphas).flatMap { $0 + [$1] }, width: 3, height: 2)
    let found = try seen(VisionImage(image: UIImage(cgImage: translucent)))
    for (pixel, alpha) in alphas.enumerated() {
      for channel in 0..<3 {
        let expected = alpha == 0 ? 0 : Double(Self.stored[pixel][channel])
        // Premultiplied colors are integers from 0 to alpha.
        let step = alpha == 0 ? 0 : 0.5 * 255 / Double(alpha) + 0.5
        #expect(abs(Double(found[3 * pixel + channel]) - expected) <= step, "\(pixel), \(channel)")
      }
    }
  }

  @Test("images without a bitmap, and images that can't be rendered, are errors")
  func nothing() throws {
    #expect(MLImage(image: UIImage()) == nil)
    let error = thrownError { _ = try seen(VisionImage(image: UIImage())) } as MLKitError?
    #expect(error?.code == .invalidArgument && error?.message.contains("no bitmap") == true)
  }
}
