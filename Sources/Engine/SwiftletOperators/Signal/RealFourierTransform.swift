import SwiftletBase

/// The discrete Fourier transform of a power of two of real numbers: the frequencies that are not another's mirror
/// image.
///
/// - Source: two real transforms of half the length are one complex one; see "Numerical Recipes", section 12.3.
struct RealFourierTransform: Sendable {
  let length: Int
  private let half: FourierTransform?
  /// The roots of unity of the first quarter circle.
  private let roots: [SIMD2<Double>]

  /// Frequencies of a transform.
  var count: Int { length / 2 + 1 }

  /// Roughly how long a transform takes, in nanoseconds.
  static func cost(length: Int) -> Double { FourierTransform.cost(length: max(1, length / 2)) + Double(length) * 3 }

  /// `nil` when there is none of this length. Makes tables of about the length.
  init?(length: Int) {
    guard FourierTransform.takes(length: length) else { return nil }
    self.length = length
    half = FourierTransform(length: length / 2)
    roots = (0...(length / 4)).map { index in
      let angle = -2 * Double.pi * Double(index) / Double(length)
      return SIMD2(cos(angle), sin(angle))
    }
  }

  /// Transforms samples, with zeros behind them.
  ///
  /// - Parameters:
  ///   - samples: at most ``length`` of them count.
  ///   - values: ``count`` numbers, at a multiple of 16 bytes.
  func run(_ samples: UnsafeBufferPointer<Float>, into values: UnsafeMutablePointer<ComplexDouble>) {
    let given = min(samples.count, length)
    guard let half else {
      values[0] = ComplexDouble(real: given > 0 ? Double(samples[0]) : 0, imaginary: 0)
      return
    }
    for index in 0..<given / 2 {
      values[index] = ComplexDouble(real: Double(samples[2 &* index]), imaginary: Double(samples[2 &* index &+ 1]))
    }
    for index in given / 2..<half.length { values[index] = ComplexDouble(real: 0, imaginary: 0) }
    if !given.isMultiple(of: 2) { values[given / 2].real = Double(samples[given - 1]) }
    half.run(values)
    separate(UnsafeMutableRawPointer(values).assumingMemoryBound(to: SIMD2<Double>.self), half.length)
  }

  /// Makes the frequencies of all samples from those of the complex transform.
  private func separate(_ numbers: UnsafeMutablePointer<SIMD2<Double>>, _ half: Int) {
    numbers[half] = numbers[0]
    for index in 0...half / 2 {
      let (one, other) = (numbers[index], numbers[half &- index].conjugate)
      let (even, odd) = ((one + other) * 0.5, (one - other) * 0.5)
      let product = odd.times(roots[index])
      let turned = SIMD2(product.y, -product.x)
      numbers[half &- index] = (even - turned).conjugate
      numbers[index] = even + turned
    }
  }
}
