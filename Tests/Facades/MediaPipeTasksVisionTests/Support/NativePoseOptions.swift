@_spi(Facades) import SwiftletVision

extension SwiftletVision.PoseLandmarkerOptions {
  /// Whether rotated images have MediaPipe's results. Here, because names of both modules clash where both are imported.
  var hasMediaPipeRotation: Bool { keepsMediaPipeRotation }
}
