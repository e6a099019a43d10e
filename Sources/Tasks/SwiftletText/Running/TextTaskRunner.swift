import Foundation
import SwiftletTasks

/// What runs a task on texts; ``TextTask`` has its uses.
///
/// Lets one text in at a time.
///
/// - Thread safety: callable concurrently.
public final class TextTaskRunner<Output: Sendable>: Sendable {
  private let pipeline: Serialized<any TextPipeline<Output>>
  /// Where texts are worked on that the caller does not wait for.
  private let queue: DispatchQueue

  /// - Parameters:
  ///   - taskName: as in `textClassifier`; part of the queue's label.
  ///   - makePipeline: makes the pipeline, which then belongs to the runner.
  /// - Throws: `TaskError`, what `makePipeline` throws.
  init<Pipeline: TextPipeline>(
    taskName: String, makePipeline: () throws -> sending Pipeline
  ) throws(TaskError) where Pipeline.Output == Output {
    pipeline = Serialized(try TaskError.wrapping { try makePipeline() })
    queue = DispatchQueue(label: "com.swiftlet.text.\(taskName)_\(UUID().uuidString)", qos: .userInitiated)
  }

  /// The result for a text; blocks until it is there.
  ///
  /// - Throws: `TaskError`, what the pipeline throws.
  func result(for text: String) throws(TaskError) -> Output {
    try pipeline.withLock { pipeline throws(TaskError) in
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
