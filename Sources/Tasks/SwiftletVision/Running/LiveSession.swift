import Dispatch
public import SwiftletImage
public import SwiftletTasks
import SwiftletBase

extension VisionTask {
  /// Opens a session for the frames of a camera.
  ///
  /// - Parameter handler: Receives the results on a queue of the session, one by one, in addition to the sequences of
  ///   ``LiveSession/results``.
  public func live(onResult handler: (@Sendable (FrameResult<Output>) -> Void)? = nil) -> LiveSession<Self> {
    LiveSession(video().frames, handler: handler)
  }

  /// Returns the results for the frames of a camera, each with its timestamp; see ``LiveFrames``.
  public func live<Frames>(_ frames: Frames) -> LiveFrames<Frames, Self> { LiveFrames(frames, of: self) }
}

extension RegionTask {
  /// Returns the results for a part of the frames of a camera, each with its timestamp; see ``LiveFrames``.
  ///
  /// - Parameters:
  ///   - frames: The frames with their timestamps.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image.
  public func live<Frames>(_ frames: Frames, region: NormalizedRect?) -> LiveFrames<Frames, Self> {
    LiveFrames(frames, of: self, region: region)
  }
}

/// A session for the frames of a camera. A frame that arrives while the task is busy is dropped.
///
/// ```swift
/// let live = detector.live()
/// let results = live.results
/// Task { for await frame in results { show(try? frame.result.get(), at: frame.time) } }
/// try live.send(frame, at: time)   // for every frame of the camera
/// ```
/// Frames from an `AsyncSequence` need no session; see ``LiveFrames``.
///
/// - Thread safety: callable concurrently; frames are processed one by one.
public final class LiveSession<SomeTask: VisionTask>: Sendable {
  private let frames: FrameSession<VisionInput, SomeTask.Output>
  private let stream: ResultStream<SomeTask.Output>
  private let clock = Mutex(FrameClock())
  /// The queue that delivers results to receivers. A slow receiver does not delay the next frame.
  private let resultQueue = DispatchQueue(label: "swiftlet.live.results", qos: .userInitiated)

  init(
    _ frames: FrameSession<VisionInput, SomeTask.Output>,
    handler: (@Sendable (FrameResult<SomeTask.Output>) -> Void)? = nil
  ) {
    self.frames = frames
    stream = ResultStream(handler)
  }

  /// Closes the stream without waiting, because this may run on either queue. A frame in progress finishes by itself.
  deinit { stream.close() }

  /// Submits a frame and returns immediately. Its result is delivered through ``results``, unless the frame is dropped.
  ///
  /// - Parameters:
  ///   - frame: A frame in any orientation.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError` (`timeNotIncreasing`) for a timestamp that is not later. The next frame may succeed.
  public func send(_ frame: InputImage, at time: Duration) throws(TaskError) {
    try send(VisionInput(frame), at: time)
  }

  /// A new sequence of the results of frames that finish after this access.
  ///
  /// Create it before the first frame is sent. Code that iterates over it must not retain the session, because the
  /// sequence ends when the session is released.
  public var results: FrameResults<SomeTask.Output> { stream.results }

  /// The number of frames that were dropped because the task was busy.
  public var droppedFrameCount: Int { stream.droppedFrameCount }

  /// Submits a part of a frame, for tasks of any kind; see ``send(_:at:)``.
  @_spi(Facades)
  public func send(_ frame: InputImage, inRegion region: NormalizedRect?, at time: Duration) throws(TaskError) {
    try send(VisionInput(frame, region: region), at: time)
  }

  fileprivate func send(_ input: VisionInput, at time: Duration) throws(TaskError) {
    // Check the clock and admit the frame under one lock, so that frames are admitted in the order of their timestamps.
    let isAdmitted = try clock.withLock { clock throws(TaskError) in
      try clock.accept(time)
      return stream.admit()
    }
    guard isAdmitted else { return }
    frames.queue.schedule { [weak self, frames, stream, resultQueue] in
      guard self != nil else { return }
      let result = Result { () throws(TaskError) in try frames.acceptedOutput(for: input, at: time) }
      stream.finishFrame()
      resultQueue.async { [weak self] in
        // Retain the session, and not only its stream, so that no receiver is called once the session is released.
        guard let self else { return }
        self.stream.deliver(FrameResult(time: time, result: result))
        withExtendedLifetime(self) {}
      }
    }
  }
}

extension LiveSession where SomeTask: RegionTask {
  /// Submits a part of a frame and returns immediately. Its result is delivered through ``results``, unless the frame
  /// is dropped.
  ///
  /// - Parameters:
  ///   - frame: A frame in any orientation.
  ///   - region: The part, in coordinates of the stored image; `nil` for the whole image. If the region has no area,
  ///     the frame's result is an error.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  /// - Throws: `TaskError` (`timeNotIncreasing`) for a timestamp that is not later. The next frame may succeed.
  public func send(_ frame: InputImage, region: NormalizedRect?, at time: Duration) throws(TaskError) {
    try send(VisionInput(frame, region: region), at: time)
  }
}

/// The results of a task for frames from an `AsyncSequence`, such as a camera.
///
/// ```swift
/// for await frame in detector.live(camera) { show(try? frame.result.get(), at: frame.time) }
/// ```
/// A frame is processed when its result is requested. Of the frames that arrive before that, only the newest is kept;
/// the others are dropped and counted. The sequence ends when the frames end or its consumer is cancelled. If one frame
/// fails, its error is that frame's result. An error of the sequence of frames ends the sequence of results.
///
/// Each iterator reads the frames from the beginning, in a separate session.
public struct LiveFrames<Frames, SomeTask: VisionTask>: AsyncSequence, Sendable
where Frames: AsyncSequence & Sendable, Frames.Element == (InputImage, Duration) {
  /// The outcome of a frame.
  public typealias Element = FrameResult<SomeTask.Output>
  /// The error type of the sequence of frames.
  @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
  public typealias Failure = Frames.Failure

  private let source: Frames
  private let task: SomeTask
  private let region: NormalizedRect?
  private let stream = ResultStream<SomeTask.Output>()

  init(_ source: Frames, of task: SomeTask, region: NormalizedRect? = nil) {
    (self.source, self.task, self.region) = (source, task, region)
  }

  /// The number of frames that were dropped because a newer frame arrived before they were processed.
  public var droppedFrameCount: Int { stream.droppedFrameCount }

  /// Creates an iterator and begins to read the frames.
  public func makeAsyncIterator() -> Iterator {
    let (newest, mailbox) = AsyncStream.makeStream(of: Frames.Element.self, bufferingPolicy: .bufferingNewest(1))
    let failure = Failed()
    let reader = Task { [source, stream] in
      var iterator = source.makeAsyncIterator()
      do {
        while let frame = try await iterator.next() {
          if case .dropped = mailbox.yield(frame) { stream.countDroppedFrame() }
        }
      } catch {
        failure.error.withLock { $0 = error }
      }
      mailbox.finish()
    }
    // Cancel the reader, even if the iterator is released early.
    mailbox.onTermination = { _ in reader.cancel() }
    return Iterator(newest: newest.makeAsyncIterator(), failure: failure, session: task.video().frames, region: region)
  }

  /// The error of the sequence of frames, if any.
  final class Failed: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  /// An iterator that returns the results one by one.
  public struct Iterator: AsyncIteratorProtocol {
    var newest: AsyncStream<(InputImage, Duration)>.Iterator
    let failure: Failed
    let session: FrameSession<VisionInput, SomeTask.Output>
    let region: NormalizedRect?

    /// Returns the result of the newest unprocessed frame, or `nil` if the frames have ended or the consumer is
    /// cancelled.
    ///
    /// - Throws: The error of the sequence of frames, after the result of its last frame.
    public mutating func next() async rethrows -> Element? {
      guard let (image, time) = await newest.next() else { return try end.rethrown() }
      return await Self.result(of: VisionInput(image, region: region), at: time, session)
    }

    /// Returns the result of the newest unprocessed frame, or `nil` if the frames have ended or the consumer is
    /// cancelled.
    ///
    /// - Throws: The error of the sequence of frames, after the result of its last frame.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let (image, time) = await newest.next(isolation: actor) else {
        // The frames throw their `Failure`; the reader's task cannot name this type on older systems.
        if case .failure(let error as Failure) = end { throw error }
        return nil
      }
      return await Self.result(of: VisionInput(image, region: region), at: time, session)
    }

    /// Returns the outcome of a frame, or `nil` if the consumer is cancelled.
    private static func result(
      of input: VisionInput, at time: Duration, _ session: FrameSession<VisionInput, SomeTask.Output>
    ) async -> Element? {
      let result: Result<SomeTask.Output, TaskError>
      do {
        result = .success(
          try await session.output(for: input, at: time, priority: .userInitiated))
      } catch {
        result = .failure(TaskError(wrapping: error))
      }
      return Task.isCancelled ? nil : FrameResult(time: time, result: result)
    }

    /// The end of the frames for this consumer: an error, or `nil`.
    private var end: Result<Element?, any Error> {
      if let error = failure.error.withLock({ $0 }), !Task.isCancelled {
        .failure(error)
      } else {
        .success(nil)
      }
    }
  }
}

/// A stored value or error, for a function that `rethrows` depending on a conformance of its type. The compiler infers
/// this from calls, not from stored errors.
@rethrows
private protocol KeptOutcome {
  associatedtype Success

  func get() throws -> Success
}

extension Result: KeptOutcome {}

extension KeptOutcome {
  fileprivate func rethrown() rethrows -> Success { try get() }
}
