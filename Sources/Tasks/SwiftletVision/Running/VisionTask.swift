/// What all vision tasks have besides their own methods.
///
/// A task in live-stream mode tells its results to the sequences that ``liveResults`` makes:
///
/// ```swift
/// let results = detector.liveResults
/// Task {
///   for await frame in results { show(try? frame.result.get(), at: frame.timestamp) }
/// }
/// try detector.detectAsync(image: frame, timestamp: time)   // for every frame of the camera
/// ```
///
/// - Thread safety: callable concurrently; the frames of one task are worked on one after the other, those of two tasks
///   at once.
public protocol VisionTask: AnyObject, Sendable {
  /// What the task finds out about a picture.
  associatedtype Output: Sendable

  /// Where the task's live results go.
  var liveStream: LiveStream<Output> { get }
}

extension VisionTask {
  /// A new sequence of the results of frames that finish from now on. Empty unless the task runs in live-stream mode.
  ///
  /// Take it before the first frame is sent. Whoever iterates over it should not hold the task, as the sequence ends
  /// when the task goes away.
  public var liveResults: LiveResults<Output> { liveStream.results }

  /// How many frames of the live stream were ignored because the task was busy.
  public var droppedFrameCount: Int { liveStream.droppedFrameCount }

  /// Has every result of the live stream told to `handler`, one after the other, on the task's own queue. `nil` ends
  /// that.
  ///
  /// `handler` is not called any more once the task is gone.
  package func setLiveHandler(_ handler: LiveStream<Output>.Handler?) { liveStream.setHandler(handler) }
}
