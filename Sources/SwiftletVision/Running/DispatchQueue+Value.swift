package import Foundation

extension DispatchQueue {
  /// What `work` gives, run on this queue, as the threads that run Swift's tasks must not be blocked.
  ///
  /// - Throws: what `work` throws, and `CancellationError` when the caller is cancelled before the work's turn has come.
  package func value<Value: Sendable>(of work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let isCancelled = Serialized(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        async {
          continuation.resume(
            with: Result {
              if isCancelled.withLock({ $0 }) { throw CancellationError() }
              return try work()
            })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}
