import Dispatch
import SwiftletEngine
import SwiftletBase

/// The pipelines of one task: one per call that runs at the same time, each created when it is first needed. They share
/// their models.
///
/// All work of a task runs here: creating a pipeline and each call run under one deadline and one budget of results, and
/// errors become `TaskError` here.
///
/// Unchecked `Sendable` because the lock makes it so: a pipeline is handed over when it is created, and belongs to one
/// caller at a time.
package final class PipelinePool<Pipeline>: @unchecked Sendable {
  /// Creates a pipeline from the task's models.
  package typealias Make = @Sendable (ModelContext) throws -> Pipeline

  /// The maximum number of calls at a time.
  package let limit: Int
  /// Whether the output of a call may depend on the calls before it.
  package let keepsState: Bool
  private let base: BaseOptions
  /// `nil` if there is only one pipeline.
  private let make: Make?
  private let sharing: ModelSharing?
  /// Counts the pipelines that are idle or may still be created.
  private let available: DispatchSemaphore
  private let idle: Mutex<[Entry]>

  /// A pipeline with the budget of its models.
  private struct Entry: @unchecked Sendable {
    var pipeline: Pipeline
    var results: ResultBudget
  }

  /// Creates the first pipeline.
  ///
  /// - Parameters:
  ///   - base: The model and the limits of calls. `maxConcurrentCalls` is the number of pipelines, limited to
  ///     1…`RuntimeOptions.maximumThreadCount`. A pipeline whose models keep state from run to run stays alone.
  ///   - make: Creates a pipeline that nobody else has.
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

  /// The number of elements of a batch that the pipelines take.
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

  /// Runs `body` with a pipeline that nobody else uses meanwhile; waits while all pipelines are in use. The deadline of
  /// the call counts from there.
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
    // There is an entry per signal of the semaphore unless further ones can be created.
    guard let make else { throw TaskError(.failed, "there is no pipeline") }
    return try Self.entry(base, sharing, make)
  }
}

/// The number of elements of a batch that a task takes.
package struct BatchCapacity: Sendable, Hashable {
  /// The maximum number of elements that the task runs on at the same time.
  package var concurrency: Int
  /// The maximum number of elements that are read, run on, or finished and not yet requested.
  package var window: Int

  /// Creates a capacity.
  ///
  /// - Parameters:
  ///   - concurrency: The maximum number of elements at the same time; 1 or more.
  ///   - window: The maximum number of elements in all; 1 or more. Elements above `concurrency` are read while the task
  ///     runs.
  package init(concurrency: Int, window: Int) {
    self.concurrency = concurrency
    self.window = window
  }

  /// The capacity of a task whose results depend on earlier elements: an element is read once the result of the element
  /// before was taken.
  package static let oneAfterTheOther = BatchCapacity(concurrency: 1, window: 1)
}
