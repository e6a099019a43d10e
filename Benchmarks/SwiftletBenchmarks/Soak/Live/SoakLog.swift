import Foundation
import SwiftletMeasurement
import SwiftletBase

/// The results of a live stream, counted as they come.
final class SoakLog: Sendable {
  private struct State {
    var count = 0
    var lastTimestamp = Int.min
    var failure: String?
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// How many results came.
  var count: Int { state.withLock(\.count) }

  /// Counts a result, and fails when it comes before one of an earlier frame.
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

  /// Counts a frame without result.
  func fail(_ reason: String) {
    state.withLock { state in
      state.failure = reason
      state.count += 1
    }
    arrival.signal()
  }

  /// Waits until that many results are there.
  ///
  /// - Throws: `MeasurementFailure` when one failed or came out of order, or none comes for a minute.
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
