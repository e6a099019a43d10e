/// When a stream's frames are searched for objects. In the frames between, boxes are where the objects are expected.
public enum StreamPolicy: Sendable, Hashable {
  /// Within the call, on the first frame and every so many frames after it: the same frames give the same results on
  /// every machine.
  ///
  /// 1 searches every frame.
  case synchronous(every: Int)
  /// Beside the calls: a call returns at once with what is known, and what a search finds is brought forward to the
  /// frame of the day. One search runs at a time; of the frames that come meanwhile, the newest is searched next.
  case concurrent

  func validate() throws(ObjectTrackerError) {
    if case .synchronous(let interval) = self, interval < 1 {
      throw .invalidOption("StreamPolicy.synchronous(every:) takes 1 or more frames, got \(interval)")
    }
  }
}
