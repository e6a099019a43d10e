package import Foundation
import SwiftletBase

/// Threads that work is handed to, which begin it in the order in which it comes.
package protocol WorkScheduler: AnyObject, Sendable {
  /// Hands work over and returns at once.
  func schedule(_ work: @escaping @Sendable () -> Void)
}

extension DispatchQueue: WorkScheduler {
  package func schedule(_ work: @escaping @Sendable () -> Void) { async(execute: work) }
}

extension OperationQueue: WorkScheduler {
  package func schedule(_ work: @escaping @Sendable () -> Void) { addOperation(work) }

  /// A queue with so many pieces of work under way at a time.
  package convenience init(name: String, width: Int) {
    self.init()
    self.name = name
    maxConcurrentOperationCount = width
    qualityOfService = .userInitiated
  }
}

extension WorkScheduler {
  /// Runs `work` there and returns its result: the threads that run Swift's tasks must not be blocked. A model
  /// that runs in it ends soon after the caller is cancelled.
  ///
  /// - Throws: what `work` throws, and `CancellationError` when the caller is cancelled before the work is done.
  package func value<Value: Sendable>(of work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let context = CallContext()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        schedule {
          continuation.resume(
            with: Result {
              if context.isCancelled { throw CancellationError() }
              do {
                return try context.carry(work)
              } catch  where context.isCancelled {
                throw CancellationError()
              }
            })
        }
      }
    } onCancel: {
      context.cancel()
    }
  }
}
