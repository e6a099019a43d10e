import SwiftletBase
import SwiftletTasks

/// Brings sound from one sample rate to another, block after block: the result does not depend on how the sound is cut.
///
/// Result `i` lies at frame `i · ratio` of the source; what lies before and behind the sound is silence.
///
/// - Source: MediaPipe's resampler, to the count of its results and, for one channel, to the last bit.
struct Resampler {
  let ratio: ResamplingRatio
  private let kernel: ResamplingKernel
  /// The weights of the positions between two frames that results were needed at so far: at most 41 million, for the
  /// most extreme ratio.
  private var weights: [Float] = []
  /// Where the weights of each position begin; -1 if they are not needed yet.
  private var weightStarts: [Int]

  /// For each channel the frames that are still needed: silence before the sound, then the sound.
  private var channels: [[Float]]
  private var frameCount = 0
  /// How much of what is there is silence before the sound.
  private var silentCount = 0
  /// Where the weights of the next result begin in ``channels``; may lie behind what is there so far.
  private var next = 0
  /// How far between two frames the next result lies, in parts of the ratio's denominator.
  private var phase = 0
  private var results: [Float] = []

  init(_ ratio: ResamplingRatio, channelCount: Int) {
    self.ratio = ratio
    kernel = ResamplingKernel(ratio)
    weightStarts = [Int](repeating: -1, count: ratio.denominator)
    channels = Array(repeating: [], count: channelCount)
    reset()
  }

  /// Begins a new sound.
  mutating func reset() {
    (next, phase) = (0, 0)
    (frameCount, silentCount) = (kernel.radius, kernel.radius)
    reserve(frameCount)
    for channel in channels.indices {
      for frame in 0..<frameCount { channels[channel][frame] = 0 }
    }
  }

  /// The results that the sound so far and these frames allow for.
  ///
  /// - Parameters:
  ///   - frames: interleaved; a few thousand, as they are copied.
  ///   - body: gets the results, interleaved.
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
      // Silence adds nothing, and is left out so that sums are taken in MediaPipe's order.
      appendResult(skipping: max(0, silentCount - next), upTo: kernel.count)
    }
    forget(min(next, frameCount))
    try results.withUnsafeBufferPointer(body)
  }

  /// The results that lie so close to the end of the sound that silence behind it counts for them.
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

  /// Makes the next result with the weights from `first` to `end`, and goes on to the one after it.
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

  /// Forgets frames that no later result needs.
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

  /// The sum of the products of two rows of equal length.
  ///
  /// A model with integers inside makes large steps of the smallest differences in its input, so the order is that of
  /// MediaPipe on x86-64: four vectors of eight sums, added from the last to the first, then what is left, fused.
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
          // The product of two floats is exact in double precision, so that this is as good as fused.
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

/// The low-pass filter of the resampler: a windowed sinc, sampled at the positions that a ratio asks for.
///
/// - Source: MediaPipe's resampler: Kaiser window with β = 6 over five samples of the slower rate on each side, cut off
///   at nine tenths of the slower rate's Nyquist frequency. Weights are not normalized.
struct ResamplingKernel {
  /// How many frames on each side of a position count, rounded up.
  let radius: Int

  /// Weights of one position: one for each frame that counts.
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

  /// Appends the weights for a position that is `offset` frames, 0 to 1, behind the one in the middle.
  func append(offset: Double, to weights: inout [Float]) {
    for index in 0..<count { weights.append(Float(weight(at: Double(index - radius) - offset))) }
  }

  private func weight(at distance: Double) -> Double {
    let distance = abs(distance)
    let position = distance / exactRadius
    // The window is not zero at its ends, so what rounding puts behind them still counts.
    guard position <= 1 + 100 * Double.ulpOfOne else { return 0 }
    let angle = radiansPerFrame * distance
    let sinc = angle < 1e-8 ? 1 : sin(angle) / angle
    return scale * sinc * Self.besselI0(Self.beta * max(0, 1 - position * position).squareRoot())
  }

  /// The modified Bessel function of the first kind and order zero, by its power series; for arguments up to 20.
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

/// The ratio of two sample rates as a fraction of small numbers.
struct ResamplingRatio: Hashable {
  /// `numerator / denominator` frames of the source belong to one of the result.
  let numerator: Int
  let denominator: Int
  /// The ratio itself, which the fraction comes close to.
  let exact: Double

  /// The largest denominator: so many kernels there are at most.
  static let maximumDenominator = 1000
  /// How far a rate may be from the model's. Beyond that, short clips would become long ones, or kernels long arrays.
  static let range = 1.0 / 256...4096

  /// - Throws: `TaskError` when one rate is too far from the other.
  /// - Source: MediaPipe's resampler: rates in single precision, and the closest fraction with a denominator of up to
  ///   1000.
  init(from source: Double, to target: Double) throws(TaskError) {
    exact = Double(Float(source)) / Double(Float(target))
    guard Self.range.contains(exact) else {
      throw TaskError(
        .invalidAudio,
        "sound at \(source) Hz cannot be resampled to the model's \(target) Hz; give one of \(target * Self.range.lowerBound) to \(target * Self.range.upperBound) Hz"
      )
    }
    var best = (numerator: 1, denominator: 1, error: Double.infinity)
    for denominator in 1...Self.maximumDenominator {
      let numerator = max(1, (exact * Double(denominator)).rounded())
      let error = abs(exact - numerator / Double(denominator))
      // The ratio is at most 4096, so the numerator fits.
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
