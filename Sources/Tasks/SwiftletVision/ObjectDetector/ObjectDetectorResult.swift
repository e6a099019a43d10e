/// The objects in a picture.
public struct ObjectDetectorResult: Sendable, Hashable {
  /// One per object, in the model's order (best first). A category's index is -1 where the model has labels.
  public var detections: [Detection]
  /// The time the frame came with; in image mode a second per call: 0 s, 1 s, 2 s, …
  public var timestamp: Duration

  /// The objects of a picture.
  public init(detections: [Detection], timestamp: Duration) {
    self.detections = detections
    self.timestamp = timestamp
  }
}
