public import SwiftletTasks

/// The options of an ``AudioClassifier``.
public struct AudioClassifierOptions: Sendable, Hashable, ClassChoosing {
  /// The model, and how it runs.
  public var baseOptions: BaseOptions
  /// The locale of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The maximum number of classes per output of the model, at least 1; `nil` for all.
  public var maxResults: Int?
  /// The minimum score. Classes with a lower score are not reported. As in MediaPipe, a threshold in the model's
  /// metadata is ignored.
  public var scoreThreshold: Float
  /// If not empty, the names of the only categories to report.
  public var categoryAllowlist: [String]
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
  public var categoryDenylist: [String]

  /// Creates options. Parameters that you omit have their default values.
  public init(
    baseOptions: BaseOptions, displayNamesLocale: String = "en", maxResults: Int? = nil, scoreThreshold: Float = 0,
    categoryAllowlist: [String] = [], categoryDenylist: [String] = []
  ) {
    self.baseOptions = baseOptions
    self.displayNamesLocale = displayNamesLocale
    self.maxResults = maxResults
    self.scoreThreshold = scoreThreshold
    self.categoryAllowlist = categoryAllowlist
    self.categoryDenylist = categoryDenylist
  }
}

/// The classification of a clip, window by window.
public struct AudioClassification: Sendable, Hashable {
  /// The classification of one window of the model.
  public struct Window: Sendable, Hashable {
    /// The start time of the window in the clip.
    public var time: Duration
    /// The classification of the window.
    public var classification: Classification

    /// Creates the classification of a window.
    public init(time: Duration, classification: Classification) {
      self.time = time
      self.classification = classification
    }

    /// The categories of the model's first output, best first.
    public var categories: [ResultCategory] { classification.categories }
  }

  /// The windows of the clip, in order. The last one is padded with silence.
  public var windows: [Window]

  /// Creates the classification of a clip.
  public init(windows: [Window]) { self.windows = windows }
}

/// Classifies audio: clips, and streams such as a microphone's.
///
/// ```swift
/// let classifier = try AudioClassifier(.file("yamnet.tflite")) { $0.maxResults = 3 }
/// for window in try classifier.classification(of: AudioClip(contentsOf: "street.wav")).windows {
///   print(window.time, window.categories.map(\.categoryName))
/// }
/// ```
/// Audio at other sample rates than the model's is resampled. Several channels are mixed for a mono model.
///
/// - Thread safety: callable concurrently; calls on one task run one at a time, unless `BaseOptions.maxConcurrentCalls`
///   is raised.
public final class AudioClassifier: Sendable {
  private let runner: TaskRunner<AudioClassifierPipeline>
  private let format: AudioModelFormat

  /// The category names of all heads of the model; empty if the model has no labels.
  public let categoryNames: [String]

  /// The capacity of a batch of clips.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// The maximum number of windows in a clip, or in a block of a stream.
  public static var maximumWindowCount: Int { 1 << 18 }

  /// The maximum duration of the audio that may wait in a stream. If none waits, a block of any length is accepted.
  public static var maximumBacklog: Duration { .seconds(30) }

  /// Creates an audio classifier.
  ///
  /// - Throws: `TaskError` if options contradict each other, or the model is missing or is not an audio classification
  ///   model.
  public init(options: AudioClassifierOptions) throws(TaskError) {
    try options.categories.validate()
    var names: [String] = []
    var modelFormat: AudioModelFormat?
    runner = try TaskRunner(options.baseOptions, name: "audioClassifier") {
      try AudioClassifierPipeline(options, $0)
    } inspect: {
      (names, modelFormat) = ($0.categoryNames, $0.format)
    }
    guard let modelFormat else { throw TaskError(.failed, "there is no pipeline") }
    (categoryNames, format) = (names, modelFormat)
  }

  /// Creates an audio classifier with default options, unless `configure` changes them.
  ///
  /// - Throws: The same errors as ``init(options:)``.
  public convenience init(
    _ model: ModelSource, configure: (inout AudioClassifierOptions) -> Void = { _ in }
  ) throws(TaskError) {
    var options = AudioClassifierOptions(baseOptions: BaseOptions(model: model))
    configure(&options)
    try self.init(options: options)
  }

  /// The sample rate of the model, in hertz. Audio at this rate is not resampled.
  public var sampleRate: Double { format.sampleRate }
  /// The number of channels of the model. A mono model accepts any number of channels.
  public var channelCount: Int { format.channelCount }
  /// The duration of one window of the model.
  public var windowDuration: Duration { format.step }

  // MARK: Clips

  /// Returns the classification of a clip, window by window; blocks until done.
  ///
  /// The results of all windows are kept until the last one is finished. There is room for about four hours of audio
  /// with all classes of YAMNet. ``windows(of:)`` keeps no results and accepts any length.
  ///
  /// - Throws: `TaskError` for a clip without samples, for channels that don't match the model and can't be mixed, for
  ///   a rate that can't be resampled, for more than ``maximumWindowCount`` windows, and for results that exceed
  ///   `BaseOptions.limits`. The next call may succeed.
  public func classification(of clip: AudioClip) throws(TaskError) -> AudioClassification {
    try runner.output(for: clip)
  }

  /// Returns the classification of a clip, window by window, without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  public func classification(of clip: AudioClip, priority: TaskPriority) async throws -> AudioClassification {
    try await runner.output(for: clip, priority: priority)
  }

  /// Returns the classifications of many clips, in order; `load` creates each clip; see ``Batch``.
  public func classifications<Sources: Sequence & Sendable>(
    ofContentsOf sources: Sources, load: @escaping @Sendable (Sources.Element) async throws -> AudioClip
  ) -> Batch<Sources.Element, AudioClassification> where Sources.Element: Sendable {
    runner.batch(BatchSources(sources), load: load)
  }

  /// Returns the windows of a clip. Each is classified when it is requested, so that no results accumulate.
  ///
  /// ```swift
  /// for window in classifier.windows(of: clip) { print(try window.get().categories) }
  /// ```
  /// Each window is a separate call for `BaseOptions.timeout` and `BaseOptions.limits`.
  ///
  /// - Returns: A sequence whose iterators block until the next window is classified. If a window fails, for the same
  ///   reasons as ``classification(of:)``, the error is the last element.
  public func windows(of clip: AudioClip) -> AudioWindows { AudioWindows(clip: clip, format: format, runner: runner) }

  // MARK: Streams

  /// Opens a stream for audio that arrives in blocks, such as a microphone's.
  ///
  /// - Parameter handler: Receives the classification of each window on a queue of the stream, one by one, in addition
  ///   to the sequences of ``AudioStream/results``.
  public func stream(onResult handler: (@Sendable (FrameResult<Classification>) -> Void)? = nil) -> AudioStream {
    AudioStream(StreamProcessor(runner, format), handler: handler)
  }

  /// Returns the classifications of blocks from an `AsyncSequence`, such as a microphone's; see ``AudioStreamResults``.
  public func stream<Blocks>(_ blocks: Blocks) -> AudioStreamResults<Blocks> {
    AudioStreamResults(blocks: blocks) { [runner, format] in StreamProcessor(runner, format) }
  }
}

/// The windows of a clip, each classified when it is requested; see ``AudioClassifier/windows(of:)``.
///
/// Each iterator classifies the clip from its beginning. Other calls of the task may run between two windows.
public struct AudioWindows: Sequence, Sendable {
  /// The classification of a window, or the error that ends the sequence.
  public typealias Element = Result<AudioClassification.Window, TaskError>

  let clip: AudioClip
  let format: AudioModelFormat
  let runner: TaskRunner<AudioClassifierPipeline>

  /// Creates an iterator that starts with the first window.
  public func makeIterator() -> Iterator { Iterator(source: self) }

  /// An iterator that classifies the windows one by one.
  public struct Iterator: IteratorProtocol {
    let source: AudioWindows
    /// The remaining windows; `nil` before the first one.
    private var windows: ClipWindows?
    private var hasEnded = false

    init(source: AudioWindows) { self.source = source }

    /// Returns the classification of the next window, or `nil` at the end of the clip and after a failure; blocks until
    /// it is available.
    public mutating func next() -> Element? {
      guard !hasEnded else { return nil }
      do throws(TaskError) {
        let windows = if let windows { windows } else { try ClipWindows(source.clip, WindowMaker(source.format)) }
        self.windows = windows
        if let window = try source.runner.pool.withPipeline({ try $0.process(next: windows) }) {
          return .success(window)
        }
        hasEnded = true
        return nil
      } catch {
        hasEnded = true
        return .failure(error)
      }
    }
  }
}

/// The steps from audio to its classification.
///
/// - Source: MediaPipe's audio classifier. In addition, models with quantized outputs are accepted.
final class AudioClassifierPipeline: TaskPipeline {
  let format: AudioModelFormat
  private let model: TaskModel
  private var heads: ClassificationHeads
  /// The window maker for clips. Streams, and sequences of windows, have their own.
  private let windows: WindowMaker

  /// The size of a window's result in bytes, without its categories.
  private static let windowByteCount = 128

  init(_ options: AudioClassifierOptions, _ context: ModelContext) throws {
    model = try TaskModel(context)
    format = try AudioModelFormat(model)
    heads = try ClassificationHeads(model, options.categories, task: "audio classification")
    // One window for clips, and one for a stream or a sequence of windows.
    try model.results.keep(
      2 * format.windowLength * format.channelCount, each: MemoryLayout<Float>.size, for: "windows of audio")
    windows = WindowMaker(format)
  }

  var categoryNames: [String] { heads.categoryNames }

  /// Returns the classification of each window of a clip.
  ///
  /// - Throws: `TaskError` for a clip that the model doesn't support, and if the results exceed the memory or time
  ///   limit.
  func process(_ clip: AudioClip) throws -> AudioClassification {
    let windows = try ClipWindows(clip, windows)
    var results: [AudioClassification.Window] = []
    results.reserveCapacity(windows.expectedCount)
    while let result = try process(next: windows) { results.append(result) }
    return AudioClassification(windows: results)
  }

  /// Returns the classification of the next window of a clip; `nil` at its end.
  func process(next windows: ClipWindows) throws -> AudioClassification.Window? {
    try windows.next { window, time in
      AudioClassification.Window(time: time, classification: try classification(of: window))
    }
  }

  /// Returns the results of the windows that are completed by a block of a stream.
  ///
  /// - Throws: `TaskError` if no part of the block could be used.
  func process(
    _ block: AudioClip, at time: Duration, of stream: StreamWindows
  ) throws -> [FrameResult<Classification>] {
    var results: [FrameResult<Classification>] = []
    try stream.take(block, at: time) { window, time in
      let result = Result { () throws(TaskError) in try TaskError.wrapping { try classification(of: window) } }
      results.append(FrameResult(time: time, result: result))
    }
    return results
  }

  private func classification(of window: UnsafeBufferPointer<Float>) throws -> Classification {
    try model.results.charge(
      1, each: Self.windowByteCount, for: "the windows of a clip", advice: "take them one by one with windows(of:)")
    try model.session.withInput(0, as: Float.self) { input in
      // The window has as many samples as the input has elements, because its length comes from the input.
      for index in 0..<min(input.count, window.count) { input[index] = window[index] }
    }
    try model.run()
    return try heads.decode(model)
  }
}
