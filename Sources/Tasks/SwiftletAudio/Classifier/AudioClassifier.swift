public import SwiftletTasks

/// Says what can be heard, with scores.
///
/// ```swift
/// let classifier = try AudioClassifier(model: .file("yamnet.tflite")) { $0.maxResults = 3 }
/// for window in try classifier.classify(AudioClip(contentsOf: "street.wav")).classificationResults {
///   print(window.timestamp, window.classifications[0].categories.map(\.categoryName))
/// }
/// ```
/// A classifier in stream mode takes sound in blocks of any length, and delivers what each window of its model holds:
///
/// ```swift
/// let results = classifier.liveResults
/// Task {
///   for await window in results { show(try? window.result.get(), at: window.timestamp) }
/// }
/// try classifier.send(block, at: time)   // for every block of the microphone
/// ```
/// Sound at other rates than the model's is resampled; several channels are mixed for a model that takes one.
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` says otherwise.
public final class AudioClassifier: Sendable {
  private let runner: AudioTaskRunner

  /// The names of the classes that the model knows, of all its heads; empty when it names none.
  package let categoryNames: [String]

  /// The most windows of the model that a clip, or a block of a stream, may fill.
  public static var mostWindows: Int { 1 << 18 }

  /// How many seconds of sound may wait in stream mode. A block of any length is taken when none waits.
  public static var longestBacklog: Double { 30 }

  /// A classifier with these options.
  ///
  /// - Throws: `TaskError` when options contradict each other, or the model is missing or is not an audio
  ///   classification model.
  public init(options: AudioClassifierOptions) throws(TaskError) {
    try options.categories.validate()
    var names: [String] = []
    runner = try AudioTaskRunner(
      runningMode: options.runningMode, calls: options.baseOptions.callLimits,
      taskName: "audioClassifier"
    ) {
      try AudioClassifierPipeline(options)
    } inspect: {
      names = $0.categoryNames
    }
    categoryNames = names
  }

  /// How many clips of a batch the classifier takes.
  package var batchCapacity: BatchCapacity { runner.batchCapacity }

  /// A classifier with default options, for clips, unless `configure` says otherwise.
  ///
  /// - Throws: `TaskError`, as ``init(options:)``.
  public convenience init(
    model: ModelSource, configure: (inout AudioClassifierOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = AudioClassifierOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// The rate that the model works at, in hertz: sound of that rate is not resampled.
  public var sampleRate: Double { runner.format.sampleRate }
  /// How many channels the model takes. One takes any number of them.
  public var channelCount: Int { runner.format.channelCount }
  /// How long one window of the model is.
  public var windowDuration: Duration { runner.format.step }

  // MARK: Clips

  /// Classifies a clip, window after window; blocks until done.
  ///
  /// The results of all windows are kept until the last one is done. There is room for about four hours of audio with all
  /// classes of YAMNet; ``results(of:)`` keeps no results and takes any length.
  ///
  /// - Returns: the categories of each window. The last one is filled up with silence.
  /// - Throws: `TaskError` for a clip without samples, one whose channels are neither the model's nor to be mixed, one
  ///   that cannot be resampled, one of more than ``mostWindows`` windows, results that take more memory than
  ///   `BaseOptions.limits` allow, and unless the task runs in clip mode. The next call may succeed.
  public func classify(_ clip: AudioClip) throws(TaskError) -> AudioClassifierResult { try runner.classify(clip) }

  /// Classifies a clip, window after window, without blocking the thread.
  ///
  /// - Throws: as the blocking form, and `CancellationError` when cancelled.
  public func classify(_ clip: AudioClip) async throws -> AudioClassifierResult {
    try await runner.classifyAsync(clip)
  }

  /// The results of a clip's windows, each computed when it is requested, so that none has to be kept.
  ///
  /// ```swift
  /// for window in classifier.results(of: block) { print(try window.get()) }
  /// ```
  /// A window is a call of its own: `BaseOptions.timeout` and `BaseOptions.limits` hold for each.
  ///
  /// - Returns: A sequence whose iterators block until the next result is there. A failure, for the reasons that
  ///   `classify` has, is its last element.
  public func results(of clip: AudioClip) -> ClipResults { ClipResults(clip: clip, runner: runner) }

  // MARK: Streams

  /// Hands over a block of a continuous sound; returns at once. What the windows that it fills hold comes through
  /// ``liveResults``.
  ///
  /// No block is dropped, because sound has no gaps. While more than ``longestBacklog`` seconds of sound wait for the
  /// task, or for those who receive its results, a block is refused with `.limitExceeded`, and may be sent again.
  ///
  /// - Parameters:
  ///   - block: samples that follow those of the last block, at the same rate.
  ///   - time: when the block begins, later than the last one. The time of the first one is that of the first result;
  ///     further ones follow from the number of samples.
  /// - Throws: `TaskError` for another rate than before, for channels that the model does not take, for a time that is
  ///   not later, for more than ``mostWindows`` windows, while too much sound waits, and unless the task runs in stream mode. The block then counts for
  ///   nothing.
  public func send(_ block: AudioClip, at time: Duration) throws(TaskError) { try runner.send(block, at: time) }

  /// A new sequence of the results of windows that are worked on after this call, each with the time at which its window
  /// begins. Empty unless the task runs in stream mode.
  ///
  /// Take it before the first block is sent. Code that iterates over it should not hold the task, because the sequence
  /// ends when the task is released.
  public var liveResults: LiveResults<ClassificationResult> { runner.liveStream.results }

  /// The results of blocks of a continuous sound from an `AsyncSequence`, such as a microphone's; for a task in stream
  /// mode.
  ///
  /// ```swift
  /// for await window in classifier.stream(microphone) { show(try? window.result.get(), at: window.timestamp) }
  /// ```
  /// The next block is asked for when all results of the last one were received, so a slow consumer makes `blocks`
  /// wait, and nothing piles up here.
  ///
  /// - Parameter blocks: pieces of sound that follow each other, with the times at which they begin, which rise.
  /// - Returns: a sequence that ends when the blocks end or its consumer is cancelled. What is wrong with one block or
  ///   window is an element; what `blocks` throws ends the sequence. Sound that does not fill a window has no result.
  public func stream<Blocks>(_ blocks: Blocks) -> StreamedAudioResults<Blocks> {
    StreamedAudioResults(blocks: blocks, runner: runner)
  }

  /// Calls `handler` with every result of the stream, one after the other, on the task's own queue. `nil` ends that.
  ///
  /// `handler` is not called any more once the task is gone.
  package func setLiveHandler(_ handler: LiveStream<ClassificationResult>.Handler?) {
    runner.liveStream.setHandler(handler)
  }
}
