@testable import SwiftletTracking

/// Returns a tracker of a 640 × 480 stream.
func makeTracker(_ change: (inout TrackingOptions) -> Void = { _ in }) throws -> BoxTracker {
  var options = TrackingOptions()
  change(&options)
  return try BoxTracker(options: options, frameWidth: 640, frameHeight: 480)
}

func found(_ x: Double, _ y: Double, _ width: Double = 60, _ height: Double = 80, score: Double = 0.9) -> BoxDetection {
  BoxDetection(box: PixelRect(x: x, y: y, width: width, height: height), score: score)
}

extension Duration {
  /// Creates a duration from any number of seconds, clamped to the range of `Duration`; NaN becomes 0.
  init(holding seconds: Double) {
    self = .seconds(seconds.isNaN ? 0 : min(max(seconds, -1.7e20), 1.7e20))
  }
}

extension BoxTracker {
  /// Runs consecutive frames at 30 frames per second.
  mutating func run(_ frames: [[BoxDetection]], from first: Int = 0) -> [[Track]] {
    frames.enumerated().map { update(detections: $1, at: .seconds(Double(first + $0) / 30)) }
  }
}
