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

  var rowKernel: BinaryRowKernel {
    let bytes = MemoryLayout<Float>.stride
    return BinaryRowKernel(
      sizes: BinaryRowKernel.ElementSizes(left: bytes, right: bytes, result: bytes), scratchBytes: 0
    ) { rows, _ in
      kernels.combine(
        operation, form: rows.form, rows: rows.rows, columns: rows.columns,
        left: rows.left.assumingMemoryBound(to: Float.self), leftStride: rows.leftStride,
        right: rows.right.assumingMemoryBound(to: Float.self), rightStride: rows.rightStride,
        output: rows.result.assumingMemoryBound(to: Float.self), outputStride: rows.columns, lower: lower, upper: upper)
    }
  }
}
