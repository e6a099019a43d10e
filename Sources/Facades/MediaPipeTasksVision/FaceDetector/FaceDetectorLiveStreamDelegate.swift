/// Receives the results of a face detector in live-stream mode.
public protocol FaceDetectorLiveStreamDelegate: AnyObject {
  /// Called with the result or the error of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. There is no call for frames that were
  /// dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - faceDetector: the task that was sent the frame.
  ///   - result: what was found; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}

extension FaceDetectorLiveStreamDelegate {
  /// Ignores the result.
  public func faceDetector(
    _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
    error: (any Error)?
  ) {}
}
