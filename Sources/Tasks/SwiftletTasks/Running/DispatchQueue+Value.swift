package import Foundation
import SwiftletEngine

extension DispatchQueue {
  /// Runs `work` on this queue and returns its result: the threads that run Swift's tasks must not be blocked. A model
  /// that runs in it ends soon after the caller is cancelled.
  ///
  /// - Throws: what `work` throws, and `CancellationError` when the caller is cancelled before the work is done.
  package func value<Value: Sendable>(of work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let cancellation = RunCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        async {
          continuation.resume(
            with: Result {
              if cancellation.isCancelled { throw CancellationError() }
              do {
                return try cancellation.carry(work)
              } catch  where cancellation.isCancelled {
                throw CancellationError()
              }
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
