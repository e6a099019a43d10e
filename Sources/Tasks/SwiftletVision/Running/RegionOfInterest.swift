package import Foundation
import SwiftletImage

extension NormalizedRect {
  /// A task's region of interest; `CGRect.zero` is the whole picture.
  ///
  /// A region may reach beyond the picture: what is there depends on the task's model.
  ///
  /// - Throws: `VisionTaskError` (`invalidArgument`) when it has no area.
  package init(regionOfInterest: CGRect) throws(VisionTaskError) {
    guard regionOfInterest != .zero else {
      self = .fullImage
      return
    }
    // The sizes as they were given: CGRect.width is never negative.
    let size = regionOfInterest.size
    guard size.width > 0, size.height > 0 else { throw .invalid("ROI width and height must be > 0.") }
    // Edges are rounded first, sizes follow from them: MediaPipe's order, and the last bit shows in the resampled
    // bytes.
    let origin = regionOfInterest.origin
    self.init(
      left: Float(origin.x), top: Float(origin.y), right: Float(origin.x + size.width),
      bottom: Float(origin.y + size.height))
  }
}
