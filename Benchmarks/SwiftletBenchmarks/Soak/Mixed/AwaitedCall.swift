import Foundation
import SwiftletBase

/// A call in a task of its own that a thread waits for.
final class AwaitedCall<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let arrival = DispatchSemaphore(value: 0)
  }

  private let box: Box
  private let task: Task<Void, Never>

  init(_ body: @escaping @Sendable () async throws -> Value) {
    let box = Box()
    self.box = box
    task = Task.detached {
      let result: Result<Value, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      box.result.withLock { $0 = result }
      box.arrival.signal()
    }
  }

  func cancel() { task.cancel() }

  /// Waits for the result or error of the call. Must not be called on threads that run tasks.
  func result() -> Result<Value, any Error> {
    box.arrival.wait()
    return box.result.withLock { $0 } ?? .failure(CancellationError())
  }
}
