internal import SwiftletKernelSets

/// Float32 functions of one and two tensors, and softmax.
///
/// - Types: float32.
/// - Thread safety: callable concurrently on disjoint outputs. The result of an element depends only on its operands.
package struct ElementwiseKernels: Sendable {
  let set: EntryPoints<swiftlet_kernel_set>

  /// The strides of the operands from column to column. Raw values are part of the entry point's interface.
  package enum BinaryForm: Int32, Sendable {
    case vectors = 0
    /// The left operand is one element per row.
    case leftScalar = 1
    /// The right operand is one element per row.
    case rightScalar = 2
  }

  /// Computes `output[i] = operation(input[i])`. `output` may be `input`, but must not overlap it otherwise.
  ///
  /// - Parameters:
  ///   - first, second: The bounds for `clamp`, or the slope for `leakyRelu`. Unused for other operations.
  package func apply(
    _ operation: UnaryOperation, count: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    first: Float = 0, second: Float = 0
  ) {
    set.call.unary_f32(operation.rawValue, count, input, output, first, second)
  }

  /// Computes `output[r, c] = clamp(operation(left[r, c], right[r, c]), lower, upper)`. `output` may be an operand of
  /// the form `vectors` with the same stride, but must not overlap an operand otherwise.
  ///
  /// Use a form for broadcasting over the last dimension, and a stride of 0 for other dimensions.
  ///
  /// - Parameters:
  ///   - leftStride, rightStride, outputStride: The number of elements between two adjacent rows.
  ///   - lower, upper: The activation bounds. NaN passes through.
  package func combine(
    _ operation: BinaryOperation, form: BinaryForm, rows: Int, columns: Int, left: UnsafePointer<Float>,
    leftStride: Int, right: UnsafePointer<Float>, rightStride: Int, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float = -.infinity, upper: Float = .infinity
  ) {
    set.call.binary_f32(
      operation.rawValue, form.rawValue, rows, columns, left, leftStride, right, rightStride, output, outputStride,
      lower, upper)
  }

  /// Computes `e^(beta x) / Σ e^(beta x)` of each dense row of `columns` elements. `output` may be `input`.
  ///
  /// The error is at most 4 ulp plus the rounding of the sum, 2⁻²⁴ per doubling of the columns beyond one vector.
  package func softmax(
    rows: Int, columns: Int, input: UnsafePointer<Float>, beta: Float, output: UnsafeMutablePointer<Float>
  ) {
    set.call.softmax_f32(rows, columns, input, beta, output)
  }

  /// Computes `x - log Σ e^x` of each dense row of `columns` elements. `output` may be `input`.
  package func logSoftmax(
    rows: Int, columns: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
  ) {
    set.call.log_softmax_f32(rows, columns, input, output)
  }
}
