import Foundation
import SwiftletTasks

/// What runs an audio classifier: checks what is asked, keeps blocks in order, and lets one in at a time, or as many
/// clips as the options allow.
///
/// - Thread safety: callable concurrently.
final class AudioTaskRunner: Sendable {
  typealias Output = ClassificationResult

  /// The sound whose results are not delivered yet.
  private struct Backlog {
    var rules: AudioStreamRules
    var blockCount = 0
    var seconds = 0.0
  }

  let runningMode: AudioRunningMode
  let format: AudioModelFormat
  let liveStream: LiveStream<Output>
  private let pipelines: PipelinePool<AudioClassifierPipeline>
  private let stream: Serialized<AudioStream>
  private let backlog: Serialized<Backlog>
  /// Where sound is worked on that the caller does not wait for.
  private let workQueue: any WorkScheduler
  /// Where receivers get results of the stream.
  private let resultQueue: DispatchQueue

  /// - Parameters:
  ///   - calls: What a call may take.
  ///   - makePipeline: makes a pipeline, which then belongs to the runner.
  ///   - inspect: gets the first pipeline.
  /// - Throws: `TaskError`, what `makePipeline` throws.
  init(
    runningMode: AudioRunningMode, calls: CallLimits, taskName: String,
    makePipeline: @escaping @Sendable () throws -> sending AudioClassifierPipeline,
    inspect: (AudioClassifierPipeline) -> Void
  ) throws(TaskError) {
    var modelFormat: AudioModelFormat?
    pipelines = try PipelinePool(
      calls, keepsState: runningMode == .audioStream, make: { try makePipeline() },
      inspect: {
        modelFormat = $0.format
        inspect($0)
      })
    guard let format = modelFormat else { throw TaskError(.failed, "there is no pipeline") }
    self.runningMode = runningMode
    self.format = format
    liveStream = LiveStream(isOpen: runningMode == .audioStream)
    stream = Serialized(AudioStream(format))
    backlog = Serialized(Backlog(rules: AudioStreamRules(format)))
    let label = "com.swiftlet.audio.\(taskName)_\(UUID().uuidString)"
    workQueue =
      pipelines.limit == 1
      ? DispatchQueue(label: label + ".blocks", qos: .userInitiated)
      : OperationQueue(name: label + ".clips", width: pipelines.limit)
    resultQueue = DispatchQueue(label: label, qos: .userInitiated)
  }

  /// Does not wait, because it may run on either queue.
  deinit { liveStream.close() }

  // MARK: Clips

  /// How many clips of a batch the task takes.
  var batchCapacity: BatchCapacity { pipelines.batchCapacity }

  /// - Throws: `TaskError`: in stream mode, and what the pipeline throws.
  func classify(_ clip: AudioClip) throws(TaskError) -> AudioClassifierResult {
    try require(.audioClips)
    return try pipelines.withPipeline { pipeline throws(TaskError) in try pipeline.process(clip) }
  }

  /// - Throws: also `CancellationError` when the caller is cancelled.
  func classifyAsync(_ clip: AudioClip) async throws -> AudioClassifierResult {
    try await workQueue.value { try self.classify(clip) }
  }

  /// The windows of a clip, none of which is cut yet.
  ///
  /// - Throws: `TaskError`: in stream mode, and for a clip that the model cannot be given.
  func windows(of clip: AudioClip) throws(TaskError) -> ClipWindows {
    try require(.audioClips)
    return try ClipWindows(clip, WindowMaker(format))
  }

  /// What is in the next of a clip's windows; `nil` at its end.
  ///
  /// - Throws: `TaskError`, what the pipeline throws.
  func result(ofNext windows: ClipWindows) throws(TaskError) -> Output? {
    try pipelines.withPipeline { pipeline throws(TaskError) in try pipeline.process(next: windows) }
  }

  // MARK: Streams

  /// Hands a block over and returns at once; results go to ``liveStream``.
  ///
  /// - Throws: `TaskError`: in clip mode, for a block that does not belong to the stream, and while too much sound waits.
  func send(_ block: AudioClip, at time: Duration) throws(TaskError) {
    try require(.audioStream)
    let seconds = Double(block.frameCount) / block.sampleRate
    try backlog.withLock { backlog throws(TaskError) in
      guard backlog.blockCount == 0 || backlog.seconds + seconds <= AudioClassifier.longestBacklog else {
        throw TaskError(
          .limitExceeded,
          "\(backlog.seconds) seconds of sound wait for the task or for who receives its results; send this block again later"
        )
      }
      try backlog.rules.accept(block, at: time)
      backlog.blockCount += 1
      backlog.seconds += seconds
      // Under the lock: otherwise, of two threads, the one with the later block could be the first in the queue.
      enqueue(block, at: time, seconds: seconds)
    }
  }

  private func enqueue(_ block: AudioClip, at time: Duration, seconds: Double) {
    workQueue.schedule { [weak self, pipelines, stream, resultQueue] in
      guard self != nil else { return }
      let results = Self.results(of: block, at: time, of: stream, by: pipelines)
      resultQueue.async { [weak self] in
        // Holding the runner makes sure that no receiver is called once the task is gone.
        guard let self else { return }
        for result in results {
          self.liveStream.finishFrame()
          self.liveStream.deliver(result)
        }
        self.backlog.withLock { backlog in
          backlog.blockCount -= 1
          // So that rounding does not add up.
          backlog.seconds = backlog.blockCount == 0 ? 0 : backlog.seconds - seconds
        }
      }
    }
  }

  /// What becomes of a block of a stream whose consumer asks for result after result; `nil` when it is cancelled.
  func results(
    of block: AudioClip, at time: Duration, of stream: Serialized<AudioStream>, rules: inout AudioStreamRules
  ) async -> [LiveResult<Output>]? {
    do throws(TaskError) {
      try require(.audioStream)
      try rules.accept(block, at: time)
    } catch {
      return [LiveResult(timestamp: time, result: .failure(error))]
    }
    let results = try? await workQueue.value { [pipelines] in
      Self.results(of: block, at: time, of: stream, by: pipelines)
    }
    return Task.isCancelled ? nil : results
  }

  private static func results(
    of block: AudioClip, at time: Duration, of stream: Serialized<AudioStream>,
    by pipelines: PipelinePool<AudioClassifierPipeline>
  ) -> [LiveResult<Output>] {
    do throws(TaskError) {
      return try pipelines.withPipeline { pipeline throws(TaskError) in
        try stream.withLock { stream throws(TaskError) in try pipeline.process(block, at: time, of: stream) }
      }
    } catch {
      return [LiveResult(timestamp: time, result: .failure(error))]
    }
  }

  // MARK: Checks

  private func require(_ mode: AudioRunningMode) throws(TaskError) {
    guard mode == runningMode else {
      // MediaPipe's texts name the two modes in different ways.
      throw TaskError(
        .wrongMode,
        "the call is for tasks in \(mode) mode, but this one runs in \(runningMode) mode; set runningMode in its options",
        .mode(
          task: "audio", called: mode == .audioClips ? "audio clips" : "audio stream mode", current: "\(runningMode)"))
    }
  }
}
