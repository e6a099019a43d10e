import SwiftletEngine
import SwiftletKernels

/// Arithmetic of two quantised byte tensors that the kernel table has.
struct ByteKernel<Code: QuantizedCode>: BinaryKernel {
  enum Operation {
    case add(ByteKernels.SumScales)
    /// The factor is the product of the operands' scales over the output's.
    case multiply(factor: Float)
    /// Left where it is not negative, times the right one elsewhere; factors as in `ByteKernels.parametricRelu`.
    case parametricRelu(factor: Float, slopeFactor: Float)
    /// By their codes, whatever the scales say.
    case minimum
    case maximum
  }

  private let kernels: ByteKernels
  private let operation: Operation
  private let leftZeroPoint: Int32
  private let rightZeroPoint: Int32
  private let range: OutputRange

  init(
    _ context: PrepareContext, _ operation: Operation, leftZeroPoint: Int32 = 0, rightZeroPoint: Int32 = 0,
    range: OutputRange = OutputRange(zeroPoint: 0, Code.range)
  ) {
    kernels = context.kernels.bytes
    self.operation = operation
    self.leftZeroPoint = leftZeroPoint
    self.rightZeroPoint = rightZeroPoint
    self.range = range
  }

  func run(_ rows: BinaryRows<Code, Code, Code>) {
    let left = ByteKernels.Operand(pointer: rows.left, stride: rows.leftStride, zeroPoint: leftZeroPoint)
    let right = ByteKernels.Operand(pointer: rows.right, stride: rows.rightStride, zeroPoint: rightZeroPoint)
    switch operation {
    case .add(let scales):
      kernels.add(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, scales: scales,
        isSigned: Code.isSigned, output: rows.result, outputStride: rows.columns, zeroPoint: range.zeroPoint,
        lower: range.lower, upper: range.upper)
    case .multiply(let factor):
      kernels.multiply(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, factor: factor,
        isSigned: Code.isSigned, output: rows.result, outputStride: rows.columns, zeroPoint: range.zeroPoint,
        lower: range.lower, upper: range.upper)
    case .parametricRelu(let factor, let slopeFactor):
      kernels.parametricRelu(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, factor: factor,
        slopeFactor: slopeFactor, isSigned: Code.isSigned, output: rows.result, outputStride: rows.columns,
        zeroPoint: range.zeroPoint, lower: range.lower, upper: range.upper)
    case .minimum: extreme(rows, isMaximum: false)
    case .maximum: extreme(rows, isMaximum: true)
    }
  }

  private func extreme(_ rows: BinaryRows<Code, Code, Code>, isMaximum: Bool) {
    kernels.extreme(
      isMaximum: isMaximum, form: rows.form, rows: rows.rows, columns: rows.columns, left: rows.left,
      leftStride: rows.leftStride, right: rows.right, rightStride: rows.rightStride, isSigned: Code.isSigned,
      output: rows.result, outputStride: rows.columns)
  }
}
