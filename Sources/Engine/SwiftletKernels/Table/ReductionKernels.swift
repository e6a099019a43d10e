internal import SwiftletKernelSets

/// Sums and extremes of the rows of a matrix.
///
/// - Thread safety: callable concurrently on disjoint rows or columns. The order of summation depends on the given
///   sizes, so the distribution of rows (or, for `sumRows`, of columns) must not depend on the number of threads.
package struct ReductionKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The reduction of a row. Raw values are part of the entry point's interface.
  package enum RowOperation: Int32, Sendable, CaseIterable {
    case sum
    case minimum
    case maximum
    case sumOfSquares
  }

  /// Computes `output[c] = Σ input[r * inputStride + c]`, each column in row order. The mean over an image is such a
  /// sum with pixels as rows.
  package func sumRows(
    rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int, output: UnsafeMutablePointer<Float>
  ) {
    set.call.sum_of_rows_f32(rows, columns, input, inputStride, output)
  }

  /// Sums int8 or uint8 elements in 32 bits, like the float version.
  package func sumRows(
    rows: Int, columns: Int, bytes input: UnsafeRawPointer, isSigned: Bool, inputStride: Int,
    output: UnsafeMutablePointer<Int32>
  ) {
    set.call.sum_of_rows_u8(rows, columns, input, inputStride, isSigned ? 1 : 0, output)
  }

  /// Sets `output[r]` to the sum, minimum, maximum, or sum of squares of `input[r * inputStride + c]`. The extremes
  /// ignore NaN, and are the infinities if there are no elements.
  package func reduceRows(
    _ operation: RowOperation, rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int,
    output: UnsafeMutablePointer<Float>
  ) {
    set.call.reduce_rows_f32(operation.rawValue, rows, columns, input, inputStride, output)
  }

  /// Computes the sum, minimum, and maximum of each row; pass nil for results that aren't needed. The extremes ignore
  /// NaN, and are the infinities if there are no elements.
  package func summarizeRows(
    rows: Int, columns: Int, input: UnsafePointer<Float>, inputStride: Int, sums: UnsafeMutablePointer<Float>?,
    smallest: UnsafeMutablePointer<Float>?, largest: UnsafeMutablePointer<Float>?
  ) {
    set.call.summarize_rows_f32(rows, columns, input, inputStride, sums, smallest, largest)
  }
}
