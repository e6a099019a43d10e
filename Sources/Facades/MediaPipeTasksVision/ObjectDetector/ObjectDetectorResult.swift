import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The objects in a picture.
#if canImport(ObjectiveC)
  @objc(MPPObjectDetectorResult) @objcMembers
#endif
open class ObjectDetectorResult: TaskResult, @unchecked Sendable {
  /// One per object, in the model's order (best first). A category's index is that of its class, also where the model
  /// has labels, for which MediaPipe gives -1.
  public let detections: [Detection]

  /// A result of these detections.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [ObjectDetection], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [ObjectDetection], at time: Duration) {
    self.init(
      detections: value.map { Detection($0) }, timestampInMilliseconds: time.inMilliseconds)
  }
}
