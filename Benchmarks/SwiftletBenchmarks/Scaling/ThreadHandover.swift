import Foundation
import SwiftletMeasurement
import SwiftletBase

/// Measures the time until one core notices a write of another.
enum ThreadHandover {
  private static let turns = 2000

  /// Returns half the time in which a number travels to another thread and back, in nanoseconds, as the median of
  /// several rounds. On a single core, the result is 0.
  static func measure(rounds: Int = 21) -> Double {
    guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return 0 }
    let ball = Atomic<Int>(0)
    let times = (0..<rounds).map { _ -> Double in
      ball.store(0, ordering: .relaxed)
      let other = Thread {
        for turn in 0..<turns {
          while ball.load(ordering: .acquiring) != 2 * turn + 1 { spinWait() }
          ball.store(2 * turn + 2, ordering: .releasing)
        }
      }
      other.start()
      var start = ContinuousClock.now
      for turn in 0..<turns {
        // The first turn waits for the thread to start.
        if turn == 1 { start = ContinuousClock.now }
        ball.store(2 * turn + 1, ordering: .releasing)
        while ball.load(ordering: .acquiring) != 2 * turn + 2 { spinWait() }
      }
      return (ContinuousClock.now - start) / .nanoseconds(1) / Double(2 * (turns - 1))
    }
    return Sample(times).median
  }
}
