import Foundation

/// What runs a task in one of the running modes; ``VisionTask`` has its uses.
///
/// Runs the task's pipeline: checks what is asked, keeps time, and lets one frame in at a time; in image mode as many
/// pictures as the options allow.
///
/// - Thread safety: callable concurrently.
/// - Source: the task runner of MediaPipe's iOS tasks. Unlike there, a new live frame is dropped while the task is busy
///   and none waits, and an error of one frame leaves the task usable.
public final class VisionTaskRunner<Output: Sendable>: Sendable {
  let runningMode: RunningMode
  let liveStream: LiveStream<Output>
  /// What the task can make use of a whole picture.
  let detail: PictureDetail
  private let pipelines: PipelinePool<any VisionPipeline<Output>>
  private let clock = Serialized(FrameClock())
  /// Where frames are worked on that the caller does not wait for.
  private let frameQueue: DispatchQueue
  /// The same for pictures that have nothing to do with each other.
  private let imageQueue: any WorkScheduler
  /// Where receivers get live results. A slow receiver does not delay the work on the next frame.
  private let resultQueue: DispatchQueue

  /// - Parameters:
  ///   - calls: What a call may take; only in image mode there are several at a time.
  ///   - taskName: as in `objectDetector`; part of the queues' labels.
  ///   - keepsState: whether in image mode what is found in a picture depends on those before it.
  ///   - makePipeline: makes a pipeline, which then belongs to the runner.
  ///   - inspect: gets the first pipeline.
  /// - Throws: `TaskError`, what `makePipeline` throws.
  init<Pipeline: VisionPipeline>(
    runningMode: RunningMode, calls: CallLimits = CallLimits(), taskName: String, keepsState: Bool = false,
    makePipeline: @escaping @Sendable () throws -> sending Pipeline, inspect: (Pipeline) -> Void = { _ in }
  ) throws(TaskError) where Pipeline.Output == Output {
    self.runningMode = runningMode
    liveStream = LiveStream(isOpen: runningMode == .liveStream)
    var detail = PictureDetail.parts
    var calls = calls
    if runningMode != .image { calls.concurrency = 1 }
    pipelines = try PipelinePool(
      calls, keepsState: keepsState || runningMode != .image,
      make: { try makePipeline() },
      inspect: {
        detail = $0.detail
        if let pipeline = $0 as? Pipeline { inspect(pipeline) }
      })
    self.detail = detail
    let label = "com.swiftlet.vision.\(taskName)_\(UUID().uuidString)"
    frameQueue = DispatchQueue(label: label + ".frames", qos: .userInitiated)
    imageQueue =
      pipelines.limit == 1 ? frameQueue : OperationQueue(name: label + ".pictures", width: pipelines.limit)
    resultQueue = DispatchQueue(label: label, qos: .userInitiated)
  }

  /// Does not wait, because it may run on either queue: a frame that is being worked on keeps the pipeline alive and
  /// ends by itself.
  deinit { liveStream.close() }

  // MARK: Image and video

  /// The result for a picture; blocks until it is there.
  ///
  /// - Parameter timestamp: what the result says; `nil` for a second more than at the last call without one.
  /// - Throws: `TaskError`: in another mode, for mirrored orientations, and what the pipeline throws.
  func image(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, timestamp: Duration? = nil
  ) throws(TaskError) -> Output {
    try run(image, regionOfInterest, mode: .image) { timestamp ?? $0.tick() }
  }

  /// The result for a frame of a video; blocks until it is there.
  ///
  /// - Throws: `TaskError`: in another mode, for mirrored orientations, for a time that is not later than the
  ///   last frame's, and what the pipeline throws. Only this frame fails.
  func video(
    _ image: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) throws(TaskError) -> Output {
    try run(image, regionOfInterest, timestamp, mode: .video)
  }

  /// As ``image(_:regionOfInterest:)``, without blocking the caller's thread.
  ///
  /// - Throws: also `CancellationError` when the caller is cancelled before the picture's turn has come.
  func imageAsync(
    _ image: MPImage, regionOfInterest: NormalizedRect? = nil, timestamp: Duration? = nil
  ) async throws -> Output {
    try await imageQueue.value {
      try self.image(image, regionOfInterest: regionOfInterest, timestamp: timestamp)
    }
  }

  /// How many images of a batch the task takes.
  var batchCapacity: BatchCapacity { pipelines.batchCapacity }

  /// As ``video(_:timestamp:regionOfInterest:)``, without blocking the caller's thread.
  ///
  /// - Throws: also `CancellationError` when the caller is cancelled before the frame's turn has come; its time then
  ///   counts for nothing.
  func videoAsync(
    _ image: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) async throws -> Output {
    try await frameQueue.value {
      try self.video(image, timestamp: timestamp, regionOfInterest: regionOfInterest)
    }
  }

  private func run(
    _ image: MPImage, _ regionOfInterest: NormalizedRect?, _ timestamp: Duration, mode: RunningMode
  ) throws(TaskError) -> Output {
    try run(image, regionOfInterest, mode: mode) { clock throws(TaskError) in
      try clock.accept(timestamp)
      return timestamp
    }
  }

  private func run(
    _ image: MPImage, _ regionOfInterest: NormalizedRect?, mode: RunningMode,
    time: (inout FrameClock) throws(TaskError) -> Duration
  ) throws(TaskError) -> Output {
    try require(mode)
    try image.requireSupportedOrientation()
    // The time is accepted while the pipeline is locked, so that frames are worked on in the order of their times.
    return try pipelines.withPipeline { pipeline throws(TaskError) in
      let timestamp = try clock.withLock(time)
      return try Self.process(image, regionOfInterest, timestamp, by: pipeline)
    }
  }

  // MARK: Live stream

  /// Hands a frame of a live stream over and returns at once. Its result goes to ``liveStream``, unless the frame is
  /// dropped because another one is being worked on.
  ///
  /// - Throws: `TaskError`: in another mode, for mirrored orientations, and for a time that is not later than
  ///   that of the last frame, be it dropped or not. Only this frame fails.
  func send(
    _ image: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) throws(TaskError) {
    try require(.liveStream)
    try image.requireSupportedOrientation()
    // Both under one lock: otherwise, of two threads, the one with the later time could be admitted first.
    let isAdmitted = try clock.withLock { clock throws(TaskError) in
      try clock.accept(timestamp)
      return liveStream.admit()
    }
    guard isAdmitted else { return }
    frameQueue.async { [weak self, pipelines, liveStream, resultQueue] in
      guard self != nil else { return }
      let outcome = Swift.Result { () throws(TaskError) in
        try pipelines.withPipeline { pipeline throws(TaskError) in
          try Self.process(image, regionOfInterest, timestamp, by: pipeline)
        }
      }
      liveStream.finishFrame()
      resultQueue.async { [weak self] in
        // Holding the runner, and not only its stream, makes sure that no receiver is called once the task is gone.
        guard let self else { return }
        self.liveStream.deliver(LiveResult(timestamp: timestamp, result: outcome))
        withExtendedLifetime(self) {}
      }
    }
  }

  /// What becomes of a frame of a live stream whose consumer asks for frame after frame; `nil` when it is cancelled.
  func liveAsync(
    _ image: MPImage, timestamp: Duration, regionOfInterest: NormalizedRect? = nil
  ) async -> LiveResult<Output>? {
    do {
      let outcome = try await frameQueue.value {
        Swift.Result { () throws(TaskError) in
          try self.run(image, regionOfInterest, timestamp, mode: .liveStream)
        }
      }
      return Task.isCancelled ? nil : LiveResult(timestamp: timestamp, result: outcome)
    } catch {
      return nil
    }
  }

  // MARK: Checks

  private func require(_ mode: RunningMode) throws(TaskError) {
    guard mode == runningMode else {
      throw TaskError(
        .wrongMode,
        "the call is for tasks in \(mode) mode, but this one runs in \(runningMode) mode; set runningMode in its options",
        .mode(task: "vision", called: "\(mode) mode", current: "\(runningMode)"))
    }
  }

  private static func process(
    _ image: MPImage, _ regionOfInterest: NormalizedRect?, _ timestamp: Duration,
    by pipeline: any VisionPipeline<Output>
  ) throws(TaskError) -> Output {
    try TaskError.wrapping {
      try pipeline.process(image, regionOfInterest: regionOfInterest, timestamp: timestamp)
    }
  }
}
