/// Receives the results of a face detector in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPFaceDetectorLiveStreamDelegate)
#endif
public protocol FaceDetectorLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(faceDetector:didFinishDetectionWithResult:timestampInMilliseconds:error:)
    optional func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
    func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension FaceDetectorLiveStreamDelegate {
    /// Ignores the result.
    public func faceDetector(
      _ faceDetector: FaceDetector, didFinishDetection result: FaceDetectorResult?, timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
