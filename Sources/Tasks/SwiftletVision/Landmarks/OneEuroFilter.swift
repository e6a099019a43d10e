import SwiftletTasks

/// A one-euro filter. It smooths values over time, more the more slowly they change.
///
/// All values of a frame share a timestamp, and each value has its own speed.
///
/// - Source: "1€ Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems" (Casiez et al.
///   2012), with the treatment of time in MediaPipe's landmark tasks and the precision of each of its operations, so
///   that results are equal bit for bit.
struct OneEuroFilter: FrameMemory {
  /// The frame rate that is assumed until two timestamps are known, in hertz.
  private static let initialFrequency = 30.0
  /// The cutoff frequency of the filter for speeds.
  private static let speedCutoff = 1.0

  /// The cutoff frequency for a constant value, in hertz. A lower frequency smooths more.
  let minCutoff: Double
  /// The increase of the cutoff frequency with the speed.
  let beta: Double

  private var frequency = Self.initialFrequency
  /// The timestamp of the last frame, in nanoseconds; initially earlier than all timestamps.
  private var lastTime: Int64 = -1
  private var raw: [Float] = []
  private var smoothed: [Float] = []
  private var speeds: [Float] = []

  init(minCutoff: Float, beta: Float) {
    (self.minCutoff, self.beta) = (Double(minCutoff), Double(beta))
  }

  /// Clears the history: the next values are not changed.
  mutating func reset() { assign(OneEuroFilter(minCutoff: Float(minCutoff), beta: Float(beta))) }

  mutating func assign(_ other: OneEuroFilter) {
    (frequency, lastTime) = (other.frequency, other.lastTime)
    raw.assign(other.raw)
    smoothed.assign(other.smoothed)
    speeds.assign(other.speeds)
  }

  /// Smooths the numbers of a frame in place.
  ///
  /// - Parameters:
  ///   - values: The values, as many in every frame; a different count resets the filter.
  ///   - speedScale: The scale factor of speeds, which makes them independent of the object's size.
  ///   - time: The timestamp of the frame. If it is not later than the last one, the values don't change.
  mutating func smooth(_ values: inout [Float], speedScale: Float, at time: Duration) {
    if values.count != raw.count { reset() }
    let now = time.nanoseconds
    guard now > lastTime else { return }
    // A timestamp of 0 doesn't determine the frequency, neither in its own frame nor in the next.
    if lastTime != 0, now != 0 { frequency = 1 / (Double(now &- lastTime) * 1e-9) }
    lastTime = now
    guard !raw.isEmpty else {
      raw.assign(values)
      smoothed.assign(values)
      speeds.assign([])
      for _ in values { speeds.append(0) }
      return
    }
    let speedShare = Float(share(cutoff: Self.speedCutoff))
    for index in values.indices {
      let change = Double(values[index]) - Double(raw[index])
      let speed = Float(change * Double(speedScale) * frequency)
      speeds[index] = LowPass.mix(speed, share: speedShare, into: speeds[index])
      let valueShare = Float(share(cutoff: minCutoff + beta * Double(speeds[index].magnitude)))
      raw[index] = values[index]
      smoothed[index] = LowPass.mix(values[index], share: valueShare, into: smoothed[index])
      values[index] = smoothed[index]
    }
  }

  /// Returns the weight of a new value in a low-pass filter with the given cutoff frequency.
  private func share(cutoff: Double) -> Double {
    let interval = 1 / frequency
    let timeConstant = 1 / (2 * .pi * cutoff)
    return 1 / (1 + timeConstant / interval)
  }
}

/// A step of a low-pass filter.
enum LowPass {
  /// Returns the weighted mean of the new and the old value in MediaPipe's precision: the first product is rounded to
  /// single precision, and the second product and the sum are computed in double precision.
  static func mix(_ new: Float, share: Float, into old: Float) -> Float {
    Float(Double(share * new) + (1 - Double(share)) * Double(old))
  }
}

extension Duration {
  /// The whole nanoseconds, clamped to 64 bits.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflows || sumOverflows ? (seconds < 0 ? .min : .max) : sum
  }
}
