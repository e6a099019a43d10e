import Foundation
import SwiftletMeasurement
import SwiftletBase

/// Counts the results of a live stream.
final class SoakLog: Sendable {
  private struct State {
    var count = 0
    var lastTimestamp = Int.min
    var failure: String?
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// The number of results.
  var count: Int { state.withLock(\.count) }

  /// Counts a result, and records a failure if its timestamp isn't later than the previous one.
  func add(_ timestamp: Int) {
    state.withLock { state in
      if timestamp <= state.lastTimestamp {
        state.failure = "the result of \(timestamp) ms came after that of \(state.lastTimestamp) ms"
      }
      state.lastTimestamp = timestamp
      state.count += 1
    }
    arrival.signal()
  }

  /// Counts a frame without a result.
  func fail(_ reason: String) {
    state.withLock { state in
      state.failure = reason
      state.count += 1
    }
    arrival.signal()
  }

  /// Waits until the given number of results has arrived.
  ///
  /// - Throws: `MeasurementFailure` if a result failed or arrived out of order, or if none arrives for a minute.
  func wait(for expected: () -> Int, name: String) throws {
    while true {
      let (count, failure) = state.withLock { ($0.count, $0.failure) }
      if let failure { throw MeasurementFailure(file: name, reason: failure) }
      if count >= expected() { return }
      guard arrival.wait(timeout: .now() + 60) == .success else {
        throw MeasurementFailure(file: name, reason: "result \(count + 1) did not come within a minute")
      }
    }
  }
}
