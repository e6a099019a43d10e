import Foundation
import SwiftletImage
import SwiftletVision

extension CGRect {
  /// A region of interest as tasks take it; `nil` for MediaPipe's mark for the whole picture, `CGRect.zero`.
  var regionOfInterest: NormalizedRect? { self == .zero ? nil : NormalizedRect(self) }
}
