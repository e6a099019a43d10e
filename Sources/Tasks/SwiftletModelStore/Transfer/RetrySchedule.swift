import Foundation

/// When to try again what failed for reasons that may pass.
struct RetrySchedule: Sendable {
  var options: ModelStoreOptions
  var environment: StoreEnvironment

  /// Runs `body` until it succeeds, fails for good, or has failed once more than there are delays.
  func run<Value>(_ body: () async throws(ModelStoreError) -> Value) async throws(ModelStoreError) -> Value {
    for delay in options.retryDelays {
      do {
        return try await body()
      } catch {
        try await wait(after: error, delay)
      }
    }
    return try await body()
  }

  /// - Throws: `error` if trying again is of no use.
  private func wait(after error: ModelStoreError, _ delay: Duration) async throws(ModelStoreError) {
    let time: Duration
    switch error.retry {
    case .never: throw error
    case .afterDelay: time = delay.bounded * (1 + 0.2 * environment.jitter())
    case .after(let seconds):
      guard seconds <= options.longestRetryDelay.bounded / .seconds(1) else { throw error }
      time = .seconds(seconds)
    }
    do {
      try await environment.sleep(time)
    } catch {
      throw .cancelled
    }
  }
}

extension Duration {
  /// The time as far as clocks can count with it: not below zero, and at most a year, which is more than anybody waits.
  var bounded: Duration { min(max(self, .zero), .seconds(365 * 86_400)) }
}
