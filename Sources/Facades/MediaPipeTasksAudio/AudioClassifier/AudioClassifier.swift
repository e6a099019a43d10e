public import Foundation
public import class MediaPipeTasksCommon.ClassificationResult
import SwiftletAudio
import SwiftletBase

/// Says what can be heard, with scores.
///
/// - Thread safety: callable concurrently; calls on one classifier run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifier) @objcMembers
#endif
open class AudioClassifier: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: all but the delegate, which is set once, are Sendable constants.

  /// The task, and in stream mode its stream.
  private struct Open: Sendable {
    let task: SwiftletAudio.AudioClassifier
    var stream: AudioStream?
  }

  private let runningMode: RunningMode
  /// `nil` once the task is closed.
  private let state: Mutex<Open?>
  /// Unchecked because delegates need not be `Sendable`: it is written once, before anyone else has the task, reading a
  /// weak reference is safe on every thread, and it is only called on the task's own queue, as with MediaPipe.
  private nonisolated(unsafe) weak var streamDelegate: (any AudioClassifierStreamDelegate)?

  /// Creates an audio classifier with default options, for clips.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an audio classification model.
  public convenience init(modelPath: String) throws {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates an audio classifier with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   an audio classification model.
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

  /// - Throws: `TasksFailure` once the task is closed, and for a call of the other mode.
  private func open(for mode: RunningMode) throws(TasksFailure) -> Open {
    guard let open = state.withLock({ $0 }) else {
      throw TasksFailure(core: .failedPreconditionError, "The audio classifier is closed.")
    }
    try runningMode.require(mode)
    return open
  }

  /// Classifies a clip of any length and rate, window after window; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for a clip that is empty or that the model cannot be given, and unless
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

  /// Takes a block of a continuous sound; returns at once. The delegate receives the result of each window that the
  /// block fills. No block is dropped.
  ///
  /// - Parameters:
  ///   - audioBlock: the samples, as many as there are.
  ///   - timestampInMilliseconds: the time at which the block begins, later than that of the last one.
  /// - Throws: an `NSError` of the tasks' domain for another rate than before, for a time that is not later, while half
  ///   a minute of sound waits (`TasksErrorCode.resourceExhaustedError`), and unless the task runs in stream mode. The
  ///   block then counts for nothing.
  #if canImport(ObjectiveC)
    @objc(classifyAsyncAudioBlock:timestampInMilliseconds:error:)
  #endif
  open func classifyAsync(audioBlock: AudioData, timestampInMilliseconds: Int) throws {
    try reportingTasksErrors {
      let stream = try open(for: .audioStream).stream
      try stream?.send(audioBlock.clip(), at: .milliseconds(timestampInMilliseconds))
    }
  }

  /// Ends the task: calls throw from here on, and the delegate gets no more of them. A window that is not full has no
  /// result.
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

  /// A record of the microphone: see ``AudioRecord`` for what it can do.
  ///
  /// - Throws: an `NSError` of the tasks' domain for other numbers of channels than 1 and 2, and for a length that is no
  ///   multiple of it.
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

/// How sound is classified.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierOptions) @objcMembers
#endif
open class AudioClassifierOptions: TaskOptions {
  /// The running mode: clips or a stream.
  open var runningMode = RunningMode.audioClips
  /// Receives the results of a stream. Must be set in that mode, and only in that mode.
  open weak var audioClassifierStreamDelegate: (any AudioClassifierStreamDelegate)?
  /// The same delegate under its other name in MediaPipe's headers.
  open var audioClassifierLiveStreamDelegate: (any AudioClassifierLiveStreamDelegate)? {
    get { audioClassifierStreamDelegate }
    set { audioClassifierStreamDelegate = newValue }
  }
  /// The language of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = "en"
  /// The most classes reported per output of the model and window; negative for all, 0 is an error.
  open var maxResults = -1
  /// Classes with a lower score are left out.
  open var scoreThreshold: Float = 0
  /// When not empty, only these category names are reported.
  open var categoryAllowlist: [String] = []
  /// These category names are not reported. Not together with an allow list.
  open var categoryDenylist: [String] = []

  /// Independent options with the same values and the same delegate.
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

  /// - Throws: `TasksFailure` when options contradict each other, or there is no model.
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
  /// The classes of each window of a clip, with the time at which it begins; of one window in stream mode.
  public let classificationResults: [ClassificationResult]

  /// Creates a result of these classes.
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

/// Receives the results of an audio classifier in stream mode.
///
/// The method is called on a serial queue of the task's own, in the order of the windows. The result has one element,
/// and the time is that at which the window begins. If the window failed, the result is `nil`, the time is the least
/// integer, and the error is an `NSError` of the tasks' domain. The method is optional.
#if canImport(ObjectiveC)
  @objc(MPPAudioClassifierStreamDelegate)
#endif
public protocol AudioClassifierStreamDelegate: AnyObject {
  #if canImport(ObjectiveC)
    /// Called with the result or the error of one window.
    @objc(audioClassifier:didFinishClassificationWithResult:timestampInMilliseconds:error:)
    optional func audioClassifier(
      _ audioClassifier: AudioClassifier, didFinishClassification result: AudioClassifierResult?,
      timestampInMilliseconds: Int, error: (any Error)?)
  #else
    /// Called with the result or the error of one window.
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
