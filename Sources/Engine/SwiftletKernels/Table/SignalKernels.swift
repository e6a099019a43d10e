internal import SwiftletKernelSets

/// Discrete Fourier transforms in double precision.
///
/// - Numerics: The same in every variant.
/// - Thread safety: callable concurrently on disjoint memory.
package struct SignalKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// Transforms complex numbers in place.
  ///
  /// - Parameters:
  ///   - numbers: `length` numbers, a power of two, that are `step` apart.
  ///   - roots: The roots of unity of each pass from the third on: of 8, 16, … `length` numbers, the first half each.
  package func transform(
    _ numbers: UnsafeMutablePointer<SIMD2<Double>>, step: Int, length: Int, roots: UnsafePointer<SIMD2<Double>>
  ) {
    set.call.signal_transform(numbers, step, length, roots)
  }

  /// Computes the frequencies of real numbers from those of the complex numbers that they were paired to.
  ///
  /// - Parameters:
  ///   - numbers: `half` numbers, and memory for one more.
  ///   - roots: `half / 2 + 1` roots of unity of 2 · `half` numbers.
  package func separate(
    _ numbers: UnsafeMutablePointer<SIMD2<Double>>, half: Int, roots: UnsafePointer<SIMD2<Double>>
  ) {
    set.call.signal_separate(numbers, half, roots)
  }
}
