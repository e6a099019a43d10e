import Dispatch
import SwiftletEngine
import SwiftletBase

/// The pipelines of one task, one per concurrent call. Each is created when it is first needed, and all share their
/// models.
///
/// All work of a task goes through this pool. It creates pipelines, runs each call under one deadline and one result
/// budget, and converts errors to `TaskError`.
///
/// Unchecked `Sendable` because a lock hands out the pipelines: each belongs to one caller at a time.
package final class PipelinePool<Pipeline>: @unchecked Sendable {
  /// Creates a pipeline from the task's models.
  package typealias Make = @Sendable (ModelContext) throws -> Pipeline

  /// The maximum number of concurrent calls.
  package let limit: Int
  /// Whether the output of a call may depend on earlier calls.
  package let keepsState: Bool
  private let base: BaseOptions
  /// Creates further pipelines; `nil` if there is only one pipeline.
  private let make: Make?
  private let sharing: ModelSharing?
  /// Counts the pipelines that are idle or may still be created.
  private let available: DispatchSemaphore
  private let idle: Mutex<[Entry]>

  /// A pipeline with the result budget of its models.
  private struct Entry: @unchecked Sendable {
    var pipeline: Pipeline
    var results: ResultBudget
  }

  /// Creates the first pipeline.
  ///
  /// - Parameters:
  ///   - base: The model and the limits of calls. `maxConcurrentCalls` is the number of pipelines, limited to
  ///     1…`RuntimeOptions.maximumThreadCount`. If the models keep state between runs, there is only one pipeline.
  ///   - make: Creates a pipeline that belongs to the pool alone.
  ///   - inspect: Receives the first pipeline.
  /// - Throws: `TaskError`, for any error of `make`.
  package init(
    _ base: BaseOptions, make: @escaping Make, inspect: (Pipeline) -> Void = { _ in }
  ) throws(TaskError) {
    let sharing = ModelSharing(isForSeveral: base.maxConcurrentCalls > 1)
    self.base = base
    let first = try Self.entry(base, sharing, make)
    inspect(first.pipeline)
    keepsState = sharing.keepsState
    limit = keepsState ? 1 : min(max(base.maxConcurrentCalls, 1), RuntimeOptions.maximumThreadCount)
    (self.make, self.sharing) = limit > 1 ? (make, sharing) : (nil, nil)
    available = DispatchSemaphore(value: limit)
    var entries: [Entry] = []
    entries.reserveCapacity(limit)
    entries.append(first)
    idle = Mutex(entries)
  }

  /// The capacity of a batch that uses these pipelines.
  package var batchCapacity: BatchCapacity {
    keepsState ? .oneAfterTheOther : BatchCapacity(concurrency: limit, window: 2 * limit)
  }

  private static func entry(
    _ base: BaseOptions, _ sharing: ModelSharing?, _ make: Make
  ) throws(TaskError) -> Entry {
    let results = ResultBudget(base.limits)
    do {
      let context = ModelContext(base, sharing: sharing, results: results)
      return Entry(pipeline: try CallContext.within(base.timeout) { try make(context) }, results: results)
    } catch {
      throw TaskError(wrapping: error)
    }
  }

  /// Runs `body` with exclusive access to a pipeline, and waits if all pipelines are in use. The deadline of the call
  /// starts after this wait.
  ///
  /// - Throws: `TaskError`, for any error of `body`, and if a further pipeline cannot be created.
  package func withPipeline<Result: Sendable>(_ body: (Pipeline) throws -> Result) throws(TaskError) -> Result {
    available.wait()
    defer { available.signal() }
    let waiting = idle.withLock { $0.popLast() }
    let entry = if let waiting { waiting } else { try further() }
    defer { idle.withLock { $0.append(entry) } }
    entry.results.begin()
    do {
      return try CallContext.within(base.timeout) { try body(entry.pipeline) }
    } catch {
      throw TaskError(wrapping: error)
    }
  }

  private func further() throws(TaskError) -> Entry {
    // Each signal of the semaphore stands for an entry, unless further entries can be created.
    guard let make else { throw TaskError(.failed, "there is no pipeline") }
    return try Self.entry(base, sharing, make)
  }
}

/// The number of elements of a batch that a task processes and holds.
package struct BatchCapacity: Sendable, Hashable {
  /// The maximum number of elements that the task processes concurrently.
  package var concurrency: Int
  /// The maximum number of elements that are read, being processed, or finished and not yet requested.
  package var window: Int

  /// Creates a capacity.
  ///
  /// - Parameters:
  ///   - concurrency: The maximum number of elements that are processed concurrently; at least 1.
  ///   - window: The maximum number of elements in total; at least 1. Elements above `concurrency` are read while the
  ///     task runs.
  package init(concurrency: Int, window: Int) {
    self.concurrency = concurrency
    self.window = window
  }

  /// The capacity of a task whose results depend on earlier elements: an element is read once the result of the
  /// previous element was taken.
  package static let oneAfterTheOther = BatchCapacity(concurrency: 1, window: 1)
}
