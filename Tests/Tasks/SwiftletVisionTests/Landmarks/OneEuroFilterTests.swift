import Testing

@testable import SwiftletVision

@Suite("The one-euro filter")
struct OneEuroFilterTests {
  private func smoothed(_ samples: [(time: Duration, value: Float)], scale: Float = 1) -> [Float] {
    var filter = OneEuroFilter(minCutoff: 0.05, beta: 80)
    return samples.map { sample in
      var values = [sample.value]
      filter.smooth(&values, speedScale: scale, at: sample.time)
      return values[0]
    }
  }

  @Test("keeps the first value, and blends the second by its speed")
  func mixes() {
    let found = smoothed([(.milliseconds(100), 1), (.milliseconds(150), 2)])
    // Twenty frames per second; computed by hand from the paper's formulas.
    let speedShare = 1 / (1 + 20 / (2 * Double.pi))
    let share = 1 / (1 + 20 / (2 * Double.pi * (0.05 + 80 * 20 * speedShare)))
    #expect(found[0] == 1)
    #expect(abs(Double(found[1]) - (1 + share)) < 1e-6)
  }

  @Test("smooths scaled small objects less")
  func scale() {
    let samples: [(Duration, Float)] = [(.milliseconds(33), 1), (.milliseconds(66), 1.01)]
    let slow = smoothed(samples, scale: 1e-3)[1]
    let fast = smoothed(samples, scale: 1)[1]
    #expect(slow < fast && slow > 1 && fast < 1.01)
  }

  @Test("uses a frequency of 30 after a frame at time 0")
  func beginning() {
    let fromZero = smoothed([(.zero, 1), (.milliseconds(500), 2)])
    let later = smoothed([(.seconds(1), 1), (.seconds(1) + .nanoseconds(33_333_333), 2)])
    #expect(abs(fromZero[1] - later[1]) < 1e-6)
  }

  @Test("leaves a frame with a nonincreasing time unchanged")
  func sameTime() {
    #expect(smoothed([(.seconds(1), 1), (.seconds(1), 5), (.zero, 7)]) == [1, 5, 7])
  }

  @Test("clamps times that no 64-bit number of nanoseconds can represent")
  func farTimes() {
    for time in [Duration.seconds(Int64.min), .seconds(-10_000_000_000)] {
      #expect(smoothed([(.seconds(1), 1), (time, 5)]) == [1, 5])
    }
    let limit = Duration.nanoseconds(Int64.max)
    for time in [Duration.seconds(Int64.max), .seconds(10_000_000_000), limit + .nanoseconds(1)] {
      #expect(smoothed([(.seconds(1), 1), (time, 5)]) == smoothed([(.seconds(1), 1), (limit, 5)]))
    }
  }

  @Test("restarts if the number of values changes, and on reset")
  func restarts() {
    var filter = OneEuroFilter(minCutoff: 0.05, beta: 80)
    var values: [Float] = [1, 2]
    filter.smooth(&values, speedScale: 1, at: .seconds(1))
    values = [5]
    filter.smooth(&values, speedScale: 1, at: .seconds(2))
    #expect(values == [5])
    filter.reset()
    values = [9]
    filter.smooth(&values, speedScale: 1, at: .seconds(1))
    #expect(values == [9])
  }

  @Test("terminates for any values and times")
  func extremes() {
    for value in [Float.nan, .infinity, -.greatestFiniteMagnitude] {
      for time in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1)] {
        _ = smoothed([(.seconds(-5), value), (.seconds(1), 1), (time, value)], scale: value)
      }
    }
  }

  @Test("visibility is updated by a tenth")
  func visibility() {
    var smoother = VisibilitySmoother()
    var values: [Float] = [1, 0]
    smoother.smooth(&values)
    #expect(values == [1, 0])
    values = [0, 1]
    smoother.smooth(&values)
    #expect(abs(values[0] - 0.9) < 1e-6 && abs(values[1] - 0.1) < 1e-6)
  }
}
