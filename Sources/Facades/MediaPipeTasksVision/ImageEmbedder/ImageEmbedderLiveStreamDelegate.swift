/// Is told the results of an image embedder in live-stream mode.
public protocol ImageEmbedderLiveStreamDelegate: AnyObject {
  /// Tells what became of one frame.
  ///
  /// Called on a serial queue of the task's own, in the order of the frames. Frames that the task had no time for are
  /// not told.
  ///
  /// - Parameters:
  ///   - imageEmbedder: the task that was sent the frame.
  ///   - result: what was found; `nil` when the frame failed.
  ///   - timestampInMilliseconds: the time the frame was sent with; the least integer when it failed.
  ///   - error: why the frame failed: an `NSError` of the tasks' domain.
  func imageEmbedder(
    _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
    error: (any Error)?)
}

extension ImageEmbedderLiveStreamDelegate {
  /// Ignores the result.
  public func imageEmbedder(
    _ imageEmbedder: ImageEmbedder, didFinishEmbedding result: ImageEmbedderResult?, timestampInMilliseconds: Int,
    error: (any Error)?
  ) {}
}
