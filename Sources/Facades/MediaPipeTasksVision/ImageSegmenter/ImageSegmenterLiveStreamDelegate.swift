/// Receives the results of an image segmenter in live-stream mode.
public protocol ImageSegmenterLiveStreamDelegate: AnyObject {
  /// Called with the result or the error of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. There is no call for frames that were
  /// dropped because the task was busy.
  ///
  /// - Parameters:
  ///   - imageSegmenter: the task that was sent the frame.
  ///   - result: the masks; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  func imageSegmenter(
    _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}

extension ImageSegmenterLiveStreamDelegate {
  /// Ignores the result.
  public func imageSegmenter(
    _ imageSegmenter: ImageSegmenter, didFinishSegmentation result: ImageSegmenterResult?, timestampInMilliseconds: Int,
    error: (any Error)?
  ) {}
}
