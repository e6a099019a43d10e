import Foundation
import SwiftletImage

extension NormalizedRect {
  /// A task's region of interest; `CGRect.zero` is the whole picture.
  ///
  /// A region may reach beyond the picture: what is there depends on the task's model.
  ///
  /// - Throws: `VisionTaskError` (`invalidArgument`) when it has no area.
  init(regionOfInterest: CGRect) throws(VisionTaskError) {
    guard regionOfInterest != .zero else {
      self = .fullImage
      return
    }
    // The sizes as they were given: CGRect.width is never negative.
    let size = regionOfInterest.size
    guard size.width > 0, size.height > 0 else { throw .invalid("ROI width and height must be > 0.") }
    let left = Float(regionOfInterest.origin.x)
    let top = Float(regionOfInterest.origin.y)
    self.init(left: left, top: top, right: left + Float(size.width), bottom: top + Float(size.height))
  }
}
