/// The faces in a picture.
public struct FaceLandmarkerResult: Sendable, Hashable {
  /// One per face, best first; empty when there is none.
  public var faces: [Face]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The faces of a picture.
  public init(faces: [Face], timestamp: Duration) {
    self.faces = faces
    self.timestamp = timestamp
  }
}
