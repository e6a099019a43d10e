import SwiftletEngine
import SwiftletKernels

/// How a row's operands step from element to element.
typealias BinaryForm = ElementwiseKernels.BinaryForm

/// Rows of two operands and where the results go.
struct BinaryRows {
  var left: UnsafeRawPointer
  var right: UnsafeRawPointer
  var result: UnsafeMutableRawPointer
  var columns: Int
  var rows: Int
  /// Elements from one row to the next; results are dense.
  var leftStride: Int
  var rightStride: Int
  var form: BinaryForm
}

/// Arithmetic on elements of two tensors.
protocol BinaryKernel: Sendable {
  /// What a stage runs. Only this is compiled for the kernel's types.
  var rowKernel: BinaryRowKernel { get }
}

/// Arithmetic on rows of bytes, whose elements only it knows.
struct BinaryRowKernel: Sendable {
  /// Bytes of an element.
  struct ElementSizes: Sendable {
    var left: Int
    var right: Int
    var result: Int
  }

  let sizes: ElementSizes
  /// Bytes that `run` may write to, for 64-byte aligned memory.
  let scratchBytes: Int
  let run: @Sendable (BinaryRows, _ scratch: UnsafeMutableRawPointer) -> Void
}

extension PreparedOperator.Stage {
  /// Runs `kernel` over inputs 0 and 1, broadcast to output 0. `cost` is in nanoseconds per element.
  init(_ context: PrepareContext, _ kernel: some BinaryKernel, cost: Double) throws {
    try self.init(context, kernel.rowKernel, cost: cost)
  }

  /// The same for every kernel, compiled once.
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
    // Written-out rows stand behind the kernel's own memory.
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
  /// One stage that runs `kernel` over inputs 0 and 1, broadcast to output 0. `cost` is in nanoseconds per element.
  static func binary(_ context: PrepareContext, _ kernel: some BinaryKernel, cost: Double) throws -> PreparedOperator {
    try binary(context, kernel.rowKernel, cost: cost)
  }

  static func binary(_ context: PrepareContext, _ kernel: BinaryRowKernel, cost: Double) throws -> PreparedOperator {
    PreparedOperator(stages: [try Stage(context, kernel, cost: cost)])
  }
}

/// An operator of two inputs that broadcast, without options.
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
