import Foundation
import SwiftletBase

/// Runs asynchronous work in commands, which are synchronous.
final class Waiting<Value: Sendable>: Sendable {
  private let result = Mutex(Result<Value, any Error>.failure(CancellationError()))
  private let end = DispatchSemaphore(value: 0)

  private init() {}

  /// Runs `work` and returns its result.
  ///
  /// - Parameter tick: called ten times a second until the end, on the caller's thread.
  static func run(_ work: @escaping @Sendable () async throws -> Value, tick: () -> Void) throws -> Value {
    let waiting = Waiting()
    Task {
      let result: Result<Value, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      waiting.result.withLock { $0 = result }
      waiting.end.signal()
    }
    while waiting.end.wait(timeout: .now() + 0.1) == .timedOut { tick() }
    return try waiting.result.withLock { $0 }.get()
  }
}
