@_spi(Facades) import SwiftletVision

extension SwiftletVision.PoseLandmarkerOptions {
  /// Whether rotated images have MediaPipe's results. It's declared here, because names clash in files that import both
  /// modules.
  var hasMediaPipeRotation: Bool { keepsMediaPipeRotation }
}
