internal import SwiftletKernelSets

/// Float32 functions of one and two tensors, and softmax.
///
/// - Types: float32.
/// - Thread safety: callable concurrently on disjoint outputs. The result of an element depends only on its operands.
package struct ElementwiseKernels: Sendable {
  typealias Unary =
    @convention(c) (Int32, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>, Float, Float) -> Void
  typealias Binary =
    @convention(c) (
      Int32, Int32, Int, Int, UnsafePointer<Float>, Int, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>, Int,
      Float, Float
    ) -> Void
  typealias Softmax = @convention(c) (Int, Int, UnsafePointer<Float>, Float, UnsafeMutablePointer<Float>) -> Void
  typealias LogSoftmax = @convention(c) (Int, Int, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void

  let unary: Unary
  let binary: Binary
  let softmaxRows: Softmax
  let logSoftmaxRows: LogSoftmax

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
    unary(operation.rawValue, count, input, output, first, second)
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
    binary(
      operation.rawValue, form.rawValue, rows, columns, left, leftStride, right, rightStride, output, outputStride,
      lower, upper)
  }

  /// Computes `e^(beta x) / Σ e^(beta x)` of each dense row of `columns` elements. `output` may be `input`.
  ///
  /// The error is at most 4 ulp plus the rounding of the sum, 2⁻²⁴ per doubling of the columns beyond one vector.
  package func softmax(
    rows: Int, columns: Int, input: UnsafePointer<Float>, beta: Float, output: UnsafeMutablePointer<Float>
  ) {
    softmaxRows(rows, columns, input, beta, output)
  }

  /// Computes `x - log Σ e^x` of each dense row of `columns` elements. `output` may be `input`.
  package func logSoftmax(
    rows: Int, columns: Int, input: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>
  ) {
    logSoftmaxRows(rows, columns, input, output)
  }
}

extension ElementwiseKernels {
  init(_ set: swiftlet_kernel_set) {
    self.init(
      unary: set.unary_f32, binary: set.binary_f32, softmaxRows: set.softmax_f32, logSoftmaxRows: set.log_softmax_f32)
  }
}
