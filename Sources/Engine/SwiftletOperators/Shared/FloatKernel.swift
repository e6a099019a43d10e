import SwiftletEngine
import SwiftletKernels

/// A function of two floats that the kernel table has, with a clamp applied last. NaN passes through.
struct FloatKernel: BinaryKernel {
  let kernels: ElementwiseKernels
  let operation: BinaryOperation
  let lower: Float
  let upper: Float

  init(
    _ context: PrepareContext, _ operation: BinaryOperation, lower: Float = -.infinity, upper: Float = .infinity
  ) {
    kernels = context.kernels.elementwise
    self.operation = operation
    self.lower = lower
    self.upper = upper
  }

  @inline(__always)
  func run(_ rows: BinaryRows<Float, Float, Float>) {
    kernels.combine(
      operation, form: rows.form, rows: rows.rows, columns: rows.columns, left: rows.left, leftStride: rows.leftStride,
      right: rows.right, rightStride: rows.rightStride, output: rows.result, outputStride: rows.columns, lower: lower,
      upper: upper)
  }
}
