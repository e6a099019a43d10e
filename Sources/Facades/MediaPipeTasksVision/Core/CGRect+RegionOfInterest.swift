import Foundation
import SwiftletImage
import SwiftletVision

extension CGRect {
  /// A region of interest as tasks take it; `nil` for MediaPipe's mark for the whole picture, `CGRect.zero`.
  var regionOfInterest: NormalizedRect? {
    guard self != .zero else { return nil }
    // Edges are rounded first, and sizes follow from them: MediaPipe's order, and the last bit shows in the resampled
    // bytes. The sizes are taken as they were given: CGRect.width is never negative.
    return NormalizedRect(
      left: Float(origin.x), top: Float(origin.y), right: Float(origin.x + size.width),
      bottom: Float(origin.y + size.height))
  }
}
