public import Foundation
public import SwiftletImage

extension NormalizedRect {
  /// An upright rectangle.
  ///
  /// - Parameter rectangle: as fractions of the picture's width and height, origin at its top left.
  public init(_ rectangle: CGRect) {
    // Edges are rounded first, sizes follow from them: MediaPipe's order, and the last bit shows in the resampled
    // bytes. The sizes are taken as they were given: CGRect.width is never negative.
    let (origin, size) = (rectangle.origin, rectangle.size)
    self.init(
      left: Float(origin.x), top: Float(origin.y), right: Float(origin.x + size.width),
      bottom: Float(origin.y + size.height))
  }
}
