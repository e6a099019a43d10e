import Foundation
import SwiftletEngine

/// The pipelines of one task: as many as calls run at the same time, made when they are first needed. Their models are
/// shared.
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
  /// `nil` where there is but one pipeline.
  private let make: Make?
  private let sharing: ModelSharing?
  private let condition = NSCondition()
  private var idle: [Pipeline] = []
  /// Those that are idle, in use or being made.
  private var count = 1

  /// Makes the first pipeline.
  ///
  /// - Parameters:
  ///   - limit: the most pipelines; limited to 1…`RuntimeOptions.mostThreads`. One whose models keep something from run
  ///     to run stays alone.
  ///   - keepsState: whether a pipeline itself keeps something from call to call, and so has to stay alone.
  ///   - inspect: gets the first pipeline.
  /// - Throws: `TaskError`, what `make` throws.
  package init(
    limit: Int, keepsState: Bool = false, make: @escaping Make, inspect: (Pipeline) -> Void = { _ in }
  ) throws(TaskError) {
    let sharing = keepsState ? nil : ModelSharing(isForSeveral: limit > 1)
    let first = try TaskError.wrapping { try sharing?.scope(make) ?? make() }
    inspect(first)
    self.keepsState = keepsState || sharing?.keepsState ?? false
    self.limit = self.keepsState ? 1 : min(max(limit, 1), RuntimeOptions.mostThreads)
    (self.make, self.sharing) = self.limit > 1 ? (make, sharing) : (nil, nil)
    idle.reserveCapacity(self.limit)
    idle.append(first)
  }

  /// How many elements of a batch the pipelines take.
  package var batchCapacity: BatchCapacity {
    keepsState ? .oneAfterTheOther : BatchCapacity(concurrency: limit, window: 2 * limit)
  }

  /// Gives `body` a pipeline that nobody else uses meanwhile; waits for one where all are in use.
  ///
  /// - Throws: `TaskError`: what `body` throws, and why a further pipeline cannot be made.
  package func withPipeline<Result: Sendable>(
    _ body: (Pipeline) throws(TaskError) -> Result
  ) throws(TaskError) -> Result {
    let pipeline = try take()
    defer { giveBack(pipeline) }
    return try body(pipeline)
  }

  private func take() throws(TaskError) -> Pipeline {
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

  private func further(_ make: Make) throws(TaskError) -> Pipeline {
    do throws(TaskError) {
      return try TaskError.wrapping { try sharing?.scope(make) ?? make() }
    } catch {
      condition.lock()
      count -= 1
      condition.unlock()
      condition.signal()
      throw error
    }
  }

  private func giveBack(_ pipeline: Pipeline) {
    condition.lock()
    idle.append(pipeline)
    condition.unlock()
    condition.signal()
  }
}
