import SwiftletImage

/// Smooths the points of one hand over the frames of a video, as MediaPipe does for poses.
struct HandSmoother: Sendable {
  private var points = LandmarkSmoother.points
  private var worldPoints = LandmarkSmoother.worldPoints

  /// - Parameters:
  ///   - region: where the hand is expected in the next frame; its size stands for the hand's.
  ///   - time: the frame's, later than that of the last one.
  mutating func smooth(_ hand: inout Hand, region: NormalizedRect, in geometry: RegionGeometry, at time: Duration) {
    points.smooth(&hand.landmarks, objectSize: geometry.size(of: region), in: geometry, at: time)
    worldPoints.smooth(&hand.worldLandmarks, at: time)
  }
}
