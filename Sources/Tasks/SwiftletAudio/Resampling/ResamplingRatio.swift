import SwiftletTasks

/// The ratio of two sample rates as a fraction of small numbers.
struct ResamplingRatio: Hashable {
  /// `numerator / denominator` frames of the source belong to one of the result.
  let numerator: Int
  let denominator: Int
  /// The ratio itself, which the fraction comes close to.
  let exact: Double

  /// The largest denominator: so many kernels there are at most.
  static let largestDenominator = 1000
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
    for denominator in 1...Self.largestDenominator {
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
