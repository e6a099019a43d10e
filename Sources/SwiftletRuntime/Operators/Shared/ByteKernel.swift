import SwiftletKernels

/// Arithmetic of two quantised byte tensors that the kernel table has.
struct ByteKernel<Code: QuantizedCode>: BinaryKernel {
  enum Operation {
    case add(ByteKernels.SumScales)
    /// The factor is the product of the operands' scales over the output's.
    case multiply(factor: Float)
  }

  private let kernels: ByteKernels
  private let operation: Operation
  private let leftZeroPoint: Int32
  private let rightZeroPoint: Int32
  private let range: OutputRange

  init(
    _ context: PrepareContext, _ operation: Operation, leftZeroPoint: Int32, rightZeroPoint: Int32, range: OutputRange
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
    }
  }
}
