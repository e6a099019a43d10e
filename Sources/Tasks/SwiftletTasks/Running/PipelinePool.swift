import Foundation
import SwiftletEngine
import SwiftletBase

/// The pipelines of one task: as many as calls run at the same time, made when they are first needed. Their models are
/// shared.
///
/// Whatever a task does happens here: a pipeline is made, and each call of it runs, before one deadline and with one budget
/// of results.
///
/// Unchecked `Sendable` because the lock is what makes it so: a pipeline is handed over when it is made, and belongs to
/// one caller at a time.
package final class PipelinePool<Pipeline>: @unchecked Sendable {
  /// Makes a pipeline that nobody else has.
  package typealias Make = @Sendable () throws -> Pipeline

  /// The most calls at a time.
  package let limit: Int
  /// Whether what a call gives may depend on the calls before it.
  package let keepsState: Bool
  private let calls: CallLimits
  /// `nil` where there is but one pipeline.
  private let make: Make?
  private let sharing: ModelSharing?
  private let condition = NSCondition()
  private var idle: [Entry] = []
  /// Those that are idle, in use or being made.
  private var count = 1

  /// A pipeline with the budget that its models have.
  private struct Entry {
    var pipeline: Pipeline
    var results: ResultBudget
  }

  /// Makes the first pipeline.
  ///
  /// - Parameters:
  ///   - calls: What calls may take. There are as many pipelines as calls at a time, limited to
  ///     1…`RuntimeOptions.maximumThreadCount`. One whose models keep something from run to run stays alone.
  ///   - keepsState: whether a pipeline itself keeps something from call to call, and so has to stay alone.
  ///   - inspect: gets the first pipeline.
  /// - Throws: `TaskError`, what `make` throws.
  package init(
    _ calls: CallLimits, keepsState: Bool = false, make: @escaping Make,
    inspect: (Pipeline) -> Void = { _ in }
  ) throws(TaskError) {
    let sharing = keepsState ? nil : ModelSharing(isForSeveral: calls.concurrency > 1)
    self.calls = calls
    let first = try Self.entry(calls, sharing, make)
    inspect(first.pipeline)
    self.keepsState = keepsState || sharing?.keepsState ?? false
    self.limit = self.keepsState ? 1 : min(max(calls.concurrency, 1), RuntimeOptions.maximumThreadCount)
    (self.make, self.sharing) = self.limit > 1 ? (make, sharing) : (nil, nil)
    idle.reserveCapacity(self.limit)
    idle.append(first)
  }

  /// How many elements of a batch the pipelines take.
  package var batchCapacity: BatchCapacity {
    keepsState ? .oneAfterTheOther : BatchCapacity(concurrency: limit, window: 2 * limit)
  }

  private static func entry(
    _ calls: CallLimits, _ sharing: ModelSharing?, _ make: Make
  ) throws(TaskError) -> Entry {
    let results = ResultBudget(calls.limits)
    do {
      let pipeline = try CallContext.within(calls.timeout) {
        try results.scope { try sharing?.scope(make) ?? make() }
      }
      return Entry(pipeline: pipeline, results: results)
    } catch {
      throw TaskError(wrapping: error)
    }
  }

  /// Gives `body` a pipeline that nobody else uses meanwhile; waits for one if all are in use. The deadline of the call
  /// counts from there.
  ///
  /// - Throws: `TaskError`: what `body` throws, and why a further pipeline cannot be made.
  package func withPipeline<Result: Sendable>(
    _ body: (Pipeline) throws(TaskError) -> Result
  ) throws(TaskError) -> Result {
    let entry = try take()
    defer { giveBack(entry) }
    entry.results.begin()
    return try CallContext.within(calls.timeout) { () throws(TaskError) in try body(entry.pipeline) }
  }

  private func take() throws(TaskError) -> Entry {
    condition.lock()
    while idle.isEmpty {
      if count < limit, let make {
        count += 1
        condition.unlock()
        return try further(make)
      }
      condition.wait()
    }
    defer { condition.unlock() }
    return idle.removeLast()
  }

  private func further(_ make: Make) throws(TaskError) -> Entry {
    do throws(TaskError) {
      return try Self.entry(calls, sharing, make)
    } catch {
      condition.lock()
      count -= 1
      condition.unlock()
      condition.signal()
      throw error
    }
  }

  private func giveBack(_ entry: Entry) {
    condition.lock()
    idle.append(entry)
    condition.unlock()
    condition.signal()
  }
}
