import SwiftletEngine
import SwiftletKernels

/// How a row's operands step from element to element.
typealias BinaryForm = ElementwiseKernels.BinaryForm

/// Rows of two operands and where the results go.
struct BinaryRows<Left, Right, Result> {
  var left: UnsafePointer<Left>
  var right: UnsafePointer<Right>
  var result: UnsafeMutablePointer<Result>
  var columns: Int
  var rows: Int
  /// Elements from one row to the next; results are dense.
  var leftStride: Int
  var rightStride: Int
  var form: BinaryForm
}

/// Arithmetic on rows of two operands. Most conform through `BinaryFunction`.
protocol BinaryKernel: Sendable {
  associatedtype Left: BitwiseCopyable
  associatedtype Right: BitwiseCopyable
  associatedtype Result: BitwiseCopyable

  func run(_ rows: BinaryRows<Left, Right, Result>)
}

/// A function of two elements; its loops over rows come with it.
///
/// Conformers are small structs of constants with `@inline(__always)` calls, so that every loop is compiled for the one
/// function.
protocol BinaryFunction: BinaryKernel {
  // Repeated so that conformers need not name them: they follow from the function.
  associatedtype Left
  associatedtype Right
  associatedtype Result

  func callAsFunction(_ left: Left, _ right: Right) -> Result
}

extension BinaryFunction {
  @inline(__always)
  func run(_ rows: BinaryRows<Left, Right, Result>) {
    var left = rows.left
    var right = rows.right
    var result = rows.result
    let columns = rows.columns
    for _ in 0..<rows.rows {
      switch rows.form {
      case .vectors: for column in 0..<columns { result[column] = self(left[column], right[column]) }
      case .leftScalar:
        let scalar = left.pointee
        for column in 0..<columns { result[column] = self(scalar, right[column]) }
      case .rightScalar:
        let scalar = right.pointee
        for column in 0..<columns { result[column] = self(left[column], scalar) }
      }
      left += rows.leftStride
      right += rows.rightStride
      result += columns
    }
  }
}

extension PreparedOperator.Stage {
  /// Runs `kernel` over inputs 0 and 1, broadcast to output 0. `cost` is in nanoseconds per element.
  @inline(__always)
  init<Kernel: BinaryKernel>(_ context: PrepareContext, _ kernel: Kernel, cost: Double) throws {
    let node = context.node
    let broadcast = Broadcast([try node.input(0).shape, try node.input(1).shape], to: try node.output(0).shape)
    let operands = (left: broadcast.operands[0], right: broadcast.operands[1])
    let form: BinaryForm =
      operands.left.innerStride == 0 ? .leftScalar : operands.right.innerStride == 0 ? .rightScalar : .vectors
    let left = try context.inputSlot(0)
    let right = try context.inputSlot(1)
    let output = try context.outputSlot(0)
    let repetition = RowRepetition(broadcast)
    if let repetition {
      context.requireWorkerScratch(
        bytes: repetition.elements * max(MemoryLayout<Kernel.Left>.stride, MemoryLayout<Kernel.Right>.stride))
    }
    self.init(items: broadcast.count, cost: cost + (repetition == nil ? broadcast.blockCost : 0)) { run, range in
      let left = UnsafePointer(run.pointer(left, as: Kernel.Left.self))
      let right = UnsafePointer(run.pointer(right, as: Kernel.Right.self))
      let output = run.pointer(output, as: Kernel.Result.self)
      repetition?.fill(run.workerScratch, left: left, right: right)
      broadcast.forEachBlock(in: range) { block in
        var rows = BinaryRows(
          left: left + broadcast.offset(of: block, in: operands.left),
          right: right + broadcast.offset(of: block, in: operands.right), result: output + block.output,
          columns: block.columns, rows: block.rows, leftStride: operands.left.rowStride,
          rightStride: operands.right.rowStride, form: form)
        if let repetition, block.rows >= repetition.rows {
          repetition.widen(&rows, run.workerScratch)
          kernel.run(rows)
          rows = repetition.rest(rows, of: block)
        }
        if rows.rows > 0 { kernel.run(rows) }
      }
    }
  }
}

extension PreparedOperator {
  /// One stage that runs `kernel` over inputs 0 and 1, broadcast to output 0. `cost` is in nanoseconds per element.
  @inline(__always)
  static func binary<Kernel: BinaryKernel>(
    _ context: PrepareContext, _ kernel: Kernel, cost: Double
  ) throws -> PreparedOperator {
    PreparedOperator(stages: [try Stage(context, kernel, cost: cost)])
  }
}
