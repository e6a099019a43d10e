import SwiftletBase

/// Runs one image, audio, or text task.
///
/// It admits as many concurrent calls as the options allow, and opens sessions for sequences of inputs.
///
/// - Thread safety: callable concurrently.
package final class TaskRunner<Pipeline: TaskPipeline>: Sendable {
  package typealias Input = Pipeline.Input
  package typealias Output = Pipeline.Output

  private let name: String
  private let makePool: @Sendable () throws(TaskError) -> PipelinePool<Pipeline>
  package let pool: PipelinePool<Pipeline>
  private let queue: WorkQueue

  /// Creates a runner and its first pipeline.
  ///
  /// - Parameters:
  ///   - base: The model and the limits of calls.
  ///   - name: The task's name, such as `faceDetector`, for the labels of queues.
  ///   - make: Creates a pipeline, which then belongs to the runner.
  ///   - inspect: Receives the first pipeline.
  /// - Throws: `TaskError`, for any error of `make`.
  package init(
    _ base: BaseOptions, name: String, make: @escaping PipelinePool<Pipeline>.Make,
    inspect: (Pipeline) -> Void = { _ in }
  ) throws(TaskError) {
    self.name = name
    pool = try PipelinePool(base, make: make, inspect: inspect)
    makePool = { () throws(TaskError) in try PipelinePool(base, make: make) }
    queue = WorkQueue("swiftlet.\(name)", width: pool.limit)
  }

  /// Returns the output for an input; blocks until it is available.
  ///
  /// - Throws: `TaskError`, for any error of the pipeline.
  package func output(for input: Input) throws(TaskError) -> Output {
    try pool.withPipeline { try $0.process(input) }
  }

  /// Returns the output for an input without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, for any error of the pipeline, and `CancellationError` if the caller is cancelled.
  package func output(for input: Input, priority: TaskPriority) async throws -> Output {
    try await queue.value(priority: priority) { try self.output(for: input) }
  }

  /// Returns the outputs for many inputs, in order; see ``Batch``.
  package func batch<Source: Sendable>(
    _ sources: BatchSources<Source>, load: @escaping @Sendable (Source) async throws -> Input
  ) -> Batch<Source, Output> {
    Batch(sources, pool.batchCapacity) { [self] source in
      try await output(for: try await load(source), priority: .userInitiated)
    }
  }

  /// Opens a session for a sequence of inputs.
  package func session() -> FrameSession<Input, Output> {
    let memory = SessionMemory<Pipeline>()
    return FrameSession("swiftlet.\(name).frames") { [self] input, time throws(TaskError) in
      let pool = try memory.pool(of: self)
      return try pool.withPipeline { pipeline in try memory.process(input, at: time, by: pipeline) }
    }
  }

  /// Returns the pool for the frames of a session. If a model keeps state between runs, this is a new pool, so that
  /// sessions don't share state.
  package func sessionPool() throws(TaskError) -> PipelinePool<Pipeline> {
    pool.keepsState ? try makePool() : pool
  }
}

/// The state that the frames of a session pass on to the next frame.
///
/// Unchecked `Sendable` because the session's lock protects it.
private final class SessionMemory<Pipeline: TaskPipeline>: @unchecked Sendable {
  private var memory: Pipeline.Memory?
  /// The copy that a frame modifies. It becomes ``memory`` if the frame succeeds.
  private var draft: Pipeline.Memory?
  private var pool: PipelinePool<Pipeline>?

  func pool(of runner: TaskRunner<Pipeline>) throws(TaskError) -> PipelinePool<Pipeline> {
    if let pool { return pool }
    let pool = try runner.sessionPool()
    self.pool = pool
    return pool
  }

  func process(_ input: Pipeline.Input, at time: Duration, by pipeline: Pipeline) throws -> Pipeline.Output {
    // Take both out of their properties, so that their arrays are not copied on write.
    let committed = memory.take() ?? pipeline.makeMemory()
    var next = draft.take() ?? pipeline.makeMemory()
    next.assign(committed)
    do {
      let output = try pipeline.process(input, at: time, &next)
      (memory, draft) = (next, committed)
      return output
    } catch {
      (memory, draft) = (committed, next)
      throw error
    }
  }
}

/// A sequence of inputs, such as the frames of one video. They have increasing timestamps, and are processed one by
/// one.
///
/// - Thread safety: callable concurrently.
package final class FrameSession<Input: Sendable, Output: Sendable>: Sendable {
  package typealias Step = @Sendable (Input, Duration) throws(TaskError) -> Output

  private let clock = Mutex(FrameClock())
  private let step: Step
  /// The queue for frames that are processed without blocking the caller's thread.
  package let queue: WorkQueue

  package init(_ label: String, step: @escaping Step) {
    self.step = step
    queue = WorkQueue(label)
  }

  /// Returns the output for a frame; blocks until it is available.
  ///
  /// - Throws: `TaskError` (`timeNotIncreasing`) for a timestamp that is not later than the previous frame's, and any
  ///   error of the pipeline. The state of the session is then unchanged.
  package func output(for input: Input, at time: Duration) throws(TaskError) -> Output {
    // Hold the lock during processing, so that frames are processed in the order of their timestamps.
    try clock.withLock { clock throws(TaskError) in
      let last = clock
      try clock.accept(time)
      do throws(TaskError) {
        return try step(input, time)
      } catch {
        clock = last
        throw error
      }
    }
  }

  /// Returns the output for a frame without blocking the caller's thread.
  ///
  /// - Throws: `TaskError`, like the blocking method, and `CancellationError` if the caller is cancelled.
  package func output(for input: Input, at time: Duration, priority: TaskPriority) async throws -> Output {
    try await queue.value(priority: priority) { try self.output(for: input, at: time) }
  }

  /// Returns the output for a frame whose timestamp was accepted by a clock of the caller.
  package func acceptedOutput(for input: Input, at time: Duration) throws(TaskError) -> Output {
    try clock.withLock { _ throws(TaskError) in try step(input, time) }
  }
}

/// The timestamp of the last frame that a session accepted.
package struct FrameClock: Sendable {
  private var last: Duration?

  package init() {}

  /// Accepts the timestamp of a frame.
  ///
  /// - Throws: `TaskError` (`timeNotIncreasing`) unless the timestamp is later than the last accepted one. The clock is
  ///   then unchanged.
  package mutating func accept(_ time: Duration) throws(TaskError) {
    if let last, time <= last {
      throw TaskError(
        .timeNotIncreasing,
        "the time of the frame must be later than \(last), the time of the frame before, got \(time)")
    }
    last = time
  }
}

/// The steps of a task from an input to its output.
///
/// - Thread safety: one caller at a time; ``TaskRunner`` ensures that.
package protocol TaskPipeline: AnyObject, SendableMetatype {
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  /// The state that a video frame passes on to the next frame.
  associatedtype Memory: FrameMemory = NoMemory

  /// Creates the state before the first frame of a video.
  func makeMemory() -> Memory

  /// Returns the output for an independent input.
  ///
  /// - Throws: Any error; the pipeline stays usable.
  func process(_ input: Input) throws -> Output

  /// Returns the output for the next frame of a video.
  ///
  /// - Parameters:
  ///   - input: The frame.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
  ///   - memory: The state that earlier frames have left. Changes to it are discarded if the frame fails.
  /// - Throws: Any error; the pipeline stays usable.
  func process(_ input: Input, at time: Duration, _ memory: inout Memory) throws -> Output
}

extension TaskPipeline where Memory == NoMemory {
  package func makeMemory() -> NoMemory { NoMemory() }

  package func process(_ input: Input, at time: Duration, _ memory: inout NoMemory) throws -> Output {
    try process(input)
  }
}

/// The state that a video frame passes on to the next frame.
package protocol FrameMemory: Sendable {
  /// Copies another state, and reuses the existing allocations.
  mutating func assign(_ other: Self)
}

/// The memory of tasks whose frames are independent of each other.
package struct NoMemory: FrameMemory {
  package init() {}

  package mutating func assign(_ other: NoMemory) {}
}

extension Array {
  /// Copies the elements of another array without sharing its storage.
  package mutating func assign(_ other: [Element]) {
    removeAll(keepingCapacity: true)
    append(contentsOf: other)
  }
}
