import Foundation
import SwiftletImage

/// Where the pixels of an ``MPImage`` come from.
protocol PictureSource {
  var type: MPImageSourceType { get }
  /// In pixels, as MediaPipe reports it: of a `UIImage` as it is displayed, of buffers as they are stored.
  var size: CGSize { get }

  /// The pixels as they are stored, with straight colours.
  ///
  /// - Throws: `TaskError` or `ImageError` when they are of a kind that tasks do not take.
  func pixels() throws -> ImageBuffer
}

/// Pixels in memory.
struct ImageBufferSource: PictureSource {
  let buffer: ImageBuffer

  var type: MPImageSourceType { .imageBuffer }
  var size: CGSize { CGSize(width: buffer.width, height: buffer.height) }

  func pixels() -> ImageBuffer { buffer }
}
