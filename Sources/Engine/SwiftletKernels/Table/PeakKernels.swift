internal import SwiftletKernelSets

/// Loops that reach the peak performance of one core, as the baseline for kernel benchmarks. They have no other use.
///
/// - Thread safety: callable concurrently on disjoint outputs.
package struct PeakKernels: Sendable {
  typealias MultiplyAdds = @convention(c) (Int, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  typealias DotProducts = @convention(c) (Int, UnsafeRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer) -> Void
  typealias Scale = @convention(c) (Int, Float, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  typealias Sum = @convention(c) (Int, UnsafePointer<Float>, UnsafeMutableRawPointer) -> Void

  let multiplyAddLoop: MultiplyAdds
  let dotProductLoop: DotProducts
  let scaleLoop: Scale
  let sumLoop: Sum
  /// The number of input vectors, of six, that `dotProduct` uses. Each has two vectors of sums.
  package let dotProductInputs: Int
  /// The number of 32-bit elements in a vector.
  package let lanes: Int

  /// The maximum size of the vectors that a loop needs, in 32-bit elements.
  package var vectorRoom: Int { 16 * lanes }

  /// The number of multiply-adds in one iteration of `multiplyAdd`.
  package var multiplyAddsPerIteration: Int { 12 * lanes }

  /// Computes `x[i] = x[i] * factor + summand` on twelve vectors in registers, `iterations` times.
  ///
  /// - Parameters:
  ///   - input: A vector of factors, a vector of summands, and twelve vectors of `x`, at most `vectorRoom` elements.
  ///   - output: The twelve vectors after the last iteration.
  package func multiplyAdd(iterations: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>) {
    multiplyAddLoop(iterations, input, output)
  }

  /// The number of multiply-adds in one iteration of `dotProduct`.
  package var dotProductMultiplyAddsPerIteration: Int { 2 * dotProductInputs * 4 * lanes }

  /// Accumulates products of four unsigned bytes of `input` and four signed bytes of `weights` in each lane of the
  /// sums, which start at 0, `iterations` times. Sum `2 r + c` uses input vector `r` and, in iteration `i`, weight
  /// vector `2 (i mod 8) + c`.
  ///
  /// - Parameters:
  ///   - input: Six vectors of numbers up to 127, which are also valid as signed bytes, because some CPUs only multiply
  ///     signed bytes.
  ///   - weights: Sixteen vectors.
  ///   - output: The vectors of sums, at most twelve.
  package func dotProduct(
    iterations: Int, input: UnsafePointer<UInt8>, weights: UnsafePointer<Int8>, output: UnsafeMutablePointer<Int32>
  ) {
    dotProductLoop(iterations, input, weights, output)
  }

  /// Computes `output[i] = input[i] * factor` for the elements, out of `count`, that fill groups of four vectors.
  package func scale(
    count: Int, by factor: Float, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
  ) {
    scaleLoop(count, factor, input, output)
  }

  /// Sums the elements, out of `count`, that fill groups of eight vectors. `output`, eight vectors, is the sum of all
  /// groups.
  package func sum(count: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>) {
    sumLoop(count, input, output)
  }
}

extension PeakKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(
      multiplyAddLoop: set.peak_multiply_add_f32, dotProductLoop: set.peak_dot_u8, scaleLoop: set.peak_scale_f32,
      sumLoop: set.peak_sum_f32, dotProductInputs: set.peak_dot_inputs(), lanes: set.panel_columns() / 2)
  }
}
