import SwiftletVision

// Unchecked because its base class is: it has constants only.

/// The faces in a picture.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorResult) @objcMembers
#endif
open class FaceDetectorResult: TaskResult, @unchecked Sendable {
  /// One per face, best first; empty when there is none. Each has one category with index 0 and no name, and six
  /// keypoints: left eye, right eye, nose tip, mouth, left and right tragion, as the observer sees them.
  public let detections: [Detection]

  /// A result of these detections.
  public init(detections: [Detection], timestampInMilliseconds: Int) {
    self.detections = detections
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ timed: (output: [FaceDetection], time: Duration)) { self.init(timed.output, at: timed.time) }

  convenience init(_ value: [FaceDetection], at time: Duration) {
    self.init(
      detections: value.map { Detection($0) }, timestampInMilliseconds: time.inMilliseconds)
  }
}
