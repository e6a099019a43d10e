/// The objects in a picture.
public struct ObjectDetectorResult: Sendable, Hashable {
  /// One per object, in the model's order (best first). A category's index is -1 where the model has labels.
  public var detections: [Detection]
  /// The time the frame came with; in image mode a second per call: 0, 1000, 2000, …
  public var timestampInMilliseconds: Int

  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    self.timestampInMilliseconds = timestampInMilliseconds
  }
}
