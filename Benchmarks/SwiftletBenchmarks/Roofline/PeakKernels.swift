internal import CMachinePeaks
import SwiftletKernels

/// Loops that reach the peak throughput of one core, with the instructions of a kernel set.
struct PeakKernels {
  private let loops: swiftlet_machine_peaks

  /// The loops for the kernels in use.
  static var current: PeakKernels { PeakKernels(KernelTable.current.name) }

  /// Creates the loops for a kernel set, which the CPU must support.
  init(_ name: String) { loops = swiftlet_machine_peaks_for(name).pointee }

  /// The number of 32-bit elements in a vector.
  var lanes: Int { loops.lanes }

  /// The number of independent chains of operations.
  var chains: Int { loops.chains }

  /// The number of 32-bit elements that `multiplyAdd` and `dotProduct` read and write: two vectors of factors or
  /// summands, and a vector per chain.
  var valueCount: Int { (2 + chains) * lanes }

  /// The number of elements in the largest group that `sum` and `scale` process.
  var groupSize: Int { 8 * lanes }

  /// The number of multiply-adds in one iteration of `multiplyAdd`.
  var multiplyAddsPerIteration: Int { chains * lanes }

  /// The number of multiply-adds in one iteration of `dotProduct`.
  var dotProductMultiplyAddsPerIteration: Int { chains * loops.products }

  /// Computes `x[i] = x[i] * factor + summand` on a vector per chain, `iterations` times.
  ///
  /// - Parameter values: A vector of factors, a vector of summands, and the chains.
  func multiplyAdd(iterations: Int, values: inout [Float]) {
    precondition(values.count >= valueCount)
    values.withUnsafeMutableBufferPointer { values in
      if let start = values.baseAddress { loops.multiply_add(iterations, start) }
    }
  }

  /// Adds int8 products to a vector of 32-bit sums per chain, `iterations` times.
  ///
  /// - Parameter values: Two vectors of factors, in the form in which the instruction takes them, and the chains.
  func dotProduct(iterations: Int, values: inout [Int32]) {
    precondition(values.count >= valueCount)
    values.withUnsafeMutableBufferPointer { values in
      if let start = values.baseAddress { loops.dot(iterations, start) }
    }
  }

  /// Computes `output[i] = input[i] * factor` for the elements that fill groups of four vectors.
  func scale(_ input: UnsafeBufferPointer<Float>, by factor: Float, output: UnsafeMutableBufferPointer<Float>) {
    precondition(output.count >= input.count)
    guard let source = input.baseAddress, let target = output.baseAddress else { return }
    loops.scale(input.count, factor, source, target)
  }

  /// Returns the sum of the elements that fill groups of eight vectors.
  func sum(_ input: UnsafeBufferPointer<Float>) -> Float {
    input.baseAddress.map { loops.read(input.count, $0) } ?? 0
  }
}
