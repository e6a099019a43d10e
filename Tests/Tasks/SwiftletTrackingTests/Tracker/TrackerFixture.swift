@testable import SwiftletTracking

/// A tracker of a 640 × 480 stream.
func makeTracker(_ change: (inout TrackingOptions) -> Void = { _ in }) throws -> BoxTracker {
  var options = TrackingOptions()
  change(&options)
  return try BoxTracker(options: options, frameWidth: 640, frameHeight: 480)
}

func found(_ x: Double, _ y: Double, _ width: Double = 60, _ height: Double = 80, score: Double = 0.9) -> BoxDetection {
  BoxDetection(box: BoundingBox(x: x, y: y, width: width, height: height), score: score)
}

extension BoxTracker {
  /// One frame after the other at 30 a second.
  mutating func run(_ frames: [[BoxDetection]], from first: Int = 0) -> [[Track]] {
    frames.enumerated().map { index, detections in update(detections: detections, timestamp: Double(first + index) / 30)
    }
  }
}
