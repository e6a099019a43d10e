import SwiftletBase

/// The low-pass filter of the resampler: a windowed sinc, sampled at the positions that a ratio asks for.
///
/// - Source: MediaPipe's resampler: Kaiser window with β = 6 over five samples of the slower rate on each side, cut off
///   at nine tenths of the slower rate's Nyquist frequency. Weights are not normalised.
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
