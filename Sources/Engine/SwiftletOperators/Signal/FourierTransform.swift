import SwiftletBase
import SwiftletEngine

/// The real and imaginary parts in double precision.
struct ComplexDouble: BitwiseCopyable, Sendable {
  var real: Double
  var imaginary: Double
}

/// The in-place discrete Fourier transform of a power-of-two number of elements.
///
/// - Source: the radix-2 algorithm of Cooley and Tukey, with its first two passes merged.
struct FourierTransform: Sendable {
  /// The maximum length, which keeps tables small.
  static let maximumLength = 1 << 22

  let length: Int
  /// The roots of unity of each pass from the third on, pass by pass, in the order of their use.
  private let roots: [SIMD2<Double>]

  /// Returns whether the length is supported: a power of two from 1 to `maximumLength`.
  static func takes(length: Int) -> Bool { length >= 1 && length <= maximumLength && length & (length - 1) == 0 }

  /// Returns the approximate time of a transform in nanoseconds.
  static func cost(length: Int) -> Double {
    Double(length) * (3 + 1.5 * Double(Int.bitWidth - length.leadingZeroBitCount))
  }

  /// Creates the transform, or returns `nil` if the length isn't supported. Creates a table of that length.
  init?(length: Int) {
    guard Self.takes(length: length) else { return nil }
    self.length = length
    var roots: [SIMD2<Double>] = []
    roots.reserveCapacity(length)
    var half = 4
    while half < length {
      for index in 0..<half {
        let angle = -Double.pi * Double(index) / Double(half)
        roots.append(SIMD2(cos(angle), sin(angle)))
      }
      half *= 2
    }
    self.roots = roots
  }

  /// Transforms `length` elements that are `stride` apart.
  ///
  /// - Parameter values: The elements, aligned to 16 bytes like scratch memory.
  func run(_ values: UnsafeMutablePointer<ComplexDouble>, stride step: Int = 1) {
    let numbers = UnsafeMutableRawPointer(values).assumingMemoryBound(to: SIMD2<Double>.self)
    reverseBits(numbers, step)
    if length == 2 {
      let (low, high) = (numbers[0], numbers[step])
      (numbers[0], numbers[step]) = (low + high, low - high)
    }
    guard length >= 4 else { return }
    firstPasses(numbers, step)
    roots.withUnsafeBufferPointer { roots in
      guard var root = roots.baseAddress else { return }
      var half = 4
      while half < length {
        pass(numbers, step, half, root)
        root += half
        half &*= 2
      }
    }
  }

  /// Computes the passes whose roots are 1 and −i, without multiplications.
  private func firstPasses(_ numbers: UnsafeMutablePointer<SIMD2<Double>>, _ step: Int) {
    for start in stride(from: 0, to: length, by: 4) {
      let at = numbers + start &* step
      let (a, b, c, d) = (at[0], at[step], at[2 &* step], at[3 &* step])
      let (sum, difference) = (a + b, a - b)
      let (otherSum, other) = (c + d, c - d)
      let turned = SIMD2(other.y, -other.x)
      at[0] = sum + otherSum
      at[step] = difference + turned
      at[2 &* step] = sum - otherSum
      at[3 &* step] = difference - turned
    }
  }

  /// Merges transforms of `half` elements to transforms of twice as many.
  private func pass(
    _ numbers: UnsafeMutablePointer<SIMD2<Double>>, _ step: Int, _ half: Int, _ roots: UnsafePointer<SIMD2<Double>>
  ) {
    for start in stride(from: 0, to: length, by: 2 &* half) {
      var (low, high) = (numbers + start &* step, numbers + (start &+ half) &* step)
      for offset in 0..<half {
        let (even, odd) = (low.pointee, high.pointee.times(roots[offset]))
        low.pointee = even + odd
        high.pointee = even - odd
        low += step
        high += step
      }
    }
  }

  private func reverseBits(_ values: UnsafeMutablePointer<SIMD2<Double>>, _ step: Int) {
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

extension SIMD2<Double> {
  /// Returns the product of two complex numbers.
  @inline(__always)
  func times(_ other: SIMD2<Double>) -> SIMD2<Double> {
    self * SIMD2(repeating: other.x) + SIMD2(y, x) * SIMD2(-other.y, other.y)
  }

  /// The complex conjugate.
  @inline(__always)
  var conjugate: SIMD2<Double> { SIMD2(x, -y) }
}
