/// What became of one frame of a live stream.
public struct LiveResult<Output: Sendable>: Sendable {
  /// The time the frame was sent with.
  public var timestamp: Duration
  /// The task's result, or what went wrong with this frame; the next one may succeed again.
  public var result: Swift.Result<Output, TaskError>

  /// What became of a frame.
  public init(timestamp: Duration, result: Swift.Result<Output, TaskError>) {
    self.timestamp = timestamp
    self.result = result
  }
}

/// The results of a live stream, in the order of the frames.
///
/// Begins with the first frame that finishes after the sequence was made, and ends when the task goes away. Buffers the
/// newest ``bufferedResultCount`` results for a slow consumer, and drops older ones. It does not keep the task alive.
///
/// - Thread safety: may be sent anywhere; one consumer. Each access to a task's `liveResults` makes a sequence of its
///   own.
public struct LiveResults<Output: Sendable>: AsyncSequence, Sendable {
  /// What became of a frame.
  public typealias Element = LiveResult<Output>
  /// Errors are elements: one frame that fails does not end the others.
  public typealias Failure = Never

  /// How many results wait for a slow consumer.
  public static var bufferedResultCount: Int { 4 }

  let stream: AsyncStream<Element>

  /// The results from here on.
  public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

  /// Waits for one result after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.Iterator

    /// The next result; `nil` when the task is gone or the consumer was cancelled.
    public mutating func next() async -> Element? { await base.next() }

    /// The next result; `nil` when the task is gone or the consumer was cancelled.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}
