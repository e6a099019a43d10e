public import Foundation
public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletAudio
import SwiftletBase

/// Classifies audio.
///
/// - Thread safety: callable concurrently; calls on one classifier run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifier) @objcMembers
#endif
open class AudioClassifier: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: all properties except the delegate, which is set once,
  // are `Sendable` constants.

  /// The task, and its stream in stream mode.
  private struct Open: Sendable {
    let task: SwiftletAudio.AudioClassifier
    var stream: AudioStream?
  }

  private let runningMode: RunningMode
  /// The open task; `nil` once the task is closed.
  private let state: Mutex<Open?>
  /// The delegate, which need not be `Sendable`. `nonisolated(unsafe)` is correct: the property is written once, before
  /// the task is shared; a weak reference can be read on any thread; and the delegate is only called on the task's own
  /// queue, as in MediaPipe.
  private nonisolated(unsafe) weak var streamDelegate: (any AudioClassifierStreamDelegate)?

  /// Creates an audio classifier with default options, for clips.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not an audio classification model.
  public convenience init(modelPath: String) throws {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an audio classifier with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not an
  ///   audio classification model.
  public init(options: AudioClassifierOptions) throws {
    let task = try reportingTasksErrors {
      try options.runningMode.requireDelegate(options.audioClassifierStreamDelegate)
      return try SwiftletAudio.AudioClassifier(options: try options.values())
    }
    runningMode = options.runningMode
    state = Mutex(Open(task: task))
    streamDelegate = options.audioClassifierStreamDelegate
    super.init()
    guard runningMode == .audioStream else { return }
    let queue = options.baseOptions.delegateQueue
    let stream = task.stream { [weak self] window in
      let deliver: @Sendable () -> Void = { [weak self] in
        guard let self else { return }
        switch window.result {
        case .success(let result):
          self.tell(
            AudioClassifierResult([.init(time: window.time, classification: result)]), window.time.inMilliseconds, nil)
        case .failure(let error): self.tell(nil, Int.min, NSError.tasks(error))
        }
      }
      if let queue { queue.async(execute: deliver) } else { deliver() }
    }
    state.withLock { $0?.stream = stream }
  }

  private func tell(_ result: AudioClassifierResult?, _ time: Int, _ error: (any Error)?) {
    let deliver = streamDelegate?.audioClassifier
    deliver?(self, result, time, error)
  }

  /// Returns the open task.
  ///
  /// - Throws: `TasksFailure` if the task is closed, and for a call of the other mode.
  private func open(for mode: RunningMode) throws(TasksFailure) -> Open {
    guard let open = state.withLock({ $0 }) else {
      throw TasksFailure(core: .failedPreconditionError, "The audio classifier is closed.")
    }
    try runningMode.require(mode)
    return open
  }

  /// Classifies a clip of any length and sample rate, window by window; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for a clip that is empty or that the model doesn't support, and unless
  ///   the task runs in clip mode.
  #if canImport(ObjectiveC)
    @objc(classifyAudioClip:error:)
  #endif
  open func classify(audioClip: AudioData) throws -> AudioClassifierResult {
    try reportingTasksErrors {
      let task = try open(for: .audioClips).task
      return AudioClassifierResult(try task.classification(of: audioClip.clip()).windows)
    }
  }

  /// Processes a block of continuous audio; returns immediately. The delegate receives the result of each window that
  /// the block completes. No block is dropped.
  ///
  /// - Parameters:
  ///   - audioBlock: Any number of samples.
  ///   - timestampInMilliseconds: The start time of the block, later than that of the previous block.
  /// - Throws: An `NSError` in the tasks' domain for a different sample rate, for a timestamp that is not later, while
  ///   half a minute of audio is waiting (`TasksErrorCode.resourceExhaustedError`), and unless the task runs in stream
  ///   mode. The block is then ignored.
  #if canImport(ObjectiveC)
    @objc(classifyAsyncAudioBlock:timestampInMilliseconds:error:)
  #endif
  open func classifyAsync(audioBlock: AudioData, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      let stream = try open(for: .audioStream).stream
      try stream?.send(audioBlock.clip(), at: .milliseconds(timestampInMilliseconds))
    }
  }

  /// Closes the task: later calls throw an error, and the delegate is not called any more. A window that is not
  /// complete has no result.
  #if canImport(ObjectiveC)
    @objc(closeWithError:)
  #endif
  open func close() throws {
    let closed = state.withLock { state in
      defer { state = nil }
      return state
    }
    withExtendedLifetime(closed) {}
  }

  /// Returns an audio record for the microphone; see ``AudioRecord`` for its limitations.
  ///
  /// - Throws: An `NSError` in the tasks' domain for other channel counts than 1 and 2, and for a length that is not a
  ///   multiple of the channel count.
  #if canImport(ObjectiveC)
    @objc(createAudioRecordWithChannelCount:sampleRate:bufferLength:error:)
  #endif
  public static func createAudioRecord(
    channelCount: UInt, sampleRate: Double, bufferLength: UInt
  ) throws -> AudioRecord {
    try AudioRecord(
      audioDataFormat: AudioDataFormat(channelCount: channelCount, sampleRate: sampleRate), bufferLength: bufferLength)
  }
}

/// The options of an audio classifier.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierOptions) @objcMembers
#endif
open class AudioClassifierOptions: TaskOptions {
  /// The running mode: clips or a stream.
  open var runningMode = RunningMode.audioClips
  /// The delegate that receives the results of a stream. Must be set in stream mode, and only in that mode.
  open weak var audioClassifierStreamDelegate: (any AudioClassifierStreamDelegate)?
  /// The same delegate under its other name in MediaPipe's headers.
  open var audioClassifierLiveStreamDelegate: (any AudioClassifierLiveStreamDelegate)? {
    get { audioClassifierStreamDelegate }
    set { audioClassifierStreamDelegate = newValue }
  }
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The maximum number of classes per output of the model and window; negative for all. 0 is an error.
  open var maxResults = -1
  /// The minimum score. Classes with a lower score are not reported.
  open var scoreThreshold: Float = 0
  /// If not empty, the names of the only categories to report.
  open var categoryAllowlist: [String] = []
  /// The names of categories that are not reported. Mutually exclusive with the allowlist.
  open var categoryDenylist: [String] = []

  /// Returns independent options with the same values and the same delegate.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = AudioClassifierOptions()
    copy.baseOptions = baseOptions
    copy.runningMode = runningMode
    copy.audioClassifierStreamDelegate = audioClassifierStreamDelegate
    copy.displayNamesLocale = displayNamesLocale
    copy.maxResults = maxResults
    copy.scoreThreshold = scoreThreshold
    copy.categoryAllowlist = categoryAllowlist
    copy.categoryDenylist = categoryDenylist
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if options contradict each other, or there is no model.
  func values() throws(TasksFailure) -> SwiftletAudio.AudioClassifierOptions {
    try CategoryOptionCheck.check(maxResults: maxResults, allow: categoryAllowlist, deny: categoryDenylist, end: ".")
    return .init(
      baseOptions: try baseOptions.values(),
      displayNamesLocale: displayNamesLocale.isEmpty ? "en" : displayNamesLocale,
      maxResults: maxResults < 0 ? nil : maxResults,
      scoreThreshold: scoreThreshold, categoryAllowlist: categoryAllowlist, categoryDenylist: categoryDenylist)
  }
}

// Unchecked because its base class is: it has constants only.

/// The result of an audio classifier.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierResult) @objcMembers
#endif
open class AudioClassifierResult: TaskResult, @unchecked Sendable {
  /// The classes of each window of a clip, with its start time; in stream mode, of one window.
  public let classificationResults: [ClassificationResult]

  /// Creates a result with the given classes.
  public init(classificationResults: [ClassificationResult], timestampInMilliseconds: Int) {
    self.classificationResults = classificationResults
    super.init(timestampInMilliseconds: timestampInMilliseconds)
  }

  convenience init(_ windows: [AudioClassification.Window]) {
    self.init(
      classificationResults: windows.map { ClassificationResult($0.classification, at: $0.time) },
      timestampInMilliseconds: windows.first?.time.inMilliseconds ?? 0)
  }
}

/// A delegate that receives the results of an audio classifier in stream mode.
///
/// The method is called on a serial queue of the task, in the order of the windows. The result has one element, and the
/// timestamp is the start time of the window. If the window failed, the result is `nil`, the timestamp is `Int.min`,
/// and the error is an `NSError` in the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierStreamDelegate)
#endif
public protocol AudioClassifierStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Receives the result or the error of one window.
    @objc(audioClassifier:didFinishClassificationWithResult:timestampInMilliseconds:error:)
    optional func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #else
    /// Receives the result or the error of one window.
    func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #endif
}

#if !canImport(ObjectiveC)
  extension AudioClassifierStreamDelegate {
    /// Ignores the result.
    public func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?
    ) {}
  }
#endif

/// The delegate of an audio classifier under its other name in MediaPipe's headers.
public typealias AudioClassifierLiveStreamDelegate = AudioClassifierStreamDelegate
