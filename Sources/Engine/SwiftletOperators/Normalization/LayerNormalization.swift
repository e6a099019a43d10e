import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// Layer normalization: `(x - mean) / √(variance + ε) · γ + β` of each row, or root mean square normalization, which
/// subtracts no mean. γ and β are optional vectors.
///
/// The model format has no such operator: it takes the place of the operators that converters write, and uses the same
/// kernels in the same order for their usual arrangements, so that results don't change.
struct LayerNormalizationOperator: FusesActivation {
  static var identity: OperatorIdentity {
    OperatorIdentity(.custom("LayerNormalization"), versions: 1...1, floatError: 1e-6, types: .uniform([.float32]))
  }

  /// The order of operations.
  struct Arrangement: Hashable {
    /// The order of the products with the input.
    enum Order {
      /// `(x - mean) · scale · γ + β`
      case direct
      /// `(x - mean) · (scale · γ) + β`
      case grouped
      /// `x · (scale · γ) + (β - mean · (scale · γ))`
      case shifted
    }

    /// How rows are scaled.
    enum Scale {
      case reciprocalRoot
      /// A product with one over the root.
      case quotientOfOne
      /// A division by the root.
      case quotient
    }

    var order = Order.direct
    var scale = Scale.reciprocalRoot
    /// Whether a kernel squares and sums at once, as in sums of products.
    var fusesSquares = false
  }

  let epsilon: Float
  let subtractsMean: Bool
  /// Whether an input with factors follows the data, and then one with terms.
  let hasFactors: Bool
  let hasTerms: Bool
  private(set) var arrangement: Arrangement
  private var activation = FusedActivation.none

  /// The maximum row length. A row is normalized in one piece.
  static var longestRow: Int { 1 << 20 }

  /// The number of elements that are normalized together, which stay in the core's first cache.
  private static var blockElements: Int { 1 << 11 }
  private static var blockRows: Int { 256 }

  init(
    epsilon: Float, subtractsMean: Bool, hasFactors: Bool, hasTerms: Bool, arrangement: Arrangement = Arrangement()
  ) {
    self.epsilon = epsilon
    self.subtractsMean = subtractsMean
    self.hasFactors = hasFactors
    self.hasTerms = hasTerms
    self.arrangement = arrangement
    // Only rows are divided.
    if arrangement.order != .direct, arrangement.scale == .quotient { self.arrangement.scale = .quotientOfOne }
  }

  init(parsing node: NodeReader) throws { throw node.invalid("is not an operator of the model format") }

  func fusing(_ activation: FusedActivation) -> Self? {
    guard self.activation == .none else { return nil }
    var fused = self
    fused.activation = activation
    return fused
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.shapeOfRows()
    for index in 1..<node.inputCount {
      guard try node.input(index).shape.elementCount == shape.innermost else {
        throw node.invalid(
          "input \(index) \(try node.input(index)) must have \(shape.innermost) elements, as a row of input 0")
      }
    }
    return [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let shape = try context.node.input(0).shape
    let columns = shape.innermost
    guard shape.elementCount > 0 else { return .empty }
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let factors = hasFactors ? try context.inputSlot(1) : nil
    let terms = hasTerms ? try context.inputSlot(hasFactors ? 2 : 1) : nil
    let rowsPerBlock = max(1, min(Self.blockRows, Self.blockElements / columns))
    let normalization = RowNormalization(
      self, range: activation.floatRange, context.kernels, columns: columns, rowsPerBlock: rowsPerBlock)
    context.requireWorkerScratch(bytes: normalization.scratchElements * MemoryLayout<Float>.stride)
    context.uses("vector layer normalization float32")
    return PreparedOperator(items: shape.elementCount / columns, cost: Double(columns) * 0.6 + 20) { run, rows in
      let input = UnsafePointer(run.pointer(source, as: Float.self)), output = run.pointer(destination, as: Float.self)
      var block = RowNormalization.Block(
        rows: 0, input: input, factors: factors.map { UnsafePointer(run.pointer($0, as: Float.self)) },
        terms: terms.map { UnsafePointer(run.pointer($0, as: Float.self)) }, output: output,
        scratch: run.workerScratch.assumingMemoryBound(to: Float.self))
      var row = rows.lowerBound
      while row < rows.upperBound {
        block.rows = min(rowsPerBlock, rows.upperBound &- row)
        block.input = input + row &* columns
        block.output = output + row &* columns
        normalization.apply(block)
        row &+= block.rows
      }
    }
  }
}

/// The normalization of a few rows. The results of a row don't depend on the number of rows.
private struct RowNormalization: Sendable {
  struct Block {
    var rows: Int
    var input: UnsafePointer<Float>
    var factors: UnsafePointer<Float>?
    var terms: UnsafePointer<Float>?
    var output: UnsafeMutablePointer<Float>
    var scratch: UnsafeMutablePointer<Float>
  }

  /// The right operand of a row: a vector like the row, one vector for all rows, or one number per row.
  private enum Operand {
    case rows(UnsafePointer<Float>)
    case vector(UnsafePointer<Float>)
    case numbers(UnsafePointer<Float>)
  }

  private let elementwise: ElementwiseKernels
  private let reduction: ReductionKernels
  private let columns: Int
  private let rowsPerBlock: Int
  private let epsilon: Float
  private let subtractsMean: Bool
  private let arrangement: LayerNormalizationOperator.Arrangement
  private let lower: Float
  private let upper: Float
  /// The number of elements in the scratch memory: two numbers per row, and the rows of two intermediate results.
  let scratchElements: Int

  init(
    _ operation: LayerNormalizationOperator, range: (lower: Float, upper: Float), _ kernels: KernelTable, columns: Int,
    rowsPerBlock: Int
  ) {
    elementwise = kernels.elementwise
    reduction = kernels.reduction
    self.columns = columns
    self.rowsPerBlock = rowsPerBlock
    epsilon = operation.epsilon
    subtractsMean = operation.subtractsMean
    arrangement = operation.arrangement
    (lower, upper) = range
    let hasProducts = operation.hasFactors && arrangement.order != .direct
    let hasShifts = operation.hasTerms && arrangement.order == .shifted
    scratchElements = 2 * rowsPerBlock + ((hasProducts ? 1 : 0) + (hasShifts ? 1 : 0)) * rowsPerBlock * columns
  }

  func apply(_ block: Block) {
    let rows = block.rows, output = block.output
    let means = block.scratch, scales = means + rowsPerBlock
    var centered = block.input
    if subtractsMean {
      sum(.sum, of: block.input, rows, to: means)
      if arrangement.fusesSquares {
        combine(.subtract, rows, block.input, .numbers(means), to: output)
        centered = UnsafePointer(output)
      } else {
        combine(.squaredDifference, rows, block.input, .numbers(means), to: output)
      }
    } else if !arrangement.fusesSquares {
      elementwise.apply(.square, count: rows &* columns, input: block.input, output: output)
    }
    if arrangement.fusesSquares {
      sum(.sumOfSquares, of: centered, rows, to: scales)
    } else {
      sum(.sum, of: output, rows, to: scales)
    }
    scale(scales, rows)
    if arrangement.order == .shifted, subtractsMean {
      applyShifted(block, means, scales)
      return
    }
    if subtractsMean, !arrangement.fusesSquares {
      combine(.subtract, rows, block.input, .numbers(means), to: output)
      centered = UnsafePointer(output)
    }
    let factors = block.factors, terms = block.terms
    if arrangement.order == .direct || factors == nil {
      let isLast = factors == nil && terms == nil
      combine(
        arrangement.scale == .quotient ? .divide : .multiply, rows, centered, .numbers(scales), to: output,
        isLast: isLast)
      if let factors { combine(.multiply, rows, output, .vector(factors), to: output, isLast: terms == nil) }
    } else if let factors {
      let products = scales + rowsPerBlock
      multiply(factors, byRows: scales, rows, to: products)
      combine(.multiply, rows, centered, .rows(products), to: output, isLast: terms == nil)
    }
    if let terms { combine(.add, rows, output, .vector(terms), to: output, isLast: true) }
  }

  /// Computes `x · (scale · γ) + (β - mean · (scale · γ))`.
  private func applyShifted(_ block: Block, _ means: UnsafeMutablePointer<Float>, _ scales: UnsafeMutablePointer<Float>)
  {
    let rows = block.rows, output = block.output
    guard let factors = block.factors else {
      for row in 0..<rows { means[row] *= scales[row] }
      combine(.multiply, rows, block.input, .numbers(scales), to: output)
      guard let terms = block.terms else {
        combine(.subtract, rows, output, .numbers(means), to: output, isLast: true)
        return
      }
      let shifts = scales + rowsPerBlock
      combine(.subtract, rows, terms, leftStride: 0, .numbers(means), to: shifts)
      combine(.add, rows, output, .rows(shifts), to: output, isLast: true)
      return
    }
    let products = scales + rowsPerBlock
    multiply(factors, byRows: scales, rows, to: products)
    combine(.multiply, rows, block.input, .rows(products), to: output)
    guard let terms = block.terms else {
      combine(.multiply, rows, products, .numbers(means), to: products)
      combine(.subtract, rows, output, .rows(products), to: output, isLast: true)
      return
    }
    let shifts = products + rowsPerBlock &* columns
    combine(.multiply, rows, products, .numbers(means), to: products)
    combine(.subtract, rows, terms, leftStride: 0, .rows(products), to: shifts)
    combine(.add, rows, output, .rows(shifts), to: output, isLast: true)
  }

  /// Computes the sum of each row, divided by the number of columns.
  private func sum(
    _ operation: ReductionKernels.RowOperation, of input: UnsafePointer<Float>, _ rows: Int,
    to sums: UnsafeMutablePointer<Float>
  ) {
    reduction.reduceRows(operation, rows: rows, columns: columns, input: input, inputStride: columns, output: sums)
    let share = 1 / Float(columns)
    for row in 0..<rows { sums[row] *= share }
  }

  /// Replaces variances by what rows are multiplied with, or divided by.
  private func scale(_ variances: UnsafeMutablePointer<Float>, _ rows: Int) {
    for row in 0..<rows { variances[row] += epsilon }
    elementwise.apply(
      arrangement.scale == .reciprocalRoot ? .reciprocalSquareRoot : .squareRoot, count: rows, input: variances,
      output: variances)
    if arrangement.scale == .quotientOfOne { for row in 0..<rows { variances[row] = 1 / variances[row] } }
  }

  /// Computes the products of a vector with one number per row.
  private func multiply(
    _ vector: UnsafePointer<Float>, byRows numbers: UnsafeMutablePointer<Float>, _ rows: Int,
    to products: UnsafeMutablePointer<Float>
  ) {
    combine(.multiply, rows, vector, leftStride: 0, .numbers(numbers), to: products)
  }

  private func combine(
    _ operation: BinaryOperation, _ rows: Int, _ left: UnsafePointer<Float>, leftStride: Int? = nil, _ right: Operand,
    to output: UnsafeMutablePointer<Float>, isLast: Bool = false
  ) {
    let form: BinaryForm, operand: UnsafePointer<Float>, stride: Int
    switch right {
    case .rows(let values): (form, operand, stride) = (.vectors, values, columns)
    case .vector(let values): (form, operand, stride) = (.vectors, values, 0)
    case .numbers(let values): (form, operand, stride) = (.rightScalar, values, 1)
    }
    elementwise.combine(
      operation, form: form, rows: rows, columns: columns, left: left, leftStride: leftStride ?? columns,
      right: operand, rightStride: stride, output: output, outputStride: columns,
      lower: isLast ? lower : -.infinity, upper: isLast ? upper : .infinity)
  }
}
