import SwiftletVision

/// Where the pixels of an ``MLImage`` come from.
protocol PictureSource {
  var type: MLImageSourceType { get }
  /// In pixels: of a `UIImage` as it is displayed, of buffers as they are stored.
  var size: CGSize { get }

  /// The pixels as they are stored, with straight colours.
  ///
  /// - Throws: `TaskError` or `ImageError` when they are of a kind that tasks do not take.
  func pixels() throws -> ImageBuffer
}

/// Pixels in memory.
struct ImageBufferSource: PictureSource {
  let buffer: ImageBuffer

  var type: MLImageSourceType { .imageBuffer }
  var size: CGSize { CGSize(width: buffer.width, height: buffer.height) }

  func pixels() -> ImageBuffer { buffer }
}

#if canImport(UIKit)
  /// The bitmap behind a `UIImage`.
  struct UIImageSource: PictureSource {
    let image: UIImage
    let bitmap: CGImage

    var type: MLImageSourceType { .image }
    var size: CGSize { CGSize(width: image.size.width * image.scale, height: image.size.height * image.scale) }

    func pixels() throws -> ImageBuffer { try ImageBuffer(drawing: bitmap) }
  }
#endif

#if canImport(CoreVideo)
  /// A pixel buffer of Core Video.
  struct PixelBufferSource: PictureSource {
    let buffer: CVPixelBuffer

    var type: MLImageSourceType { .pixelBuffer }
    var size: CGSize { CGSize(width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer)) }

    func pixels() throws -> ImageBuffer { try ImageBuffer(copying: buffer) }
  }
#endif

#if canImport(CoreMedia)
  /// The pixel buffer in a sample buffer of Core Media.
  struct SampleBufferSource: PictureSource {
    let buffer: CMSampleBuffer
    let frame: PixelBufferSource

    var type: MLImageSourceType { .sampleBuffer }
    var size: CGSize { frame.size }

    func pixels() throws -> ImageBuffer { try frame.pixels() }
  }
#endif
