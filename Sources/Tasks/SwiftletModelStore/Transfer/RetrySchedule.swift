import Foundation

/// When to try again what failed for reasons that may pass.
struct RetrySchedule: Sendable {
  var options: ModelStoreOptions
  var environment: StoreEnvironment

  /// The schedule of work whose requests have schedules of their own: nothing is waited for.
  var withoutDelays: RetrySchedule {
    var schedule = self
    schedule.options.retryDelays = []
    return schedule
  }

  /// Runs `body` until it succeeds or fails for good. Errors are counted here and nowhere else: as many are retried as
  /// there are delays, and one that is to begin anew.
  func run<Value>(_ body: () async throws(ModelStoreError) -> Value) async throws(ModelStoreError) -> Value {
    var delays = options.retryDelays[...]
    var mayBeginAnew = true
    while true {
      do {
        return try await body()
      } catch  where error.retry == .anew {
        guard mayBeginAnew else { throw ModelStoreError(error.code, error.message) }
        mayBeginAnew = false
      } catch {
        guard let delay = delays.popFirst() else { throw error }
        try await wait(after: error, delay)
      }
    }
  }

  /// - Throws: `error` if trying again is of no use.
  private func wait(after error: ModelStoreError, _ delay: Duration) async throws(ModelStoreError) {
    let time: Duration
    switch error.retry {
    case .never, .anew: throw error
    case .afterDelay: time = delay.bounded * (1 + 0.2 * environment.jitter())
    case .after(let seconds):
      guard seconds <= options.maximumRetryDelay.bounded / .seconds(1) else { throw error }
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
