import SwiftletCLibrary
import SwiftletEngine

/// Real and imaginary part in double precision.
struct ComplexDouble: BitwiseCopyable, Sendable {
  var real: Double
  var imaginary: Double

  @inline(__always)
  static func * (left: ComplexDouble, right: ComplexDouble) -> ComplexDouble {
    ComplexDouble(
      real: left.real * right.real - left.imaginary * right.imaginary,
      imaginary: left.real * right.imaginary + left.imaginary * right.real)
  }
}

/// The discrete Fourier transform of a power of two of numbers, in place.
///
/// - Source: Cooley and Tukey's algorithm of radix two.
struct FourierTransform: Sendable {
  /// The longest transform: so that tables stay small.
  static let maximumLength = 1 << 22

  let length: Int
  /// The roots of unity of the first half circle.
  private let roots: [ComplexDouble]

  /// Whether there is a transform of this length: a power of two from 1 to `maximumLength`.
  static func takes(length: Int) -> Bool { length >= 1 && length <= maximumLength && length & (length - 1) == 0 }

  /// Roughly how long a transform takes, in nanoseconds.
  static func cost(length: Int) -> Double {
    Double(length) * (8 + 4 * Double(Int.bitWidth - length.leadingZeroBitCount))
  }

  /// `nil` when there is none of this length. Makes a table of half the length.
  init?(length: Int) {
    guard Self.takes(length: length) else { return nil }
    self.length = length
    roots = (0..<(length / 2)).map { index in
      let angle = -2 * Double.pi * Double(index) / Double(length)
      return ComplexDouble(real: cos(angle), imaginary: sin(angle))
    }
  }

  /// Transforms `length` numbers that lie `stride` apart.
  func run(_ values: UnsafeMutablePointer<ComplexDouble>, stride step: Int = 1) {
    reverseBits(values, step)
    roots.withUnsafeBufferPointer { roots in
      var half = 1
      while half < length {
        let rootStep = length / (2 &* half)
        var start = 0
        while start < length {
          for offset in 0..<half {
            let (low, high) = ((start &+ offset) &* step, (start &+ offset &+ half) &* step)
            let (even, odd) = (values[low], values[high] * roots[offset &* rootStep])
            values[low] = ComplexDouble(real: even.real + odd.real, imaginary: even.imaginary + odd.imaginary)
            values[high] = ComplexDouble(real: even.real - odd.real, imaginary: even.imaginary - odd.imaginary)
          }
          start &+= 2 &* half
        }
        half &*= 2
      }
    }
  }

  private func reverseBits(_ values: UnsafeMutablePointer<ComplexDouble>, _ step: Int) {
    var reversed = 0
    for index in 1..<max(length, 1) {
      var bit = length / 2
      while reversed & bit != 0 {
        reversed &-= bit
        bit /= 2
      }
      reversed |= bit
      if index < reversed {
        let value = values[index &* step]
        values[index &* step] = values[reversed &* step]
        values[reversed &* step] = value
      }
    }
  }
}
