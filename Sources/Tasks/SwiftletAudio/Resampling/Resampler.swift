import SwiftletBase
import SwiftletTasks

/// A streaming resampler. The result does not depend on how the audio is divided into blocks.
///
/// Output frame `i` is at frame `i · ratio` of the source. The audio is preceded and followed by silence.
///
/// - Source: MediaPipe's resampler, with the same number of output frames and, for one channel, the same bits.
struct Resampler {
  let ratio: ResamplingRatio
  private let kernel: ResamplingKernel
  /// The filter weights for the fractional positions used so far: at most 41 million, for the most extreme ratio.
  private var weights: [Float] = []
  /// The start of the weights for each fractional position; -1 if they were not needed yet.
  private var weightStarts: [Int]

  /// For each channel, the frames that are still needed: first silence, then audio.
  private var channels: [[Float]]
  private var frameCount = 0
  /// The number of frames in ``channels`` that are silence before the audio.
  private var silentCount = 0
  /// The position in ``channels`` at which the weights of the next output frame begin; it may be past the end.
  private var next = 0
  /// The fractional position of the next output frame, in units of 1/denominator of the ratio.
  private var phase = 0
  private var results: [Float] = []

  init(_ ratio: ResamplingRatio, channelCount: Int) {
    self.ratio = ratio
    kernel = ResamplingKernel(ratio)
    weightStarts = [Int](repeating: -1, count: ratio.denominator)
    channels = Array(repeating: [], count: channelCount)
    reset()
  }

  /// Begins new audio.
  mutating func reset() {
    (next, phase) = (0, 0)
    (frameCount, silentCount) = (kernel.radius, kernel.radius)
    reserve(frameCount)
    for channel in channels.indices {
      for frame in 0..<frameCount { channels[channel][frame] = 0 }
    }
  }

  /// Appends frames, and calls `body` with the output frames that can be computed from the audio so far.
  ///
  /// - Parameters:
  ///   - frames: Interleaved samples; a few thousand frames, because they are copied.
  ///   - body: Receives the interleaved output.
  mutating func take(
    _ frames: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) throws -> Void
  ) rethrows {
    let count = frames.count / channels.count
    reserve(frameCount + count)
    for channel in channels.indices {
      for frame in 0..<count { channels[channel][frameCount + frame] = frames[frame * channels.count + channel] }
    }
    frameCount += count
    results.removeAll(keepingCapacity: true)
    while next + kernel.count <= frameCount {
      // Skip silence, which adds nothing, so that sums have MediaPipe's order.
      appendResult(skipping: max(0, silentCount - next), upTo: kernel.count)
    }
    forget(min(next, frameCount))
    try results.withUnsafeBufferPointer(body)
  }

  /// Calls `body` with the last output frames, which also depend on the silence after the audio.
  mutating func finish(_ body: (UnsafeBufferPointer<Float>) throws -> Void) rethrows {
    while next < frameCount {
      results.removeAll(keepingCapacity: true)
      while next < frameCount, results.count < 4096 {
        appendResult(skipping: 0, upTo: min(kernel.count, frameCount - next))
      }
      try results.withUnsafeBufferPointer(body)
    }
  }

  private mutating func reserve(_ count: Int) {
    for channel in channels.indices where channels[channel].count < count {
      channels[channel] += [Float](repeating: 0, count: count - channels[channel].count)
    }
  }

  /// Computes the next output frame with the weights from `first` to `end`, and advances to the following one.
  private mutating func appendResult(skipping first: Int, upTo end: Int) {
    if weightStarts[phase] < 0 {
      weightStarts[phase] = weights.count
      kernel.append(offset: Double(phase) / Double(ratio.denominator), to: &weights)
    }
    let start = weightStarts[phase]
    for channel in channels.indices {
      results.append(
        Self.product(channels[channel][next + first..<next + end], weights[start + first..<start + end]))
    }
    next += ratio.numerator / ratio.denominator
    phase += ratio.numerator % ratio.denominator
    if phase >= ratio.denominator {
      phase -= ratio.denominator
      next += 1
    }
  }

  /// Removes frames that no later output needs.
  private mutating func forget(_ count: Int) {
    for channel in channels.indices {
      channels[channel].withUnsafeMutableBufferPointer { frames in
        for frame in count..<frameCount { frames[frame - count] = frames[frame] }
      }
    }
    frameCount -= count
    silentCount = max(0, silentCount - count)
    next -= count
  }

  /// Returns the dot product of two rows of equal length.
  ///
  /// An integer model amplifies the smallest differences in its input, so the order of summation is MediaPipe's on
  /// x86-64: four vectors of eight sums, added from the last to the first, and then the remaining elements with fused
  /// multiply-add.
  private static func product(_ frames: ArraySlice<Float>, _ weights: ArraySlice<Float>) -> Float {
    frames.withUnsafeBytes { frames in
      weights.withUnsafeBytes { weights in
        let width = MemoryLayout<SIMD8<Float>>.size
        let vectorCount = frames.count / width
        func vector(_ index: Int) -> SIMD8<Float> {
          frames.loadUnaligned(fromByteOffset: index * width, as: SIMD8<Float>.self)
            * weights.loadUnaligned(fromByteOffset: index * width, as: SIMD8<Float>.self)
        }
        var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
        var index = 0
        while index + 4 <= vectorCount {
          sums.0 += vector(index)
          sums.1 += vector(index + 1)
          sums.2 += vector(index + 2)
          sums.3 += vector(index + 3)
          index += 4
        }
        if index < vectorCount { sums.0 += vector(index) }
        if index + 1 < vectorCount { sums.1 += vector(index + 1) }
        if index + 2 < vectorCount { sums.2 += vector(index + 2) }
        sums.2 += sums.3
        sums.1 += sums.2
        sums.0 += sums.1
        let half = sums.0.lowHalf + sums.0.highHalf
        let quarter = half.lowHalf + half.highHalf
        var sum = quarter[0] + quarter[1]
        for offset in stride(from: vectorCount * width, to: frames.count, by: MemoryLayout<Float>.size) {
          // The product of two floats is exact in double precision, so this is equivalent to a fused multiply-add.
          let product =
            Double(frames.loadUnaligned(fromByteOffset: offset, as: Float.self))
            * Double(weights.loadUnaligned(fromByteOffset: offset, as: Float.self))
          sum = Float(product + Double(sum))
        }
        return sum
      }
    }
  }
}

/// The low-pass filter of the resampler: a windowed sinc, sampled at the fractional positions of a ratio.
///
/// - Source: MediaPipe's resampler: Kaiser window with β = 6 over five samples of the slower rate on each side, cut off
///   at nine tenths of the slower rate's Nyquist frequency. Weights are not normalized.
struct ResamplingKernel {
  /// The number of frames on each side of a position that have a weight, rounded up.
  let radius: Int

  /// The number of weights per position.
  var count: Int { 2 * radius + 1 }

  private let exactRadius: Double
  private let radiansPerFrame: Double
  private let scale: Double
  private static let beta = 6.0
  private static let radiusFactor = 5.0
  private static let cutoff = Double(Float(0.9))

  init(_ ratio: ResamplingRatio) {
    let slowdown = max(1, ratio.exact)
    exactRadius = Self.radiusFactor * slowdown
    radius = Int(exactRadius.rounded(.up))
    radiansPerFrame = Double.pi * Self.cutoff / slowdown
    scale = Self.cutoff / slowdown / Self.besselI0(Self.beta)
  }

  /// Appends the weights for a position that is `offset` frames, 0 to 1, after the center frame.
  func append(offset: Double, to weights: inout [Float]) {
    for index in 0..<count { weights.append(Float(weight(at: Double(index - radius) - offset))) }
  }

  private func weight(at distance: Double) -> Double {
    let distance = abs(distance)
    let position = distance / exactRadius
    // The window is not zero at its ends, so positions that rounding puts just outside still count.
    guard position <= 1 + 100 * Double.ulpOfOne else { return 0 }
    let angle = radiansPerFrame * distance
    let sinc = angle < 1e-8 ? 1 : sin(angle) / angle
    return scale * sinc * Self.besselI0(Self.beta * max(0, 1 - position * position).squareRoot())
  }

  /// Returns the modified Bessel function of the first kind and order zero, by its power series; for arguments up to
  /// 20.
  static func besselI0(_ argument: Double) -> Double {
    let square = argument * argument
    var (term, sum) = (1.0, 1.0)
    for index in stride(from: 2.0, to: 80, by: 2) {
      term *= square / (index * index)
      if term < Double.ulpOfOne * sum { break }
      sum += term
    }
    return sum
  }
}

/// The ratio of two sample rates as a fraction of small integers.
struct ResamplingRatio: Hashable {
  /// The numerator. Each output frame corresponds to `numerator / denominator` frames of the source.
  let numerator: Int
  let denominator: Int
  /// The exact ratio, which the fraction approximates.
  let exact: Double

  /// The maximum denominator, which is the maximum number of kernels.
  static let maximumDenominator = 1000
  /// The range of ratios. Outside it, short clips would become very long, or kernels very large.
  static let range = 1.0 / 256...4096

  /// Creates the ratio of two sample rates.
  ///
  /// - Throws: `TaskError` if the ratio is out of range.
  /// - Source: MediaPipe's resampler: rates in single precision, and the closest fraction with a denominator of up to
  ///   1000.
  init(from source: Double, to target: Double) throws(TaskError) {
    exact = Double(Float(source)) / Double(Float(target))
    guard Self.range.contains(exact) else {
      throw TaskError(
        .invalidAudio,
        "audio at \(source) Hz cannot be resampled to the model's \(target) Hz; use a rate from \(target * Self.range.lowerBound) to \(target * Self.range.upperBound) Hz"
      )
    }
    var best = (numerator: 1, denominator: 1, error: Double.infinity)
    for denominator in 1...Self.maximumDenominator {
      let numerator = max(1, (exact * Double(denominator)).rounded())
      let error = abs(exact - numerator / Double(denominator))
      // The ratio is at most 4096, so the numerator doesn't overflow.
      if error < best.error { best = (Int(numerator), denominator, error) }
    }
    let divisor = Self.greatestCommonDivisor(best.numerator, best.denominator)
    numerator = best.numerator / divisor
    denominator = best.denominator / divisor
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}
