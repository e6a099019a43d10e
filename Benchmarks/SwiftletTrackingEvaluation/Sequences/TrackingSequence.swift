package import SwiftletTracking

/// A video without its images: what is there in each frame, and what a detector found.
package struct TrackingSequence: Sendable {
  package struct Frame: Sendable {
    /// In seconds.
    package var time: Double
    /// In pixels.
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
  /// How many frames a second it has, or would have if none were dropped.
  package var frameRate: Double
  package var frames: [Frame]
  /// Whether the boxes of the truth are known.
  package var hasTruth = true

  package init(name: String, frameRate: Double, frames: [Frame]) {
    self.name = name
    self.frameRate = frameRate
    self.frames = frames
  }
}
