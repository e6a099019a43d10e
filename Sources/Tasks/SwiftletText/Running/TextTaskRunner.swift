import Foundation
import SwiftletTasks

/// What runs a task on texts; ``TextTask`` has its uses.
///
/// Lets one text in at a time, or as many as the options allow.
///
/// - Thread safety: callable concurrently.
public final class TextTaskRunner<Output: Sendable>: Sendable {
  private let pipelines: PipelinePool<any TextPipeline<Output>>
  /// Where texts are worked on that the caller does not wait for.
  private let queue: any WorkScheduler

  /// - Parameters:
  ///   - base: Says what a call may take.
  ///   - taskName: as in `textClassifier`; part of the queue's label.
  ///   - makePipeline: makes a pipeline, which then belongs to the runner.
  ///   - inspect: gets the first pipeline.
  /// - Throws: `TaskError`, what `makePipeline` throws.
  init<Pipeline: TextPipeline>(
    _ base: BaseOptions, taskName: String,
    makePipeline: @escaping @Sendable () throws -> sending Pipeline, inspect: (Pipeline) -> Void = { _ in }
  ) throws(TaskError) where Pipeline.Output == Output {
    pipelines = try PipelinePool(
      base.callLimits, make: { try makePipeline() },
      inspect: { if let pipeline = $0 as? Pipeline { inspect(pipeline) } })
    let label = "com.swiftlet.text.\(taskName)_\(UUID().uuidString)"
    queue =
      pipelines.limit == 1
      ? DispatchQueue(label: label, qos: .userInitiated) : OperationQueue(name: label, width: pipelines.limit)
  }

  /// How many texts of a batch the task takes.
  var batchCapacity: BatchCapacity { pipelines.batchCapacity }

  /// The result for a text; blocks until it is there.
  ///
  /// - Throws: `TaskError`, what the pipeline throws.
  func result(for text: String) throws(TaskError) -> Output {
    try pipelines.withPipeline { pipeline throws(TaskError) in
      try TaskError.wrapping { try pipeline.process(text) }
    }
  }

  /// As ``result(for:)-9chge``, without blocking the caller's thread.
  ///
  /// - Throws: also `CancellationError` when the caller is cancelled before the text's turn has come.
  func resultAsync(for text: String) async throws -> Output {
    try await queue.value { try self.result(for: text) }
  }
}

/// One task's steps from a text to its result.
///
/// - Thread safety: one caller at a time; ``TextTaskRunner`` sees to that.
protocol TextPipeline<Output>: AnyObject, SendableMetatype {
  associatedtype Output: Sendable

  /// - Throws: `TaskError`; the pipeline stays usable.
  func process(_ text: String) throws -> Output
}
