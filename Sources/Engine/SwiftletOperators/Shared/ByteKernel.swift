import SwiftletEngine
import SwiftletKernels

/// Arithmetic of two quantised byte tensors that the kernel table has.
struct ByteKernel: BinaryKernel {
  enum Operation {
    case add(ByteKernels.SumScales)
    /// The factor is the product of the operands' scales over the output's.
    case multiply(factor: Float)
    /// Left where it is not negative, times the right one elsewhere; factors as in `ByteKernels.parametricRelu`.
    case parametricRelu(factor: Float, slopeFactor: Float)
    /// By their quantised values, whatever the scales say.
    case minimum
    case maximum
  }

  private let kernels: ByteKernels
  private let isSigned: Bool
  private let operation: Operation
  private let leftZeroPoint: Int32
  private let rightZeroPoint: Int32
  private let range: OutputRange

  /// - Parameters:
  ///   - type: that of operands and results, `int8` or `uint8`.
  ///   - range: of results; the type's own if left out.
  init(
    _ context: PrepareContext, _ type: QuantizedType, _ operation: Operation, leftZeroPoint: Int32 = 0,
    rightZeroPoint: Int32 = 0, range: OutputRange? = nil
  ) {
    kernels = context.kernels.bytes
    context.uses("vector arithmetic int8")
    isSigned = type.isSigned
    self.operation = operation
    self.leftZeroPoint = leftZeroPoint
    self.rightZeroPoint = rightZeroPoint
    self.range = range ?? OutputRange(zeroPoint: 0, type.range)
  }

  var rowKernel: BinaryRowKernel {
    BinaryRowKernel(sizes: BinaryRowKernel.ElementSizes(left: 1, right: 1, result: 1), scratchBytes: 0) { rows, _ in
      run(rows)
    }
  }

  private func run(_ rows: BinaryRows) {
    let left = ByteKernels.Operand(pointer: rows.left, stride: rows.leftStride, zeroPoint: leftZeroPoint)
    let right = ByteKernels.Operand(pointer: rows.right, stride: rows.rightStride, zeroPoint: rightZeroPoint)
    switch operation {
    case .add(let scales):
      kernels.add(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, scales: scales,
        isSigned: isSigned, output: rows.result, outputStride: rows.columns, zeroPoint: range.zeroPoint,
        lower: range.lower, upper: range.upper)
    case .multiply(let factor):
      kernels.multiply(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, factor: factor,
        isSigned: isSigned, output: rows.result, outputStride: rows.columns, zeroPoint: range.zeroPoint,
        lower: range.lower, upper: range.upper)
    case .parametricRelu(let factor, let slopeFactor):
      kernels.parametricRelu(
        form: rows.form, rows: rows.rows, columns: rows.columns, left: left, right: right, factor: factor,
        slopeFactor: slopeFactor, isSigned: isSigned, output: rows.result, outputStride: rows.columns,
        zeroPoint: range.zeroPoint, lower: range.lower, upper: range.upper)
    case .minimum: extreme(rows, isMaximum: false)
    case .maximum: extreme(rows, isMaximum: true)
    }
  }

  private func extreme(_ rows: BinaryRows, isMaximum: Bool) {
    kernels.extreme(
      isMaximum: isMaximum, form: rows.form, rows: rows.rows, columns: rows.columns, left: rows.left,
      leftStride: rows.leftStride, right: rows.right, rightStride: rows.rightStride, isSigned: isSigned,
      output: rows.result, outputStride: rows.columns)
  }
}
