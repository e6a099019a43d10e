import SwiftletBase
import SwiftletEngine
import SwiftletKernels

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
    // Short transforms need no roots, but a pointer.
    self.roots = roots.isEmpty ? [SIMD2(1, 0)] : roots
  }

  /// Transforms `length` elements that are `stride` apart.
  ///
  /// - Parameter values: The elements, aligned to 16 bytes like scratch memory.
  func run(_ values: UnsafeMutablePointer<ComplexDouble>, stride step: Int = 1) {
    let numbers = UnsafeMutableRawPointer(values).assumingMemoryBound(to: SIMD2<Double>.self)
    roots.withUnsafeBufferPointer { roots in
      guard let roots = roots.baseAddress else { return }
      KernelTable.current.signal.transform(numbers, step: step, length: length, roots: roots)
    }
  }
}
