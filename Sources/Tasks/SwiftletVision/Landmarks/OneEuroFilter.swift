import SwiftletTasks

/// Smooths numbers over time: strongly while they change little, hardly while they change fast.
///
/// All numbers have the time in common, and each has its own speed.
///
/// - Source: "1€ Filter: A Simple Speed-based Low-pass Filter for Noisy Input in Interactive Systems" (Casiez et al.
///   2012), with the treatment of time of MediaPipe's landmark tasks and the precision of each of their operations: equal
///   in every bit.
struct OneEuroFilter: FrameMemory {
  /// The number of frames that a second there are until two times are known.
  private static let initialFrequency = 30.0
  /// The cut-off frequency of the speeds' own filter.
  private static let speedCutoff = 1.0

  /// The cut-off frequency of a number that stands still, in hertz: what is lower smooths more.
  let minCutoff: Double
  /// By how much the cut-off frequency rises with the speed.
  let beta: Double

  private var frequency = Self.initialFrequency
  /// In nanoseconds; before all times at first.
  private var lastTime: Int64 = -1
  private var raw: [Float] = []
  private var smoothed: [Float] = []
  private var speeds: [Float] = []

  init(minCutoff: Float, beta: Float) {
    (self.minCutoff, self.beta) = (Double(minCutoff), Double(beta))
  }

  /// Forgets everything: the next numbers are taken as they are.
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
  ///   - values: as many in every frame; another count starts again.
  ///   - speedScale: what speeds are multiplied by, so that they do not depend on the size of the thing.
  ///   - time: of the frame; the values stay as they are when it is not later than that of the last one.
  mutating func smooth(_ values: inout [Float], speedScale: Float, at time: Duration) {
    if values.count != raw.count { reset() }
    let now = time.nanoseconds
    guard now > lastTime else { return }
    // The frame at time 0 says nothing of the frequency, neither does the one after it.
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

  /// The part of a new value that a low-pass filter of this cut-off frequency takes.
  private func share(cutoff: Double) -> Double {
    let interval = 1 / frequency
    let timeConstant = 1 / (2 * .pi * cutoff)
    return 1 / (1 + timeConstant / interval)
  }
}

/// A step of a low-pass filter.
enum LowPass {
  /// The new value's share and what is left of the old one, in MediaPipe's precision: the first product is rounded, the
  /// second one and the sum are of double precision.
  static func mix(_ new: Float, share: Float, into old: Float) -> Float {
    Float(Double(share * new) + (1 - Double(share)) * Double(old))
  }
}

extension Duration {
  /// Whole nanoseconds, limited to what 64 bits hold.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflows || sumOverflows ? (seconds < 0 ? .min : .max) : sum
  }
}
