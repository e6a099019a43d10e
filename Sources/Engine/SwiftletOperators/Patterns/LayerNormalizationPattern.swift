import SwiftletEngine
import SwiftletSchema

/// Layer normalization and root mean square normalization as several operators, over the last axis:
///
/// - `(x - mean) · RSQRT(variance + ε) · γ + β`, in any order of the factors, also with a division by SQRT,
/// - `x · (RSQRT(variance + ε) · γ) + (β - mean · (RSQRT(variance + ε) · γ))`, also with the negative of the mean,
/// - `x · RSQRT(MEAN(x²) + ε) · γ`.
///
/// γ and β are constant vectors; both are optional. A mean is MEAN, or SUM and a division. Values with one element per
/// row may be reshaped before they are combined with rows, as by litert-torch.
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
        let product = product(left, graph), fitsRows(right, of: product.normalizer.input, graph),
        isMean(right, times: product, graph)
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
    let input = product.normalizer.input, inner = unreshaped(value, graph)
    guard fitsRows(value, of: input, graph) else { return nil }
    if isMean(inner, isNegated: true, times: product, graph) { return Shift() }
    func terms(_ value: ValueID) -> Shift? {
      if isVector(value, of: graph.shape(input).innermost, graph), graph.shape(inner) == graph.shape(input) {
        return Shift(terms: value)
      }
      return graph.number(value) == 0 && hasElementPerRow(inner, of: input, graph) ? Shift() : nil
    }
    if let (left, right) = graph.operands(SubtractOperator.self, giving: inner), graph.isConstant(left),
      isMean(right, times: product, graph)
    {
      return terms(left)
    }
    for (left, right) in bothOrders(graph.operands(AddOperator.self, giving: inner))
    where graph.isConstant(left) && isMean(right, isNegated: true, times: product, graph) {
      return terms(left)
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
    // Few candidates, so that the search takes little time for any graph. A loop instead of a lazy sequence, whose type
    // the Swift runtime would assemble at every start of a program.
    var candidates = 0
    for candidate in graph.factors(of: value) where candidates < 2 {
      guard var normalizer = normalizer(candidate, graph) else { continue }
      candidates += 1
      let parts = graph.factors(of: value, stoppingAt: normalizer.input)
      let others = parts.filter { !$0.isDivisor && !graph.isConstant($0.value) && self.normalizer($0, graph) == nil }
      let constants = parts.filter { !$0.isDivisor && graph.isConstant($0.value) && !isOne($0.value, graph) }
      let ones = parts.filter { !$0.isDivisor && isOne($0.value, graph) }
      guard others.count == 1, constants.count <= 1, ones.count <= 1,
        parts.count == others.count + constants.count + ones.count + 1,
        parts.contains(where: { self.normalizer($0, graph) == normalizer })
      else { continue }
      let factors = constants.first?.value, other = others[0].value
      let isPerRow =
        factors == nil && hasElementPerRow(other, of: normalizer.input, graph)
        && hasElementPerRow(value, of: normalizer.input, graph)
      guard
        isPerRow || parts.allSatisfy({ graph.isConstant($0.value) || fitsRows($0.value, of: normalizer.input, graph) })
      else { continue }
      if normalizer.scale == .quotient, !ones.isEmpty { normalizer.scale = .quotientOfOne }
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
    let value = unreshaped(factor.value, graph)
    let root =
      factor.isDivisor
      ? graph.operand(SquareRootOperator.self, giving: value)
      : graph.operand(ReciprocalSquareRootOperator.self, giving: value)
    for (squares, epsilon) in bothOrders(graph.operands(AddOperator.self, giving: root)) {
      guard let epsilon = graph.number(epsilon), let squares = mean(squares, graph),
        let (input, isCentered) = squared(squares, graph), hasElementPerRow(value, of: input, graph)
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
    where self.mean(mean, graph) == input && fitsRows(mean, of: input, graph) {
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
    guard let (input, mean) = graph.operands(SubtractOperator.self, giving: value), self.mean(mean, graph) == input,
      fitsRows(mean, of: input, graph)
    else { return nil }
    return input
  }

  // MARK: Values with one element per row

  /// Returns the input of a mean over the last axis.
  private func mean(_ value: ValueID, _ graph: PatternGraph) -> ValueID? {
    let value = unreshaped(value, graph)
    if let node = graph.node(giving: value), let mean = node.operation as? MeanOperator, !mean.squares {
      return reduced(node, graph)
    }
    var sum: (value: ValueID, divisor: Double)?
    if let (left, right) = graph.operands(DivideOperator.self, giving: value), let divisor = graph.number(right) {
      sum = (left, Double(divisor))
    } else if let (left, factor) = graph.scaled(value) {
      sum = (left, 1 / Double(factor))
    }
    guard let sum, let node = graph.node(giving: sum.value), let operation = node.operation as? SumOperator,
      !operation.squares, let input = reduced(node, graph),
      sum.divisor.isClose(to: Double(graph.shape(input).innermost))
    else { return nil }
    return input
  }

  /// Returns the input of a reduction of float32 elements over the last axis, and possibly over axes of one element.
  private func reduced(_ node: PatternNode, _ graph: PatternGraph) -> ValueID? {
    guard node.inputs.count == 2, let input = node.inputs[0], let axes = node.inputs[1], graph.isFloat(input),
      graph.spec(axes).elementType == .int32, 1...8 ~= graph.shape(axes).elementCount,
      let bytes = graph.constant(axes), bytes.count == 4 * graph.shape(axes).elementCount
    else { return nil }
    let shape = graph.shape(input)
    var reducesLast = false
    for offset in stride(from: 0, to: bytes.count, by: 4) {
      let axis = shape.resolvedAxis(Int(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
      guard let axis, axis == shape.rank - 1 || shape[axis] == 1 else { return nil }
      if axis == shape.rank - 1 { reducesLast = true }
    }
    return reducesLast ? input : nil
  }

  /// Returns the value before RESHAPE and EXPAND_DIMS, which keep the order of the elements.
  private func unreshaped(_ value: ValueID, _ graph: PatternGraph) -> ValueID {
    var value = value
    for _ in 0..<2 {
      guard let node = graph.node(giving: value),
        node.operation is ReshapeOperator || node.operation is ExpandDimsOperator,
        let source = node.inputs.first ?? nil
      else { break }
      value = source
    }
    return value
  }

  /// Returns whether a value has the shape of the input, or one element for each of its rows along the other axes.
  private func fitsRows(_ value: ValueID, of input: ValueID, _ graph: PatternGraph) -> Bool {
    let shape = graph.shape(value), rows = graph.shape(input)
    return shape == rows || shape.rank > 0 && shape.dimensions == rows.dimensions.dropLast() + [1]
  }

  /// Returns whether a value of any shape has one element for each row of the input.
  private func hasElementPerRow(_ value: ValueID, of input: ValueID, _ graph: PatternGraph) -> Bool {
    let shape = graph.shape(input)
    return shape.rank > 0 && graph.shape(value).elementCount == shape.elementCount(0..<shape.rank - 1)
  }
}
