internal import SwiftletKernelSets

/// Loops that show what one core can do at most, for benchmarks to compare kernels with. Nothing else uses them.
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
  /// How many of the six input vectors `dotProduct` uses; it makes two vectors of sums for each.
  package let dotProductInputs: Int
  /// Elements of 32 bits in a vector.
  package let lanes: Int

  /// Room for vectors that any of the loops needs, in 32-bit elements.
  package var vectorRoom: Int { 16 * lanes }

  /// Multiply-adds of one iteration of `multiplyAdd`.
  package var multiplyAddsPerIteration: Int { 12 * lanes }

  /// `x[i] = x[i] * factor + summand` on twelve vectors of registers, `iterations` times.
  ///
  /// - Parameters:
  ///   - input: A vector of factors, a vector of summands, twelve vectors of `x`; `vectorRoom` elements are enough.
  ///   - output: The twelve vectors after the last iteration.
  package func multiplyAdd(iterations: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>) {
    multiplyAddLoop(iterations, input, output)
  }

  /// Multiply-adds of one iteration of `dotProduct`.
  package var dotProductMultiplyAddsPerIteration: Int { 2 * dotProductInputs * 4 * lanes }

  /// Adds to each lane of the sums, which start at 0, the products of four unsigned bytes of `input` and four signed
  /// bytes of `weights`, `iterations` times: sum `2 r + c` of input vector `r` and, in iteration `i`, weight vector `2
  /// (i mod 8) + c`.
  ///
  /// - Parameters:
  ///   - input: Six vectors of numbers up to 127, which are the same as signed bytes: some processors multiply only
  ///     those.
  ///   - weights: Sixteen vectors.
  ///   - output: The vectors of sums, at most twelve.
  package func dotProduct(
    iterations: Int, input: UnsafePointer<UInt8>, weights: UnsafePointer<Int8>, output: UnsafeMutablePointer<Int32>
  ) {
    dotProductLoop(iterations, input, weights, output)
  }

  /// `output[i] = input[i] * factor` for as many of the `count` elements as fill groups of four vectors.
  package func scale(
    count: Int, by factor: Float, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
  ) {
    scaleLoop(count, factor, input, output)
  }

  /// Sums of as many of the `count` elements as fill groups of eight vectors: `output`, of eight vectors, adds up every
  /// group.
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
