/// Receives the results of a hand landmarker in live-stream mode.
public protocol HandLandmarkerLiveStreamDelegate: AnyObject {
  /// Called with the result or the error of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. There is no call for frames that were
  /// dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - handLandmarker: the task that was sent the frame.
  ///   - result: what was found; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  func handLandmarker(
    _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}

extension HandLandmarkerLiveStreamDelegate {
  /// Ignores the result.
  public func handLandmarker(
    _ handLandmarker: HandLandmarker, didFinishDetection result: HandLandmarkerResult?, timestampInMilliseconds: Int,
    error: (any Error)?
  ) {}
}
