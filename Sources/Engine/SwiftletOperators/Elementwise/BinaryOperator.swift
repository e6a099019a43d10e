import SwiftletEngine
import SwiftletKernels

/// The strides of a row's operands from element to element.
typealias BinaryForm = ElementwiseKernels.BinaryForm

/// The rows of two operands, and the destination of the results.
struct BinaryRows {
  var left: UnsafeRawPointer
  var right: UnsafeRawPointer
  var result: UnsafeMutableRawPointer
  var columns: Int
  var rows: Int
  /// The number of elements between two rows. Results are dense.
  var leftStride: Int
  var rightStride: Int
  var form: BinaryForm
}

/// An arithmetic kernel on the elements of two tensors.
protocol BinaryKernel: Sendable {
  /// The kernel that a stage runs. Only this property is compiled for the kernel's types.
  var rowKernel: BinaryRowKernel { get }
}

/// An arithmetic kernel on rows of bytes. Only the kernel knows the element types.
struct BinaryRowKernel: Sendable {
  /// The element sizes in bytes.
  struct ElementSizes: Sendable {
    var left: Int
    var right: Int
    var result: Int
  }

  let sizes: ElementSizes
  /// The size, in bytes, of the 64-byte aligned memory that `run` may write to.
  let scratchBytes: Int
  let run: @Sendable (BinaryRows, _ scratch: UnsafeMutableRawPointer) -> Void
}

extension PreparedOperator.Stage {
  /// Creates a stage that runs `kernel` over inputs 0 and 1, broadcast to output 0. `cost` is in nanoseconds per
  /// element.
  init(_ context: PrepareContext, _ kernel: some BinaryKernel, cost: Double) throws {
    try self.init(context, kernel.rowKernel, cost: cost)
  }

  /// Creates the stage for any kernel, compiled once.
  init(_ context: PrepareContext, _ kernel: BinaryRowKernel, cost: Double) throws {
    let node = context.node
    let broadcast = Broadcast([try node.input(0).shape, try node.input(1).shape], to: try node.output(0).shape)
    let operands = (left: broadcast.operands[0], right: broadcast.operands[1])
    let form: BinaryForm =
      operands.left.innerStride == 0 ? .leftScalar : operands.right.innerStride == 0 ? .rightScalar : .vectors
    let left = try context.inputSlot(0)
    let right = try context.inputSlot(1)
    let output = try context.outputSlot(0)
    let repetition = RowRepetition(broadcast, kernel.sizes)
    // Repeated rows follow the kernel's own memory.
    let ownScratch = (kernel.scratchBytes + 63) / 64 * 64
    context.requireWorkerScratch(bytes: ownScratch + (repetition?.byteCount ?? 0))
    let sizes = kernel.sizes
    self.init(items: broadcast.count, cost: cost + (repetition == nil ? broadcast.blockCost : 0)) { run, range in
      let (left, right, output) = (run.pointer(left), run.pointer(right), run.pointer(output))
      let scratch = run.workerScratch, written = scratch + ownScratch
      repetition?.fill(written, left: left, right: right)
      broadcast.forEachBlock(in: range) { block in
        var rows = BinaryRows(
          left: left + broadcast.offset(of: block, in: operands.left) &* sizes.left,
          right: right + broadcast.offset(of: block, in: operands.right) &* sizes.right,
          result: output + block.output &* sizes.result, columns: block.columns, rows: block.rows,
          leftStride: operands.left.rowStride, rightStride: operands.right.rowStride, form: form)
        if let repetition, block.rows >= repetition.rows {
          repetition.widen(&rows, written)
          kernel.run(rows, scratch)
          rows = repetition.rest(rows, of: block)
        }
        if rows.rows > 0 { kernel.run(rows, scratch) }
      }
    }
  }
}

extension PreparedOperator {
  /// Creates one stage that runs `kernel` over inputs 0 and 1, broadcast to output 0. `cost` is in nanoseconds per
  /// element.
  static func binary(_ context: PrepareContext, _ kernel: some BinaryKernel, cost: Double) throws -> PreparedOperator {
    try binary(context, kernel.rowKernel, cost: cost)
  }

  static func binary(_ context: PrepareContext, _ kernel: BinaryRowKernel, cost: Double) throws -> PreparedOperator {
    PreparedOperator(stages: [try Stage(context, kernel, cost: cost)])
  }
}

/// An operator without options on two inputs with broadcasting.
protocol PlainBinaryOperator: Operator {
  init()
}

extension PlainBinaryOperator {
  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    self.init()
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.broadcastShape()] }
}

/// An integer element of any width.
typealias IntegerElement = FixedWidthInteger & BitwiseCopyable & Sendable
