/// The bodies in a picture.
public struct PoseLandmarkerResult: Sendable, Equatable {
  /// One per body, best first; empty when there is none.
  public var poses: [Pose]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The bodies of a picture.
  public init(poses: [Pose], timestamp: Duration) {
    self.poses = poses
    self.timestamp = timestamp
  }
}
