/// When a stream's frames are searched for objects. In the frames between, boxes are where the objects are expected.
public enum StreamPolicy: Sendable, Hashable {
  /// Within the call, on the first frame and on every `every`-th frame after it. The same frames give the same results
  /// on every machine.
  ///
  /// 1 searches every frame.
  case synchronous(every: Int)
  /// In the background: a call returns at once with what is known. What a search finds in its frame is moved to the
  /// newest frame. One search runs at a time. Of the frames that arrive meanwhile the newest is searched next.
  case concurrent

  func validate() throws(TaskError) {
    if case .synchronous(let interval) = self, interval < 1 {
      throw .invalidOption("StreamPolicy.synchronous(every:) takes 1 or more frames, got \(interval)")
    }
  }
}
