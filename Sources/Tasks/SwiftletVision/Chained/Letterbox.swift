import SwiftletImage

/// The bars that keep an image's proportions in a model's input, as fractions of that input.
///
/// - Source: the letterbox removal of MediaPipe's pose detector, in its order of operations.
struct Letterbox: Sendable, Hashable {
  /// The width of the left bar, which is that of the right one.
  let horizontal: Float
  /// The height of the upper bar, which is that of the lower one.
  let vertical: Float

  /// - Parameters:
  ///   - aspect: the image's height over its width, as it stands in the input.
  ///   - inputAspect: the input's height over its width.
  init(aspect: Float, inputAspect: Float) {
    let isWide = inputAspect > aspect
    horizontal = isWide ? 0 : (1 - inputAspect / aspect) / 2
    vertical = isWide ? (1 - aspect / inputAspect) / 2 : 0
  }

  /// The place in the image, 0…1, of a point of the input.
  func removed(from point: NormalizedPoint) -> NormalizedPoint {
    NormalizedPoint(
      x: (point.x - horizontal) / (1 - (horizontal + horizontal)), y: (point.y - vertical) / (1 - (vertical + vertical))
    )
  }
}
