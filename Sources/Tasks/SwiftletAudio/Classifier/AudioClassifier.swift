public import SwiftletTasks

/// The options of an ``AudioClassifier``.
public struct AudioClassifierOptions: Sendable, Hashable, ClassChoosing {
  /// The model and how it runs.
  public var baseOptions: BaseOptions
  /// The language of display names, for models that have them: `en`, `de`, …
  public var displayNamesLocale: String
  /// The maximum number of classes of each output of the model, 1 or more; `nil` for all.
  public var maxResults: Int?
  /// Classes with a lower score are left out. A threshold in the model's metadata is not used, as in MediaPipe.
  public var scoreThreshold: Float
  /// If not empty, only these category names are reported.
  public var categoryAllowlist: [String]
  /// These category names are not reported. Excludes an allow list.
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
    /// The time at which the window begins in the clip.
    public var time: Duration
    /// The classes of the window.
    public var classification: Classification

    /// Creates the classification of a window.
    public init(time: Duration, classification: Classification) {
      self.time = time
      self.classification = classification
    }

    /// The categories of the model's first output, best first.
    public var categories: [ResultCategory] { classification.categories }
  }

  /// The windows of the clip, in order. The last one is filled up with silence.
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
/// Audio at other rates than the model's is resampled; several channels are mixed for a model that takes one.
///
/// - Thread safety: callable concurrently; calls on one task run one after the other, unless
///   `BaseOptions.maxConcurrentCalls` is raised.
public final class AudioClassifier: Sendable {
  private let runner: TaskRunner<AudioClassifierPipeline>
  private let format: AudioModelFormat

  /// The names of the categories that the model knows, of all its heads; empty if it names none.
  public let categoryNames: [String]

  /// The capacity of a batch of clips.
  package var batchCapacity: BatchCapacity { runner.pool.batchCapacity }

  /// The maximum number of windows of the model that a clip, or a block of a stream, may fill.
  public static var maximumWindowCount: Int { 1 << 18 }

  /// The maximum duration of the audio that may wait in a stream. A block of any length is accepted if none waits.
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

  /// The sample rate of the model, in hertz: audio of that rate is not resampled.
  public var sampleRate: Double { format.sampleRate }
  /// The number of channels that the model takes. A model that takes one accepts any number of them.
  public var channelCount: Int { format.channelCount }
  /// The duration of one window of the model.
  public var windowDuration: Duration { format.step }

  // MARK: Clips

  /// Returns the classification of a clip, window by window; blocks until done.
  ///
  /// The results of all windows are kept until the last one is done. There is room for about four hours of audio with all
  /// classes of YAMNet; ``windows(of:)`` keeps no results and takes any length.
  ///
  /// - Throws: `TaskError` for a clip without samples, one whose channels are neither the model's nor to be mixed, one
  ///   that cannot be resampled, one of more than ``maximumWindowCount`` windows, and results that take more memory than
  ///   `BaseOptions.limits` allow. The next call may succeed.
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

  /// Returns the windows of a clip, each classified when it is requested, so that none has to be kept.
  ///
  /// ```swift
  /// for window in classifier.windows(of: clip) { print(try window.get().categories) }
  /// ```
  /// A window is a call of its own: `BaseOptions.timeout` and `BaseOptions.limits` hold for each.
  ///
  /// - Returns: A sequence whose iterators block until the next window is classified. A failure, for the reasons that
  ///   ``classification(of:)`` has, is its last element.
  public func windows(of clip: AudioClip) -> AudioWindows { AudioWindows(clip: clip, format: format, runner: runner) }

  // MARK: Streams

  /// Opens a stream: audio that comes in blocks, such as a microphone's.
  ///
  /// - Parameter handler: Receives the classification of each window on a queue of the stream, one after the other,
  ///   besides the sequences of ``AudioStream/results``.
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
/// Each iterator classifies the clip from its beginning. Between two windows other calls of the task may run.
public struct AudioWindows: Sequence, Sendable {
  /// The classification of a window, or the error that ends the sequence.
  public typealias Element = Result<AudioClassification.Window, TaskError>

  let clip: AudioClip
  let format: AudioModelFormat
  let runner: TaskRunner<AudioClassifierPipeline>

  /// Creates an iterator that begins with the first window.
  public func makeIterator() -> Iterator { Iterator(source: self) }

  /// An iterator that classifies one window after the other.
  public struct Iterator: IteratorProtocol {
    let source: AudioWindows
    /// Created for the first window.
    private var windows: ClipWindows?
    private var hasEnded = false

    init(source: AudioWindows) { self.source = source }

    /// Returns the classification of the next window, or `nil` at the end of the clip and after a failure; blocks until
    /// it is there.
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

/// The steps from audio to its classes.
///
/// - Source: MediaPipe's audio classifier. Beyond it, models with quantized outputs are accepted.
final class AudioClassifierPipeline: TaskPipeline {
  let format: AudioModelFormat
  private let model: TaskModel
  private var heads: ClassificationHeads
  /// Cuts clips. Streams, and sequences of windows, have their own.
  private let windows: WindowMaker

  /// The size of a window's result without its categories.
  private static let windowByteCount = 128

  init(_ options: AudioClassifierOptions, _ context: ModelContext) throws {
    model = try TaskModel(context)
    format = try AudioModelFormat(model)
    heads = try ClassificationHeads(model, options.categories, task: "audio classification")
    // One for clips, and one for the stream or a sequence of windows.
    try model.results.keep(
      2 * format.windowLength * format.channelCount, each: MemoryLayout<Float>.size, for: "windows of audio")
    windows = WindowMaker(format)
  }

  var categoryNames: [String] { heads.categoryNames }

  /// Returns the classification of each window of a clip.
  ///
  /// - Throws: `TaskError` for a clip that the model cannot be given, and if the results take too much memory or time.
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

  /// Returns the results of the windows that a block of a stream fills.
  ///
  /// - Throws: `TaskError` if nothing of the block could be used.
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
      // The window has as many samples as the input elements: its length comes from there.
      for index in 0..<min(input.count, window.count) { input[index] = window[index] }
    }
    try model.run()
    return try heads.decode(model)
  }
}
