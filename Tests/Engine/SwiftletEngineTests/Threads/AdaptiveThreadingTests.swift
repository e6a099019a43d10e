import Testing

@testable import SwiftletEngine

@Suite("Adaptive threading")
struct AdaptiveThreadingTests {
  /// Runs of a model with known times.
  private struct Runs {
    var threading = AdaptiveThreading()
    var shared = 0
    var alone = 0

    /// - Parameter arrival: The number of consecutive shared runs after which helpers arrive.
    mutating func run(_ count: Int, together: Double, alone lonely: Double, arrival: Int = 0) {
      (shared, alone) = (0, 0)
      var inARow = 0
      for _ in 0..<count {
        if threading.sharesNext {
          shared += 1
          inARow += 1
          let isAttended = inARow > arrival
          threading.note(nanoseconds: isAttended ? together : lonely * 1.1, isAttended: isAttended)
        } else {
          alone += 1
          inARow = 0
          threading.note(nanoseconds: lonely, isAttended: false)
        }
      }
    }
  }

  @Test("shares work if that is faster, and rarely measures the alternative")
  func sharesFaster() {
    var runs = Runs()
    runs.run(10_000, together: 60_000, alone: 100_000)
    #expect(runs.alone > 0 && runs.alone < 200)
  }

  @Test("waits for late helpers during a measurement")
  func waitsForHelpers() {
    var runs = Runs()
    runs.run(10_000, together: 60_000, alone: 100_000, arrival: 30)
    #expect(runs.shared > 9000)
  }

  @Test("runs alone if that is faster, and measures less and less often")
  func runsAlone() {
    var runs = Runs()
    runs.run(10_000, together: 120_000, alone: 100_000)
    #expect(runs.shared < 150)
    runs.run(100_000, together: 120_000, alone: 100_000)
    #expect(runs.shared < 150)
  }

  @Test("runs alone if helpers never arrive in time")
  func missesHelpers() {
    var runs = Runs()
    runs.run(50_000, together: 10_000, alone: 100_000, arrival: .max)
    #expect(runs.alone > 49_000)
  }

  @Test("tries single-threaded runs if one of the shared runs is short", arguments: [0, 3, 7])
  func triesAfterAShortRun(position: Int) {
    for (shortest, triesAlone) in [
      (AdaptiveThreading.maximumTried, true), (AdaptiveThreading.maximumTried + 1, false),
    ] {
      var threading = AdaptiveThreading()
      threading.note(nanoseconds: 0, isAttended: true)
      for run in 0..<AdaptiveThreading.attendedRuns {
        #expect(threading.sharesNext)
        threading.note(
          nanoseconds: run == position ? shortest : 2 * AdaptiveThreading.maximumTried, isAttended: true)
      }
      #expect(threading.sharesNext == !triesAlone)
    }
  }

  @Test("adapts when conditions change")
  func changes() {
    var runs = Runs()
    runs.run(5000, together: 120_000, alone: 100_000)
    runs.run(40_000, together: 60_000, alone: 100_000)
    runs.run(1000, together: 60_000, alone: 100_000)
    #expect(runs.shared > 900)
    runs.run(2000, together: 120_000, alone: 100_000)
    #expect(runs.alone > 1000)
  }

  @Test("shares long runs without measuring")
  func sharesLongRuns() {
    var runs = Runs()
    runs.run(2000, together: 9_000_000, alone: 8_000_000, arrival: 3)
    #expect(runs.alone == 0)
  }

  @Test("is not misled by a long run while helpers arrive")
  func passesOverDisturbedRun() {
    var threading = AdaptiveThreading()
    threading.note(nanoseconds: 200_000, isAttended: false)
    threading.note(nanoseconds: 4_000_000, isAttended: true)
    for _ in 1..<AdaptiveThreading.attendedRuns { threading.note(nanoseconds: 150_000, isAttended: true) }
    #expect(!threading.sharesNext)
    for _ in 0..<AdaptiveThreading.lonelyRuns { threading.note(nanoseconds: 100_000, isAttended: false) }
    #expect(!threading.sharesNext)
  }
}
