import SwiftletEngine
import SwiftletSchema

/// Layer normalization and root mean square normalization as several operators, over the last axis:
///
/// - `(x - mean) · RSQRT(variance + ε) · γ + β`, in any order of the factors, also with a division by SQRT,
/// - `x · (RSQRT(variance + ε) · γ) + (β - mean · (RSQRT(variance + ε) · γ))`, also with the negative of the mean,
/// - `x · RSQRT(MEAN(x²) + ε) · γ`.
///
/// γ and β are constant vectors; both are optional.
struct LayerNormalizationPattern: OperatorPattern {
  let roots: [any Operator.Type] = [
    AddOperator.self, SubtractOperator.self, MultiplyOperator.self, DivideOperator.self,
  ]

  /// `1 / √(variance + ε)`
  private struct Normalizer: Equatable {
    var input: ValueID
    var epsilon: Float
    /// Whether it is the variance, not the mean of squares.
    var isCentered: Bool
    var fusesSquares: Bool
    var scale: LayerNormalizationOperator.Arrangement.Scale
  }

  /// `normalizer · γ`, and what else it is multiplied by.
  private struct Product {
    var normalizer: Normalizer
    var factors: ValueID?
    var other: ValueID
    /// Whether `normalizer · γ` is a value of its own.
    var isGrouped: Bool
  }

  /// The part of a result that is the same for each element of a row, except for β.
  private struct Shift {
    var terms: ValueID?
  }

  func replacement(of root: PatternNode, in graph: PatternGraph) throws -> PatternReplacement? {
    switch root.operation {
    case let sum as AddOperator:
      for (left, right) in bothOrders(graph.operands(AddOperator.self, of: root, clamp: sum.activation)) {
        guard let product = product(left, graph) else { continue }
        if graph.isConstant(right), isNormalized(product, graph) {
          return function(product, terms: right, sum.activation, root, graph)
        }
        if let shift = shift(right, of: product, graph) {
          return function(product, isShifted: true, terms: shift.terms, sum.activation, root, graph)
        }
      }
      return nil
    case let difference as SubtractOperator:
      guard let (left, right) = graph.operands(SubtractOperator.self, of: root, clamp: difference.activation),
        let product = product(left, graph), isMean(right, times: product, graph)
      else { return nil }
      return function(product, isShifted: true, terms: nil, difference.activation, root, graph)
    default:
      guard let product = product(root.output, graph), isNormalized(product, graph) else { return nil }
      return function(product, terms: nil, .none, root, graph)
    }
  }

  /// Returns the operator, if its vectors have an element for each column.
  private func function(
    _ product: Product, isShifted: Bool = false, terms: ValueID?, _ activation: FusedActivation, _ root: PatternNode,
    _ graph: PatternGraph
  ) -> PatternReplacement? {
    let input = product.normalizer.input, shape = graph.shape(input)
    let vectors = [product.factors, terms].compactMap { $0 }
    guard shape.rank > 0, shape == graph.shape(root.output), shape.innermost <= LayerNormalizationOperator.longestRow,
      vectors.allSatisfy({ isVector($0, of: shape.innermost, graph) })
    else { return nil }
    let arrangement = LayerNormalizationOperator.Arrangement(
      order: isShifted ? .shifted : product.isGrouped ? .grouped : .direct, scale: product.normalizer.scale,
      fusesSquares: product.normalizer.fusesSquares)
    let operation = LayerNormalizationOperator(
      epsilon: product.normalizer.epsilon, subtractsMean: product.normalizer.isCentered,
      hasFactors: product.factors != nil, hasTerms: terms != nil, arrangement: arrangement)
    let inputs = ([input] + vectors).map { PatternReplacement.Input.value($0) }
    return activation == .none
      ? PatternReplacement(operation, inputs) : operation.fusing(activation).map { PatternReplacement($0, inputs) }
  }

  private func isVector(_ value: ValueID, of count: Int, _ graph: PatternGraph) -> Bool {
    let shape = graph.shape(value)
    return graph.isFloat(value) && shape.rank > 0 && shape.innermost == count && shape.elementCount == count
  }

  // MARK: Parts

  /// Returns whether the product is that of the normalizer with the input that it normalizes.
  private func isNormalized(_ product: Product, _ graph: PatternGraph) -> Bool {
    product.normalizer.isCentered
      ? difference(product.other, graph) == product.normalizer.input : product.other == product.normalizer.input
  }

  /// Returns the shift if `value` is `β - mean · factor` or `-mean · factor`, with the factor of the row in `product`.
  private func shift(_ value: ValueID, of product: Product, _ graph: PatternGraph) -> Shift? {
    if isMean(value, isNegated: true, times: product, graph) { return Shift() }
    if let (terms, shift) = graph.operands(SubtractOperator.self, giving: value), graph.isConstant(terms),
      isMean(shift, times: product, graph)
    {
      return Shift(terms: terms)
    }
    for (terms, shift) in bothOrders(graph.operands(AddOperator.self, giving: value))
    where graph.isConstant(terms) && isMean(shift, isNegated: true, times: product, graph) {
      return Shift(terms: terms)
    }
    return nil
  }

  /// Returns whether `value` is the mean of a row, or its negative, multiplied in the same way as the row itself in
  /// `product`.
  private func isMean(
    _ value: ValueID, isNegated: Bool = false, times product: Product, _ graph: PatternGraph
  ) -> Bool {
    guard product.normalizer.isCentered, product.other == product.normalizer.input else { return false }
    if isNegated, let opposite = graph.negated(value) { return isMean(opposite, times: product, graph) }
    guard let shift = self.product(value, graph), shift.normalizer == product.normalizer,
      shift.factors == product.factors
    else { return false }
    let mean = isNegated ? graph.negated(shift.other) : shift.other
    return mean.flatMap { self.mean($0, graph) } == product.normalizer.input
  }

  /// Returns a product of a normalizer, another value, and a constant, if there is one.
  private func product(_ value: ValueID, _ graph: PatternGraph) -> Product? {
    for candidate in graph.factors(of: value) {
      guard var normalizer = normalizer(candidate, graph) else { continue }
      let parts = graph.factors(of: value, stoppingAt: normalizer.input)
      let others = parts.filter { !$0.isDivisor && !graph.isConstant($0.value) && self.normalizer($0, graph) == nil }
      let constants = parts.filter { !$0.isDivisor && graph.isConstant($0.value) && !isOne($0.value, graph) }
      let ones = parts.filter { !$0.isDivisor && isOne($0.value, graph) }
      guard others.count == 1, constants.count <= 1, ones.count <= 1,
        parts.count == others.count + constants.count + ones.count + 1,
        parts.contains(where: { self.normalizer($0, graph) == normalizer })
      else { continue }
      if normalizer.scale == .quotient, !ones.isEmpty { normalizer.scale = .quotientOfOne }
      let factors = constants.first?.value, other = others[0].value
      let isGrouped = graph.partialProducts(of: value).contains { part in
        let values = graph.factors(of: part, stoppingAt: normalizer.input).map(\.value)
        return values.contains(candidate.value) && values.contains { $0 == factors } && !values.contains(other)
      }
      return Product(normalizer: normalizer, factors: factors, other: other, isGrouped: isGrouped)
    }
    return nil
  }

  private func isOne(_ value: ValueID, _ graph: PatternGraph) -> Bool {
    graph.number(value) == 1 && graph.shape(value).elementCount == 1
  }

  /// Returns the normalizer that a factor is: RSQRT, or a division by SQRT.
  private func normalizer(_ factor: PatternFactor, _ graph: PatternGraph) -> Normalizer? {
    let root =
      factor.isDivisor
      ? graph.operand(SquareRootOperator.self, giving: factor.value)
      : graph.operand(ReciprocalSquareRootOperator.self, giving: factor.value)
    for (squares, epsilon) in bothOrders(graph.operands(AddOperator.self, giving: root)) {
      guard let epsilon = graph.number(epsilon), graph.shape(squares).innermost == 1,
        let squares = mean(squares, graph), let (input, isCentered) = squared(squares, graph)
      else { continue }
      return Normalizer(
        input: input, epsilon: epsilon, isCentered: isCentered,
        fusesSquares: graph.operands(MultiplyOperator.self, giving: squares) != nil,
        scale: factor.isDivisor ? .quotient : .reciprocalRoot)
    }
    return nil
  }

  /// Returns the input `x` of `x²`, or of `(x - mean)²`.
  private func squared(_ value: ValueID, _ graph: PatternGraph) -> (input: ValueID, isCentered: Bool)? {
    for (input, mean) in bothOrders(graph.operands(SquaredDifferenceOperator.self, giving: value))
    where self.mean(mean, graph) == input {
      return (input, true)
    }
    var base = graph.operand(SquareOperator.self, giving: value)
    if let (left, right) = graph.operands(MultiplyOperator.self, giving: value), left == right { base = left }
    if let power = graph.node(giving: value), power.operation is PowerOperator, power.inputs.count == 2,
      graph.number(power.inputs[1]) == 2
    {
      base = power.inputs[0]
    }
    guard let base, graph.shape(value) == graph.shape(base), graph.isFloat(base) else { return nil }
    if let input = difference(base, graph) { return (input, true) }
    return (base, false)
  }

  /// Returns the input `x` of `x - mean`.
  private func difference(_ value: ValueID, _ graph: PatternGraph) -> ValueID? {
    guard let (input, mean) = graph.operands(SubtractOperator.self, giving: value), self.mean(mean, graph) == input
    else { return nil }
    return input
  }

  /// Returns the input of a mean over the last axis, which keeps the axis.
  private func mean(_ value: ValueID, _ graph: PatternGraph) -> ValueID? {
    guard let node = graph.node(giving: value), let mean = node.operation as? MeanOperator, mean.keepsDimensions,
      !mean.squares, node.inputs.count == 2, let input = node.inputs[0], let axes = node.inputs[1],
      graph.isFloat(input), graph.spec(axes).elementType == .int32, graph.shape(axes).elementCount == 1,
      let bytes = graph.constant(axes), bytes.count == 4
    else { return nil }
    let axis = Int(bytes.loadUnaligned(as: Int32.self)), rank = graph.shape(input).rank
    return rank > 0 && (axis == -1 || axis == rank - 1) ? input : nil
  }
}
