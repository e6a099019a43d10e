internal import SwiftletKernelSets

/// Functions of one and two tensors, and softmax.
///
/// - Types: float32, or int16 if the name says so.
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

  /// Computes an operation of int16 values. `output` may be `left` or `right`, but must not overlap them otherwise.
  ///
  /// - Parameter right: Int16 values, or int8 values for `parametricRelu`.
  package func combineInt16(
    _ operation: Int16BinaryOperation, _ parameters: Int16BinaryParameters, count: Int, left: UnsafeRawPointer,
    right: UnsafeRawPointer, output: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: parameters) { set.call.binary_s16(operation.rawValue, count, left, right, $0, output) }
  }

  /// Computes the leaky ReLU of int16 values with the roundings of `QuantizedMultiplier`. `output` may be `input`.
  package func leakyReluInt16(
    _ parameters: Int16LeakyReluParameters, count: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: parameters) { set.call.leaky_relu_s16(count, input, $0, output) }
  }

  /// Computes a function of int16 values by interpolation. `output` may be `input`.
  ///
  /// - Parameter table: 255 elements: a sample in the low 16 bits, and the difference to the next sample in the others.
  package func sigmoidInt16(
    _ parameters: Int16SigmoidParameters, table: UnsafePointer<Int32>, count: Int, input: UnsafeRawPointer,
    output: UnsafeMutableRawPointer
  ) {
    withUnsafePointer(to: parameters) { set.call.sigmoid_s16(count, input, table, $0, output) }
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

extension Int16LeakyReluParameters {
  package init(
    inputZeroPoint: Int32, positive: QuantizedMultiplier, negative: QuantizedMultiplier, negates: Bool,
    zeroPoint: Int32, lower: Int32, upper: Int32
  ) {
    self.inputZeroPoint = inputZeroPoint
    multiplier = positive.multiplier
    shift = positive.shift
    negativeMultiplier = negative.multiplier
    negativeShift = negative.shift
    self.negates = negates ? -1 : 0
    self.zeroPoint = zeroPoint
    self.lower = lower
    self.upper = upper
  }
}
