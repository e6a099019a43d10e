/// Receives the results of a gesture recognizer in live-stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the frames. There is no call for frames
/// that were dropped because the task was busy. The time is that which the frame was sent with. If the frame failed,
/// the result is `nil`, the time is the least integer, and the error is an `NSError` of the tasks' domain. The method
/// is optional.
#if canImport(ObjectiveC)
  @objc(MPPGestureRecognizerLiveStreamDelegate)
#endif
public protocol GestureRecognizerLiveStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one frame.
    @objc(gestureRecognizer:didFinishRecognitionWithResult:timestampInMilliseconds:error:)
    optional func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #else
    /// Called with the result or the error of one frame.
    func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension GestureRecognizerLiveStreamDelegate {
    /// Ignores the result.
    public func gestureRecognizer(
      _ gestureRecognizer: GestureRecognizer, didFinishGestureRecognition result: GestureRecognizerResult?,
      timestampInMilliseconds: Int,
      error: (any Error)?
    ) {}
  }
#endif
