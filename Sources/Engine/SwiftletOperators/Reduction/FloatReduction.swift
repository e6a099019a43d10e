import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// A reduction of floats that kernels implement.
struct FloatReduction: Sendable {
  var operation: ReductionKernels.RowOperation
  /// The factor of sums, which is 1 over the count for a mean, as in XNNPACK.
  var factor: Float = 1
}

extension PreparedOperator {
  /// Returns the reduction with kernels; `nil` if they don't implement it. Fast numerics may sum in another order than
  /// the reference.
  static func floatReduction(
    _ reduction: FloatReduction, _ plan: ReductionPlan, _ context: PrepareContext
  ) throws -> PreparedOperator? {
    let operation = reduction.operation
    let isSum = operation == .sum || operation == .sumOfSquares
    guard plan.suitsFloatKernels, !isSum || context.options.numerics == .fast else { return nil }
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let kernels = context.kernels.reduction, factor = reduction.factor
    context.uses("vector reduction float32")
    let distance = plan.outer.first?.stride ?? 0
    switch plan.innerLoop {
    case .runs(let length):
      return PreparedOperator(items: plan.outputCount, cost: Double(length) * 0.07 + 10) { run, range in
        let output = run.pointer(destination, as: Float.self) + range.lowerBound
        kernels.reduceRows(
          operation, rows: range.count, columns: length,
          input: run.pointer(source, as: Float.self) + range.lowerBound &* distance, inputStride: distance,
          output: output)
        if factor != 1 { for index in 0..<range.count { output[index] *= factor } }
      }
    case .columns(let inner, let rows, let stride):
      guard operation == .sum else { return nil }
      // Pieces of several cache lines, so that threads don't read the same lines.
      let width = 64, pieces = (inner + width - 1) / width
      return PreparedOperator(
        items: plan.outputCount / inner * pieces, cost: Double(rows) * Double(max(8, min(inner, width))) * 0.07 + 20
      ) { run, range in
        var item = range.lowerBound
        while item < range.upperBound {
          let (row, piece) = item.quotientAndRemainder(dividingBy: pieces)
          let end = min(pieces, piece &+ range.upperBound &- item)
          let first = piece &* width, count = min(end &* width, inner) &- first
          let output = run.pointer(destination, as: Float.self) + (row &* inner &+ first)
          kernels.sumRows(
            rows: rows, columns: count,
            input: run.pointer(source, as: Float.self) + (row &* distance &+ first), inputStride: stride,
            output: output)
          if factor != 1 { for index in 0..<count { output[index] *= factor } }
          item &+= end &- piece
        }
      }
    }
  }
}

/// A sum or mean, which squares float32 elements on reading if a kernel supports it.
protocol SummingReduction: ReductionOperator, SquaringReduction {
  /// Whether the elements are squared. Set only by `squaring(_:)`.
  var squares: Bool { get set }
}

extension SummingReduction {
  func squaring(_ node: NodeView) throws -> Self? {
    guard node.isConstant(1) else { return nil }
    let plan = ReductionPlan(shape: try node.input(0).shape, isReduced: try ReductionAxes(node).isReduced)
    guard case .runs = plan.innerLoop, plan.suitsFloatKernels else { return nil }
    var squaring = self
    squaring.squares = true
    return squaring
  }
}

/// REDUCE_WINDOW: a reduction of each window of a tensor to one element.
///
/// - Shapes: input of rank 1 to 8; initial value of one element; windows, strides, and dilations `[rank]`.
/// - Types: data float32, float64, int8, uint8, int16, int32, int64, bool; the others int64.
/// - Throws: An error if the format doesn't define the function.
/// - Source: operator 205 of the model format.
struct ReduceWindowOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reduceWindow, versions: 1...1,
      types: WindowReduction.types.map {
        TypeCombination(inputs: [TypeSet($0), TypeSet($0), .int64], outputs: [TypeSet($0)])
      })
  }

  private let function: WindowFunction

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 5...5)
    let code = try node.options.code(of: ReduceWindowOptions.reduceFunction)
    guard let function = ReduceWindowFunction(rawValue: code).flatMap(WindowFunction.init) else {
      throw node.invalid("has window function \(code); it must be 1 to 6")
    }
    self.function = function
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(1)
    return [Shape(try axes(node).map(\.count))]
  }

  private func axes(_ node: NodeView) throws -> [SlidingAxis] {
    let input = try node.input(0)
    let numbers = try (2...4).map { index in
      let values = try node.integers(index)
      guard values.count == input.shape.rank, input.shape.rank > 0 else {
        throw node.invalid(
          "input \(index) must contain one number per axis of input \(input), got \(values.count)")
      }
      return values
    }
    return try input.shape.dimensions.enumerated().map { axis, size in
      try SlidingAxis(
        SpacedAxis(size: size, interior: 0, before: 0, after: 0), window: numbers[0][axis], stride: numbers[1][axis],
        dilation: numbers[2][axis], node)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try WindowReduction(axes(context.node), of: context.node.input(0).shape, context.node).prepare(context, function)
  }
}

extension WindowFunction {
  fileprivate init?(_ function: ReduceWindowFunction) {
    switch function {
    case .unsupported: return nil
    case .add: self = .add
    case .multiply: self = .multiply
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    case .all: self = .all
    case .any: self = .any
    }
  }
}
