package import SwiftletTracking

/// A video without its images: the ground truth and the detections of each frame.
package struct TrackingSequence: Sendable {
  package struct Frame: Sendable {
    /// The time in seconds.
    package var time: Double
    /// The width in pixels.
    package var width: Double
    package var height: Double
    package var truth: [IdentifiedBox]
    package var detections: [BoxDetection]

    package init(
      time: Double, width: Double, height: Double, truth: [IdentifiedBox] = [], detections: [BoxDetection] = []
    ) {
      self.time = time
      self.width = width
      self.height = height
      self.truth = truth
      self.detections = detections
    }
  }

  package var name: String
  /// The number of frames per second, including dropped frames.
  package var frameRate: Double
  package var frames: [Frame]
  /// Whether the ground truth is known.
  package var hasTruth = true

  package init(name: String, frameRate: Double, frames: [Frame]) {
    self.name = name
    self.frameRate = frameRate
    self.frames = frames
  }
}
