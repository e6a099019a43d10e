import SwiftletBase

/// The time that processors spend on this process.
package enum ProcessorTime {
  /// Of all threads together, in milliseconds.
  package static func spent() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Waits until no thread of this process works any more: worker threads may look for new work for a while before they
  /// sleep, and would take processor time from the next measurement. Gives up after a fifth of a second.
  package static func waitUntilIdle() {
    for _ in 0..<100 {
      let before = spent()
      usleep(2000)
      if spent() - before < 0.3 { return }
    }
  }
}
