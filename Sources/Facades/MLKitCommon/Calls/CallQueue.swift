import SwiftletBase

/// The queue of an object that runs models. Its calls are processed one by one, in order: blocking calls, calls with a
/// completion handler, and asynchronous calls alike.
package final class CallQueue: Sendable {
  private let queue: DispatchQueue
  private let completionQueue: DispatchQueue

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - completionQueue: The queue on which completion handlers are called.
  package init(of name: String, completionQueue: DispatchQueue) {
    queue = DispatchQueue(label: "com.swiftlet.\(name)." + UUID().uuidString, qos: .userInitiated)
    self.completionQueue = completionQueue
  }

  /// Calls `completion` with the result of `work`, or with an `MLKitError`. Returns immediately.
  package func later<Answer: Sendable>(
    completion: @escaping (Answer?, (any Error)?) -> Void, work: @escaping @Sendable () throws(MLKitError) -> Answer
  ) {
    // The closure need not be `Sendable`: it is passed on here and called once, on the completion queue.
    nonisolated(unsafe) let completion = completion
    queue.async { [completionQueue] in
      let outcome = Result { () throws(MLKitError) in try work() }
      completionQueue.async {
        switch outcome {
        case .success(let answer): completion(answer, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  /// Returns the result of `work`; blocks until done.
  ///
  /// - Throws: The error of `work`.
  package func now<Answer>(_ work: () throws -> Answer) rethrows -> Answer { try queue.sync(execute: work) }

  /// Returns the result of `work`, without blocking the thread.
  ///
  /// - Throws: The error of `work`, and `CancellationError` if the caller is cancelled before the call is processed.
  nonisolated(nonsending) package func value<Answer: Sendable>(
    _ work: @escaping @Sendable () throws(MLKitError) -> Answer
  ) async throws -> Answer {
    try await CallContext.value(of: { try work() }, schedule: { queue.async(execute: $0) })
  }
}
