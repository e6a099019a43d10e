import Foundation

/// The discrete Fourier transform of real numbers, as many as a power of two.
///
/// - Source: Cooley and Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series" (1965).
struct FourierTransform {
  private let count: Int
  /// The turns of a whole circle in as many steps as there are numbers: real and imaginary parts.
  private let turns: [SIMD2<Float>]
  /// Where each number goes before the first pass: its index with the bits in the opposite order.
  private let places: [Int]

  /// - Precondition: `count` is a power of two.
  init(count: Int) {
    self.count = count
    turns = (0..<count).map { index in
      let angle = -2 * Float.pi * Float(index) / Float(count)
      return [cos(angle), sin(angle)]
    }
    let bits = count.trailingZeroBitCount
    places = (0..<count).map { index in
      (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
    }
  }

  /// How much of each frequency there is, from none up to below half the sample rate.
  ///
  /// - Precondition: there are as many numbers as the transform takes.
  func magnitudes(of values: [Float]) -> [Float] {
    var values = places.map { SIMD2<Float>(values[$0], 0) }
    var half = 1
    while half < count {
      for start in stride(from: 0, to: count, by: 2 * half) {
        for offset in 0..<half {
          let turn = turns[offset * (count / (2 * half))]
          let (first, second) = (values[start + offset], values[start + half + offset])
          let turned = SIMD2(
            second.x * turn.x - second.y * turn.y, second.x * turn.y + second.y * turn.x)
          values[start + offset] = first + turned
          values[start + half + offset] = first - turned
        }
      }
      half *= 2
    }
    return values.prefix(count / 2).map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
  }
}
