public import SwiftletImage

extension VisionTask {
  /// The results of frames from an `AsyncSequence`, such as a camera's; for a task in live-stream mode.
  ///
  /// ```swift
  /// for await frame in detector.stream(camera) { show(try? frame.result.get(), at: frame.timestamp) }
  /// ```
  /// A frame is worked on when its result is asked for. Of the frames that come before that only the newest is kept;
  /// the others are dropped and counted in ``droppedFrameCount``.
  ///
  /// - Parameters:
  ///   - frames: pictures with their times, which rise.
  ///   - regionOfInterest: the part to look at, in coordinates of the stored picture; `nil` for all of it.
  /// - Returns: a sequence that ends when the frames end or its consumer is cancelled. What is wrong with one frame is
  ///   that frame's result; what `frames` throws ends the sequence.
  public func stream<Frames>(
    _ frames: Frames, regionOfInterest: NormalizedRect? = nil
  ) -> StreamedResults<Frames, Output> {
    StreamedResults(frames: frames, runner: runner, regionOfInterest: regionOfInterest)
  }
}

/// A task's results for frames from an `AsyncSequence`; see ``VisionTask/stream(_:regionOfInterest:)``.
///
/// It holds what runs the task until its iterators are gone. Each iterator reads the frames anew.
public struct StreamedResults<Frames, Output>: AsyncSequence, Sendable
where Frames: AsyncSequence & Sendable, Frames.Element == (MPImage, Duration), Output: Sendable {
  /// What became of a frame.
  public typealias Element = LiveResult<Output>
  /// What the frames' own sequence throws.
  @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
  public typealias Failure = Frames.Failure

  let frames: Frames
  let runner: VisionTaskRunner<Output>
  let regionOfInterest: NormalizedRect?

  /// The results from here on; begins to read the frames.
  public func makeAsyncIterator() -> Iterator {
    let (newest, mailbox) = AsyncStream.makeStream(of: Frames.Element.self, bufferingPolicy: .bufferingNewest(1))
    let failure = Serialized<(any Error)?>(nil)
    let reader = Task { [frames, runner] in
      var iterator = frames.makeAsyncIterator()
      do {
        while let frame = try await iterator.next() {
          if case .dropped = mailbox.yield(frame) { runner.liveStream.countDroppedFrame() }
        }
      } catch {
        failure.withLock { $0 = error }
      }
      mailbox.finish()
    }
    // Also when the iterator goes away.
    mailbox.onTermination = { _ in reader.cancel() }
    return Iterator(
      newest: newest.makeAsyncIterator(), failure: failure, runner: runner, regionOfInterest: regionOfInterest)
  }

  /// Waits for one result after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var newest: AsyncStream<(MPImage, Duration)>.Iterator
    let failure: Serialized<(any Error)?>
    let runner: VisionTaskRunner<Output>
    let regionOfInterest: NormalizedRect?

    /// The result of the newest frame that has none; `nil` when the frames have ended or the consumer was cancelled.
    ///
    /// - Throws: what the frames' sequence has thrown, after the result of its last frame.
    public mutating func next() async rethrows -> LiveResult<Output>? {
      guard let (image, time) = await newest.next() else { return try end.rethrown() }
      return await runner.liveAsync(image, timestamp: time, regionOfInterest: regionOfInterest)
    }

    /// The result of the newest frame that has none; `nil` when the frames have ended or the consumer was cancelled.
    ///
    /// - Throws: what the frames' sequence has thrown, after the result of its last frame.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> LiveResult<Output>? {
      guard let (image, time) = await newest.next(isolation: actor) else {
        // What frames throw is their `Failure`: the reader's task only has no word for that type on older systems.
        if case .failure(let error as Failure) = end { throw error }
        return nil
      }
      return await runner.liveAsync(image, timestamp: time, regionOfInterest: regionOfInterest)
    }

    /// How the frames have ended for this consumer.
    private var end: Result<LiveResult<Output>?, any Error> {
      if let error = failure.withLock({ $0 }), !Task.isCancelled { .failure(error) } else { .success(nil) }
    }
  }
}

/// What a function may throw whose `rethrows` depends on the conformances of its type, when it has kept the error of one
/// of them instead of calling it: the compiler follows calls, not values.
@rethrows
private protocol KeptOutcome {
  associatedtype Success

  func get() throws -> Success
}

extension Result: KeptOutcome {}

extension KeptOutcome {
  fileprivate func rethrown() rethrows -> Success { try get() }
}
