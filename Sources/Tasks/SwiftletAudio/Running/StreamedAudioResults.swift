public import SwiftletTasks

/// An audio classifier's results for blocks from an `AsyncSequence`; see ``AudioClassifier/stream(_:)``.
///
/// It holds what runs the task until its iterators are gone. Each iterator reads the blocks anew, as a sound of its own.
public struct StreamedAudioResults<Blocks>: AsyncSequence, Sendable
where Blocks: AsyncSequence & Sendable, Blocks.Element == (AudioClip, Duration) {
  /// What became of a window, with the time at which it begins; or why a block was refused, with the block's time.
  public typealias Element = LiveResult<ClassificationResult>
  /// What the blocks' own sequence throws.
  @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
  public typealias Failure = Blocks.Failure

  let blocks: Blocks
  let runner: AudioTaskRunner

  /// The results from here on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      blocks: blocks.makeAsyncIterator(), runner: runner, stream: Serialized(AudioStream(runner.format)),
      rules: AudioStreamRules(runner.format))
  }

  /// Waits for one result after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var blocks: Blocks.AsyncIterator
    let runner: AudioTaskRunner
    let stream: Serialized<AudioStream>
    var rules: AudioStreamRules
    /// Results that are there and were not asked for, the next one last.
    var waiting: [Element] = []

    /// The next result; `nil` when the blocks have ended or the consumer was cancelled.
    ///
    /// - Throws: what the blocks' sequence throws.
    public mutating func next() async rethrows -> Element? {
      while waiting.isEmpty {
        guard !Task.isCancelled, let (block, time) = try await blocks.next(),
          let results = await runner.results(of: block, at: time, of: stream, rules: &rules)
        else { return nil }
        waiting = results.reversed()
      }
      return waiting.popLast()
    }

    /// The next result; `nil` when the blocks have ended or the consumer was cancelled.
    ///
    /// - Throws: what the blocks' sequence throws.
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      while waiting.isEmpty {
        guard !Task.isCancelled, let (block, time) = try await blocks.next(isolation: actor),
          let results = await runner.results(of: block, at: time, of: stream, rules: &rules)
        else { return nil }
        waiting = results.reversed()
      }
      return waiting.popLast()
    }
  }
}
