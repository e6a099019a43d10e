/// The faces in a picture.
public struct FaceDetectorResult: Sendable, Hashable {
  /// One per face, best first; empty when there is none. Each has one category with index 0 and no name, and six
  /// keypoints: left eye, right eye, nose tip, mouth, left and right tragion, as the observer sees them.
  public var detections: [Detection]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The faces of a picture.
  public init(detections: [Detection], timestamp: Duration) {
    self.detections = detections
    self.timestamp = timestamp
  }
}
