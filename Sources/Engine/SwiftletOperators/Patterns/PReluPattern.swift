import SwiftletEngine
import SwiftletSchema

/// PRELU and LEAKY_RELU as several operators, with constant slopes `a`:
///
/// - `SELECT(x > 0, x, a · x)`, with each comparison with zero,
/// - `RELU(x) - a · RELU(-x)`, as in Keras, which adds `(-a) · RELU(-x)`,
/// - `MAX(x, 0) + a · MIN(x, 0)`,
/// - `MAX(x, a · x)` with slopes above 0 and up to 1.
struct PReluPattern: OperatorPattern {
  let roots: [any Operator.Type] = [
    SelectOperator.self, SelectV2Operator.self, AddOperator.self, SubtractOperator.self, MaximumOperator.self,
  ]

  /// The slopes of negative inputs: a constant, which may be negated.
  private struct Slopes {
    var constant: ValueID
    var isNegated = false
  }

  /// A part of a sum, which is zero for half of the inputs.
  private struct Half {
    var input: ValueID
    /// Whether NaN has the result 0, as with MAXIMUM and MINIMUM, which return their right operand in this case.
    var clearsNaN: Bool
    /// Whether the result is the magnitude of negative inputs.
    var isNegated = false
  }

  func replacement(of root: PatternNode, in graph: PatternGraph) throws -> PatternReplacement? {
    switch root.operation {
    case is SelectOperator, is SelectV2Operator: return try selection(root, graph)
    case is MaximumOperator: return try maximum(root, graph)
    case is AddOperator: return try sum(graph.operands(AddOperator.self, of: root), root, graph)
    default:
      guard let (left, right) = graph.operands(SubtractOperator.self, of: root) else { return nil }
      return try sum(positive: left, negative: right, isNegated: true, root, graph)
    }
  }

  // MARK: Spellings

  private func selection(_ root: PatternNode, _ graph: PatternGraph) throws -> PatternReplacement? {
    guard root.inputs.count == 3, let comparison = graph.node(giving: root.inputs[0]), comparison.inputs.count == 2,
      let onTrue = root.inputs[1], let onFalse = root.inputs[2], let left = comparison.inputs[0],
      let right = comparison.inputs[1], let isGreater = isGreater(comparison.operation)
    else { return nil }
    let input: ValueID, isPositive: Bool
    if graph.number(right) == 0 {
      (input, isPositive) = (left, isGreater)
    } else if graph.number(left) == 0 {
      (input, isPositive) = (right, !isGreater)
    } else {
      return nil
    }
    let (positive, negative) = isPositive ? (onTrue, onFalse) : (onFalse, onTrue)
    guard positive == input, graph.shape(comparison.output) == graph.shape(input),
      let slopes = slopes(of: negative, times: input, graph)
    else { return nil }
    return function(input, slopes, root, graph)
  }

  /// Returns whether the comparison is true for left operands above the right one; `nil` for operators that aren't an
  /// order comparison.
  private func isGreater(_ operation: any Operator) -> Bool? {
    switch operation {
    case is GreaterOperator, is GreaterEqualOperator: true
    case is LessOperator, is LessEqualOperator: false
    default: nil
    }
  }

  private func maximum(_ root: PatternNode, _ graph: PatternGraph) throws -> PatternReplacement? {
    for (input, product) in bothOrders(graph.operands(MaximumOperator.self, of: root)) {
      guard let slopes = slopes(of: product, times: input, graph), graph.shape(root.output) == graph.shape(input),
        // Zero isn't a slope here, because its product with an infinite number is NaN.
        graph.elements(slopes.constant)?.allSatisfy({ $0 > 0 && $0 <= 1 }) == true
      else { continue }
      return function(input, slopes, root, graph)
    }
    return nil
  }

  private func sum(
    _ terms: (left: ValueID, right: ValueID)?, _ root: PatternNode, _ graph: PatternGraph
  ) throws -> PatternReplacement? {
    for (positive, negative) in bothOrders(terms) {
      if let found = try sum(positive: positive, negative: negative, isNegated: false, root, graph) { return found }
    }
    return nil
  }

  /// Returns the function if one term is the positive half of an input, and the other one a multiple of its negative
  /// half, which is subtracted if `isNegated`.
  private func sum(
    positive: ValueID, negative: ValueID, isNegated: Bool, _ root: PatternNode, _ graph: PatternGraph
  ) throws -> PatternReplacement? {
    guard let upper = positiveHalf(positive, graph) else { return nil }
    var isNegated = isNegated
    var product = negative
    if let operand = graph.negated(product) {
      product = operand
      isNegated.toggle()
    }
    for (half, slopes) in bothOrders(graph.operands(MultiplyOperator.self, giving: product)) {
      guard graph.isConstant(slopes), let lower = negativeHalf(half, graph), lower.input == upper.input else {
        continue
      }
      return function(
        upper.input, Slopes(constant: slopes, isNegated: lower.isNegated != isNegated), root, graph,
        clearsNaN: upper.clearsNaN && lower.clearsNaN)
    }
    return nil
  }

  // MARK: Parts

  /// Returns the slopes if `value` is their product with `input`.
  private func slopes(of value: ValueID, times input: ValueID, _ graph: PatternGraph) -> Slopes? {
    for (factor, slopes) in bothOrders(graph.operands(MultiplyOperator.self, giving: value))
    where factor == input && graph.isConstant(slopes) {
      return Slopes(constant: slopes)
    }
    return nil
  }

  /// Returns the input `x` of `RELU(x)` or `MAX(x, 0)`.
  private func positiveHalf(_ value: ValueID, _ graph: PatternGraph) -> Half? {
    if let input = graph.operand(ReluOperator.self, giving: value) { return Half(input: input, clearsNaN: false) }
    return clamped(graph.operands(MaximumOperator.self, giving: value), graph)
  }

  /// Returns the input `x` of `MIN(x, 0)`, and of `RELU(-x)` or `MAX(-x, 0)`, which are its negative.
  private func negativeHalf(_ value: ValueID, _ graph: PatternGraph) -> Half? {
    if let half = clamped(graph.operands(MinimumOperator.self, giving: value), graph) { return half }
    // RELU may be fused into the multiplication that negates.
    if let (input, factor) = graph.scaled(value, clamp: .relu), factor == -1 {
      return Half(input: input, clearsNaN: false, isNegated: true)
    }
    guard let upper = positiveHalf(value, graph), let input = graph.negated(upper.input) else { return nil }
    return Half(input: input, clearsNaN: upper.clearsNaN, isNegated: true)
  }

  /// Returns the operand that isn't zero.
  private func clamped(_ operands: (left: ValueID, right: ValueID)?, _ graph: PatternGraph) -> Half? {
    guard let operands else { return nil }
    if graph.number(operands.right) == 0 { return Half(input: operands.left, clearsNaN: true) }
    return graph.number(operands.left) == 0 ? Half(input: operands.right, clearsNaN: false) : nil
  }

  /// Returns the operator, if the slopes are finite and broadcast to the input's shape. A product with an infinite slope
  /// is NaN for zero.
  private func function(
    _ input: ValueID, _ slopes: Slopes, _ root: PatternNode, _ graph: PatternGraph, clearsNaN: Bool = false
  ) -> PatternReplacement? {
    guard graph.isFloat(input), graph.shape(root.output) == graph.shape(input),
      let elements = graph.elements(slopes.constant), let first = elements.first, elements.allSatisfy(\.isFinite)
    else { return nil }
    let source: PatternReplacement.Input = clearsNaN ? .function(ReplaceNaNOperator(), of: input) : .value(input)
    if elements.count == 1 {
      return PatternReplacement(LeakyReluOperator(alpha: slopes.isNegated ? -first : first), [source])
    }
    let constant = slopes.constant
    return PatternReplacement(
      PReluOperator(), [source, slopes.isNegated ? .function(NegateOperator(), of: constant) : .value(constant)])
  }
}
