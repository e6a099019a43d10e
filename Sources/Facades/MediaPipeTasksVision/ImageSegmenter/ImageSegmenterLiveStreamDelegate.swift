/// Is told the results of an image segmenter in live-stream mode.
public protocol ImageSegmenterLiveStreamDelegate: AnyObject {
  /// Tells what became of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. Frames that the task had no time for are
  /// not told.
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
