public import Foundation
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

  /// An audio classifier with default options, for clips.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an audio classification model.
  public convenience init(modelPath: String) throws {
    let options = AudioClassifierOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// An audio classifier with these options; changing them later changes nothing.
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
